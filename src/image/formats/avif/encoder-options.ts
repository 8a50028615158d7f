/**
 * How `q` (80, 90, 95, 100) maps to the scale of the AVIF encoder, so that the same q looks alike in every format.
 *
 * Measured by scripts/measure/quality.ts on a photograph and a screenshot (720 x 477, first figures) and on generated
 * pictures full of grain (960 x 720, second figures): KB and SSIM of luma.
 *
 * | q   | here                           |
 * | --- | ------------------------------ |
 * | 80  | 65, 4:2:0: 57 .985 / 23 .964   |
 * | 90  | 80, 4:4:4: 95 .993 / 79 .978   |
 * | 95  | 88, 4:4:4: 130 .997 / 150 .989 |
 * | 100 | 95, 4:4:4: 177 .999 / 264 .995 |
 *
 * sharp's own AVIF scale is finer than its other scales (q 80: 82 .994 / 73 .987). Ours is set so that AVIF looks like
 * the JPEG and WebP of the same q, in fewer bytes.
 *
 * The speed is 8. At quality 65, the speeds 6, 8 and 9 take 519, 163 and 42 ms, give 57.1, 56.7 and 60.3 KB, and reach
 * an SSIM of .9862, .9847 and .9813. On grain, speed 9 costs 29 % more bytes.
 */
import type { Chroma, EncoderOptions } from "../../model/encoder-options.ts";
import type { Quality } from "../../model/variant.ts";

const AVIF_QUALITY: Record<Quality, number> = { 80: 65, 90: 80, 95: 88, 100: 95 };

export const avifOptions = (quality: Quality, chroma: Chroma): EncoderOptions => ({
  quality: AVIF_QUALITY[quality],
  qualityAlpha: -1,
  tileColsLog2: 0,
  tileRowsLog2: 0,
  speed: 8,
  subsample: chroma === "444" ? 3 : 1,
  sharpness: 0,
  tune: 0,
  enableSharpYUV: 0,
  bitDepth: 8,
  // These two are libaom's own, which scripts/wasm/avif-encoder.ts lets through: the defaults.
  palette: 1,
  superblocks: 0,
});

/** Edges of tiles cost alpha up to 1 dB, which this brings back for a tenth more of its few bytes. */
const ALPHA_GAIN = 7;

/** For a tile, or the alpha of one: whatever it shows, its frame header is the same as that of its neighbours. */
export const avifTileOptions = (quality: Quality, plane: Chroma | "alpha"): EncoderOptions => ({
  ...avifOptions(quality, plane === "alpha" ? "420" : plane),
  ...(plane === "alpha" ? { subsample: 0, quality: Math.min(97, AVIF_QUALITY[quality] + ALPHA_GAIN) } : {}),
  palette: 0,
  superblocks: 1,
});
