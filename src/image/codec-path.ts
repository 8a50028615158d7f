/** Which encoder makes a variant: what the plan counts, and what the builder does. */
import { wholeSuperblockPixels } from "./avif-tiling.ts";
import type { MasterFacts } from "./master.ts";
import { orientationOfRows } from "./orient.ts";
import type { VariantSpec } from "./variant.ts";

export type Encoder = "png-rows" | "jpeg-rows" | "webp-rows" | "mozjpeg" | "webp" | "avif" | "avif-tiles";

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
/**
 * AVIF takes 27 bytes a pixel of its superblocks in 4:2:0 and 45 in 4:4:4: above this, it is encoded in tiles. Noise
 * takes 4 % more, for which there is room.
 */
const AVIF_WHOLE_MAX_PIXELS = { "420": 2_650_000, "444": 1_600_000 } as const;
/**
 * Our own rows take a third of libwebp's time and a few megabytes, and give turns, for 7 % more bytes at the same SSIM
 * (src/builder/quality.ts). libwebp's takes 6 bytes a pixel and 20 for each byte of the file, which nobody knows
 * before. Only the alpha of flat graphics it codes smaller, in 29 bytes a pixel: up to here.
 */
const WEBP_WHOLE_ALPHA_MAX_PIXELS = 2_500_000;
/** From this quality on, JPEG and AVIF keep colour at full resolution. */
const FULL_CHROMA_FROM = 90;

export function codecPath(facts: MasterFacts, spec: VariantSpec): CodecPath {
  const isFine = (spec.quality ?? 0) >= FULL_CHROMA_FROM;
  const encoder = encoderFor(spec, isFine, facts.hasAlpha);
  const chroma = isFine ? "444" : "420";
  if (encoder === "mozjpeg" || encoder === "webp" || encoder === "avif") {
    return { encoder, chroma, canvasChannels: 4 };
  }
  const keepsAlpha = facts.hasAlpha && encoder !== "jpeg-rows";
  const isWhole = encoder === "avif-tiles" || orientationOfRows(facts) !== 1;
  return { encoder, chroma, canvasChannels: isWhole ? (keepsAlpha ? 4 : 3) : 0 };
}

function encoderFor({ format, width, height }: VariantSpec, isFine: boolean, hasAlpha: boolean): Encoder {
  const pixels = width * height;
  if (format === "png") return "png-rows";
  if (format === "webp") return hasAlpha && pixels <= WEBP_WHOLE_ALPHA_MAX_PIXELS ? "webp" : "webp-rows";
  if (format === "avif") {
    const most = AVIF_WHOLE_MAX_PIXELS[isFine ? "444" : "420"];
    return wholeSuperblockPixels(width, height) > most ? "avif-tiles" : "avif";
  }
  return isFine || pixels > MOZJPEG_MAX_PIXELS ? "jpeg-rows" : "mozjpeg";
}
