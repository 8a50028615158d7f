/** Which encoder makes a variant: what the plan counts, and what the builder does. */
import type { MasterFacts } from "./master.ts";
import type { OutputFormat, VariantSpec } from "./variant.ts";

export type Encoder = "png-rows" | "jpeg-rows" | "mozjpeg" | "webp" | "avif";

export interface CodecPath {
  encoder: Encoder;
  /** WebP has 4:2:0 only, PNG has no such thing. */
  chroma: "420" | "444";
  /** Channels of the picture that is held whole between decoder and encoder; 0 where rows go straight through. */
  canvasChannels: 0 | 3 | 4;
}

/**
 * mozjpeg's files at q 80 are about a tenth smaller for the same noise, for 20 times the work: worth it where
 * that is still little. From q 90 on it gains nothing (the table in src/builder/quality.ts).
 */
const MOZJPEG_MAX_PIXELS = 1_000_000;
/** AVIF takes 24 bytes a pixel in 4:2:0 and 38 in 4:4:4: above this, colour is halved, so that it fits at all. */
const AVIF_FULL_CHROMA_MAX_PIXELS = 1_900_000;
/** From this quality on, JPEG and AVIF keep colour at full resolution. */
const FULL_CHROMA_FROM = 90;

export function codecPath(facts: MasterFacts, spec: VariantSpec): CodecPath {
  const pixels = spec.width * spec.height;
  const isFine = (spec.quality ?? 0) >= FULL_CHROMA_FROM;
  const encoder = encoderFor(spec.format as OutputFormat, isFine, pixels);
  const hasRoom = encoder !== "avif" || pixels <= AVIF_FULL_CHROMA_MAX_PIXELS;
  const chroma = isFine && hasRoom ? "444" : "420";
  if (encoder !== "png-rows" && encoder !== "jpeg-rows") return { encoder, chroma, canvasChannels: 4 };
  const keepsAlpha = facts.hasAlpha && encoder === "png-rows";
  return { encoder, chroma, canvasChannels: facts.orientation === 1 ? 0 : keepsAlpha ? 4 : 3 };
}

function encoderFor(format: OutputFormat, isFine: boolean, pixels: number): Encoder {
  if (format === "png") return "png-rows";
  if (format !== "jpeg") return format;
  return isFine || pixels > MOZJPEG_MAX_PIXELS ? "jpeg-rows" : "mozjpeg";
}
