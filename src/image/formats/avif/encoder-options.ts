/**
 * Maps `q` (80, 90, 95, 100) to the quantisers of the AVIF encoder (src/builder/codecs/avif/row-encoder.ts), so that the
 * same q looks alike in every format: SSIMULACRA 2 of 75, 84 and 88 at q 80, 90 and 95, and at least 91 at q 100,
 * medians over photographs.
 *
 * Chroma at full resolution (4:4:4) needs 2 to 4 % fewer bytes for the same score at every quality, but 1.9 times the
 * time, so quick photographs at q 80 do not use it.
 */
import type { Effort } from "../../model/variant.ts";
import type { Chroma } from "../../model/encoder-options.ts";
import type { Quality } from "../../model/variant.ts";

/** Powers of two of the number of tiles beside and below each other. */
export interface TilesLog2 {
  readonly columns: number;
  readonly rows: number;
}

export interface RowAvifOptions {
  /** Quantiser index of AV1, 1 to 255: the lower, the better. */
  readonly baseIndex: number;
  readonly chroma: "420" | "444";
  /** The same for alpha, if the picture has any. */
  readonly alphaIndex: number;
  /** Whether the picture shows a drawing or a screenshot, which have tools of their own. */
  readonly isDrawing?: boolean;
  /** Drawings and alpha are always encoded thoroughly. */
  readonly effort?: Effort;
  /** False leaves decoders without deblocking: for tests, which see what predictions see. */
  readonly isFiltered?: boolean;
  /** More tiles than AV1 demands: for tests, whose pictures are small. */
  readonly tilesLog2?: TilesLog2;
}

/**
 * For these scores on the Kodak suite at 768 x 512, and 2 to 4 points more where pictures show less. SSIMULACRA 2,
 * medians of twelve photographs of the suite (whole, and parts of 448 x 320 from their middle), and of such parts of
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

export const rowAvifOptions = (
  quality: Quality,
  chroma: Chroma,
  isDrawing = false,
  effort: Effort = "thorough",
): RowAvifOptions => ({
  baseIndex: (isDrawing ? ROW_AVIF_DRAWING_INDEX : ROW_AVIF_INDEX)[quality],
  chroma,
  isDrawing,
  effort,
  alphaIndex: ROW_AVIF_ALPHA_INDEX[quality],
});

/** The step of 8-bit samples is about this much above the index. */
const STEP_ABOVE_INDEX = 8;
const MOST_INDEX = 200;

/** Returns the options with about `factor` times the steps of quantisation. */
export function scaledAvif(options: RowAvifOptions, factor: number): RowAvifOptions {
  const step = factor * (options.baseIndex + STEP_ABOVE_INDEX);
  return { ...options, baseIndex: Math.max(1, Math.min(MOST_INDEX, Math.round(step) - STEP_ABOVE_INDEX)) };
}
