/** The upright picture that the encoder of a still receives. */
import { decodingOf } from "../formats/decodings.ts";
import { samplesOf } from "../formats/decoding.ts";
import type { PictureToEncode } from "../formats/encoding.ts";
import { CHANNELS_OF, paddedLayout, type RowLayout } from "../memory/rows.ts";
import { groundOf, hasBars, mayBeTransparent } from "../model/background.ts";
import { isGray } from "../model/colour.ts";
import type { MasterFacts } from "../model/facts.ts";
import { DEFAULT_QUALITY, type VariantSpec } from "../model/variant.ts";

/** The layouts in sRGB, composed on a background. */
const OPAQUE = { gray: "gray", "gray-alpha": "gray", rgb: "rgb", rgba: "rgb", cmyk: "rgb" } as const;

/** Returns the layout of the rows of the upright picture: sRGB, and composed on a background if there is one. */
export function pictureLayout(facts: MasterFacts, spec: VariantSpec): RowLayout {
  const layout = decodingOf(facts).layout(facts);
  const ground = groundOf(spec);
  if (ground === null) return layout === "cmyk" ? "rgb" : layout;
  return layout === "gray-alpha" && !isGray(ground) ? "rgb" : OPAQUE[layout];
}

/** Returns the layout of the rows that the encoder receives, with what stands beside the picture. */
const encodedLayout = (facts: MasterFacts, spec: VariantSpec): RowLayout =>
  hasBars(spec) ? paddedLayout(pictureLayout(facts, spec), groundOf(spec)) : pictureLayout(facts, spec);

export function pictureToEncode(facts: MasterFacts, sourceBytes: number, spec: VariantSpec): PictureToEncode {
  const decoding = decodingOf(facts);
  const layout = encodedLayout(facts, spec);
  return {
    width: spec.width,
    height: spec.height,
    quality: spec.quality ?? DEFAULT_QUALITY,
    layout,
    hasAlpha: mayBeTransparent(facts, spec),
    samples: spec.pad || spec.background ? CHANNELS_OF[layout] : samplesOf(facts),
    isExact: decoding.isExact(facts),
    isPhotograph: decoding.isPhotograph(facts, sourceBytes),
  };
}
