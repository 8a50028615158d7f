/**
 * Maps `q` (80, 90, 95, 100) to the row encoder's scale of quantisation, so that the same q looks alike in every
 * format: SSIMULACRA 2 of 75, 84 and 88 at q 80, 90 and 95, and at least 91 at q 100, medians over photographs.
 *
 * Measured at full size on twelve photographs of the Kodak Lossless True Color Image Suite, and on six of Debian's
 * mate-backgrounds shrunk to 800 pixels: SSIMULACRA 2, medians of both.
 *
 * | scale | .5   | .3   | .25  | .2   | .16  | .12  | .07, 4:4:4 |
 * | ----- | ---- | ---- | ---- | ---- | ---- | ---- | ---------- |
 * | Kodak | 73.3 | 80.7 | 83.6 | 85.8 | 88.6 | 90.9 | 100        |
 * | MATE  | 80.0 | 85.2 | 86.9 | 88.2 | 90.0 | 91.4 | 100        |
 *
 * Chroma at full resolution costs photographs 3 to 25 % more bytes for the same score up to 90. Halved chroma lowers
 * the score of photographs by 1 to 8, and that of graphics with saturated colours by 30 and more, to at most 62.
 */
import type { Quality } from "../../model/variant.ts";

export interface RowJpegOptions {
  /** Factor on all quantisation steps: the smaller, the better the picture. */
  readonly scale: number;
  /** Chroma halved, at full resolution, or halved only if the mean squared error per sample stays within `mostLost`. */
  readonly chroma: "420" | "444" | { readonly mostLost: number };
}

const OPTIONS: Record<Quality, RowJpegOptions> = {
  80: { scale: 0.455, chroma: { mostLost: 20 } },
  90: { scale: 0.24, chroma: { mostLost: 12 } },
  95: { scale: 0.168, chroma: { mostLost: 10 } },
  100: { scale: 0.07, chroma: "444" },
};

export const rowJpegOptions = (quality: Quality): RowJpegOptions => OPTIONS[quality];
