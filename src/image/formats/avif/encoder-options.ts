/**
 * Maps `q` (80, 90, 95, 100) to the scales of the AVIF encoders, so that the same q looks alike in every format:
 * SSIMULACRA 2 of 75, 84 and 88 at q 80, 90 and 95, and at least 91 at q 100, medians over photographs.
 *
 * Measured on twelve photographs of the Kodak Lossless True Color Image Suite at 768 x 512 and shrunk to 500 pixels, and
 * on twelve of Debian's mate-backgrounds shrunk to 800 pixels: SSIMULACRA 2, medians of each.
 *
 * | scale | 60, 4:2:0 | 65   | 70   | 75, 4:4:4 | 80   | 85   | 90   | 92   |
 * | ----- | --------- | ---- | ---- | --------- | ---- | ---- | ---- | ---- |
 * | 768   | 70.2      | 74.3 | 76.6 | 81.8      | 85.0 | 88.7 |      | 94.7 |
 * | 500   | 71.6      | 75.6 | 78.8 | 84.0      | 87.1 | 91.1 | 96.2 | 100  |
 * | 800   | 74.2      | 77.0 | 78.8 | 85.4      | 87.8 | 91.7 | 96.3 | 98.8 |
 *
 * Chroma at full resolution (4:4:4) needs 2 to 4 % fewer bytes for the same score at every quality. It takes 1.6 times
 * the memory and 1.9 times the time, so q 80 does not use it.
 *
 * The speed is 8. At quality 65, the speeds 6, 8 and 9 take 519, 163 and 42 ms on a photograph of 720 x 477, give 57.1,
 * 56.7 and 60.3 KB, and reach an SSIM of luma of .9862, .9847 and .9813. On grain, speed 9 costs 29 % more bytes.
 */
import type { Chroma, EncoderOptions } from "../../model/encoder-options.ts";
import type { Quality } from "../../model/variant.ts";

const AVIF_QUALITY: Record<Quality, number> = { 80: 64, 90: 77, 95: 82, 100: 91 };

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
  // Options of libaom that scripts/wasm/avif-encoder.ts adds to jSquash's. These are libaom's defaults.
  palette: 1,
  superblocks: 0,
});

/** Raises the quality of alpha in tiles, whose edges cost it up to 1 dB. Alpha takes a tenth more bytes for it. */
const ALPHA_GAIN = 7;

/** Options for a tile, or for its alpha. With them, all tiles have the same frame header, whatever they show. */
export const avifTileOptions = (quality: Quality, plane: Chroma | "alpha"): EncoderOptions => ({
  ...avifOptions(quality, plane === "alpha" ? "420" : plane),
  ...(plane === "alpha" ? { subsample: 0, quality: Math.min(97, AVIF_QUALITY[quality] + ALPHA_GAIN) } : {}),
  palette: 0,
  superblocks: 1,
});

/** Options of the row encoder (src/builder/codecs/avif/row-encoder.ts). */
export interface RowAvifOptions {
  /** Quantiser index of AV1, 1 to 255: the lower, the better. */
  readonly baseIndex: number;
  readonly chroma: "420" | "444";
  /** The same for alpha, if the picture has any. */
  readonly alphaIndex: number;
  /** Whether the picture shows a drawing or a screenshot, which have tools of their own. */
  readonly isDrawing?: boolean;
  /** False leaves decoders without deblocking: for tests, which see what predictions see. */
  readonly isFiltered?: boolean;
}

/**
 * For the same scores as above, on the Kodak suite at 768 x 512, and 2 to 4 points more where pictures show less. SSIMULACRA
 * 2, medians of twelve photographs of the suite (whole, and parts of 448 x 320 from their middle), and of such parts of
 * fourteen of Debian's wallpapers (lomiri, mate, plasma), shrunk to 1000 pixels:
 *
 * | index            | 80, 4:2:0 | 72   | 70   | 37, 4:4:4 | 32   | 29   | 26   | 20   | 18   |
 * | ---------------- | --------- | ---- | ---- | --------- | ---- | ---- | ---- | ---- | ---- |
 * | Kodak            |           | 73.2 |      | 81.8      |      | 87.0 |      | 90.0 |      |
 * | Kodak, parts     | 72.8      |      | 75.2 |           | 85.3 |      | 89.7 |      | 93.2 |
 * | wallpapers       | 80.4      |      | 81.4 |           | 89.3 |      | 92.1 |      | 96.4 |
 *
 * With the indices below, the whole photographs of the suite have medians of 74.2, 83.3, 87.6 and 91.3.
 */
const ROW_AVIF_INDEX: Record<Quality, number> = { 80: 68, 90: 33, 95: 27, 100: 17 };

/**
 * The same for drawings and screenshots, which have one quantiser for the whole picture. SSIMULACRA 2 at the indices 75
 * and 42: medians of 88 and 93 over 19 of them, and 84 to 100; libaom at its qualities of 64 and 77 has 82 and 92.
 */
const ROW_AVIF_DRAWING_INDEX: Record<Quality, number> = { 80: 80, 90: 42, 95: 32, 100: 17 };

/**
 * For alpha. At index 40, the alpha of cut-out photographs, of logos and of lettering is off by 0.4 to 0.6 in 255 (root
 * of the mean square) and by at most 12 to 27, where sharp's AVIF at quality 60 is off by 0.4 to 1.3 and at most 7 to 17,
 * and libaom as it was used here by 0.7 to 1.8 and at most 20 to 76. Index 24 takes 1.1 to 1.3 times the bytes of alpha.
 */
const ROW_AVIF_ALPHA_INDEX: Record<Quality, number> = { 80: 40, 90: 24, 95: 16, 100: 6 };

export const rowAvifOptions = (quality: Quality, chroma: Chroma, isDrawing = false): RowAvifOptions => ({
  baseIndex: (isDrawing ? ROW_AVIF_DRAWING_INDEX : ROW_AVIF_INDEX)[quality],
  chroma,
  isDrawing,
  alphaIndex: ROW_AVIF_ALPHA_INDEX[quality],
});
