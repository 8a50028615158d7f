/** The upright picture that the encoder of a still receives. */
import { decodingOf } from "../formats/decodings.ts";
import { samplesOf } from "../formats/decoding.ts";
import type { PictureToEncode } from "../formats/encoding.ts";
import { type VariantFormat, variantTraits } from "../formats/registry.ts";
import type { RowLayout } from "../memory/rows.ts";
import type { MasterFacts } from "../model/facts.ts";
import { DEFAULT_QUALITY, type VariantSpec } from "../model/variant.ts";

/** The layouts in sRGB, composed on white. */
const OPAQUE = { gray: "gray", "gray-alpha": "gray", rgb: "rgb", rgba: "rgb", cmyk: "rgb" } as const;

/** Returns the layout of the rows that the encoder receives: sRGB, and composed on white if the format has no alpha. */
export function encodedLayout(facts: MasterFacts, format: VariantFormat): RowLayout {
  const layout = decodingOf(facts).layout(facts);
  return layout === "cmyk" || !variantTraits(format).hasAlpha ? OPAQUE[layout] : layout;
}

export function pictureToEncode(facts: MasterFacts, sourceBytes: number, spec: VariantSpec): PictureToEncode {
  const decoding = decodingOf(facts);
  return {
    width: spec.width,
    height: spec.height,
    quality: spec.quality ?? DEFAULT_QUALITY,
    layout: encodedLayout(facts, spec.format),
    hasAlpha: facts.hasAlpha,
    samples: samplesOf(facts),
    isExact: decoding.isExact(facts),
    isPhotograph: decoding.isPhotograph(facts, sourceBytes),
  };
}
