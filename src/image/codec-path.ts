/** Which encoder makes a variant: what the plan counts, and what the builder does. */
import type { MasterFacts } from "./master.ts";
import type { OutputFormat, VariantSpec } from "./variant.ts";

export type Encoder = "png-rows" | "jpeg-rows" | "mozjpeg" | "webp" | "avif";

export interface CodecPath {
  encoder: Encoder;
  chroma: "420" | "444";
  /** Channels of the picture that is held whole between decoder and encoder; 0 where rows go straight through. */
  canvasChannels: 0 | 3 | 4;
}

/**
 * mozjpeg's files are about a tenth smaller, but it takes 11 to 19 bytes a pixel and several times as long:
 * above this, JPEG is encoded in rows.
 */
const MOZJPEG_MAX_PIXELS = 2_000_000;
/** AVIF takes 27 bytes a pixel in 4:2:0 and 43 in 4:4:4: above this, colour is halved, so that it fits at all. */
const AVIF_FULL_CHROMA_MAX_PIXELS = 1_900_000;
/** From this quality on, JPEG and AVIF keep colour at full resolution. */
const FULL_CHROMA_FROM = 90;

export function codecPath(facts: MasterFacts, spec: VariantSpec): CodecPath {
  const encoder = encoderFor(spec);
  const isFine = (spec.quality ?? 0) >= FULL_CHROMA_FROM;
  const fits = encoder !== "avif" || spec.width * spec.height <= AVIF_FULL_CHROMA_MAX_PIXELS;
  const chroma = isFine && fits ? "444" : "420";
  if (encoder !== "png-rows" && encoder !== "jpeg-rows") return { encoder, chroma, canvasChannels: 4 };
  const keepsAlpha = facts.hasAlpha && encoder === "png-rows";
  return { encoder, chroma, canvasChannels: facts.orientation === 1 ? 0 : keepsAlpha ? 4 : 3 };
}

function encoderFor(spec: VariantSpec): Encoder {
  const format = spec.format as OutputFormat;
  if (format === "png") return "png-rows";
  if (format !== "jpeg") return format;
  return spec.width * spec.height > MOZJPEG_MAX_PIXELS ? "jpeg-rows" : "mozjpeg";
}
