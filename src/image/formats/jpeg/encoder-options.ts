/**
 * Maps `q` (80, 90, 95, 100) to the row encoder's scale of quantisation, so that the same q looks alike in every
 * format: SSIMULACRA 2 of 75, 84 and 88 at q 80, 90 and 95, and at least 91 at q 100, medians over photographs.
 *
 * Measured at full size on twelve photographs of the Kodak Lossless True Color Image Suite, and on six of Debian's
 * mate-backgrounds shrunk to 800 pixels: SSIMULACRA 2, medians of both.
 *
 * | scale | .5   | .455 | .3   | .24  | .2   | .175 | .07, 4:4:4 |
 * | ----- | ---- | ---- | ---- | ---- | ---- | ---- | ---------- |
 * | Kodak | 73.5 | 74.8 | 81.2 | 84.5 | 86.2 | 87.9 | 100        |
 * | MATE  | 81.0 | 81.8 | 86.5 | 88.3 | 89.9 | 91.3 | 100        |
 * | all   | 74.6 | 75.8 | 82.4 | 85.3 | 87.2 | 88.9 | 100        |
 *
 * At q 100, a scale of .1 takes 0.81 to 0.85 of the bytes of .07 (eight photographs at 500 pixels: four of Kodak, four
 * of MATE). One of them scores 95.6, the others 100; five of Kodak at full size score 94 to 100, with a median of 96.5.
 * A scale of .12 takes 0.70 to 0.75 and scores 93 to 99.7 at 500 pixels.
 *
 * Chroma at full resolution costs photographs 3 to 25 % more bytes for the same score up to 90. Halved chroma lowers
 * the score of photographs by 1 to 8, and that of graphics with saturated colours by 30 and more, to at most 62.
 */
import type { Effort, Quality } from "../../model/variant.ts";
import { FITTING_FACTORS } from "../encoding.ts";

export interface RowJpegOptions {
  /** Factor on all quantisation steps: the smaller, the better the picture. */
  readonly scale: number;
  /** The finest scale that the memory is planned for, where the scale is fitted to the picture; absent if it is not. */
  readonly finestScale?: number;
  /** Chroma halved, at full resolution, or halved only if the mean squared error per sample stays within `mostLost`. */
  readonly chroma: "420" | "444" | { readonly mostLost: number };
}

const OPTIONS: Record<Quality, RowJpegOptions> = {
  80: fitted({ scale: 0.455, chroma: { mostLost: 20 } }),
  90: fitted({ scale: 0.25, chroma: { mostLost: 12 } }),
  95: fitted({ scale: 0.175, chroma: { mostLost: 10 } }),
  100: { scale: 0.1, chroma: "444" },
};

/** Returns the options of a quality whose scale is fitted to the picture. */
function fitted(options: RowJpegOptions): RowJpegOptions {
  return { ...options, finestScale: FITTING_FACTORS.finest * options.scale };
}

/**
 * The chroma of the quick effort. The thorough one encodes both resolutions and keeps the better one, which is two
 * thirds of its time.
 */
const QUICK_CHROMA: Record<Quality, "420" | "444"> = { 80: "420", 90: "420", 95: "444", 100: "444" };

export const rowJpegOptions = (quality: Quality, effort: Effort = "thorough"): RowJpegOptions =>
  effort === "quick" ? { scale: OPTIONS[quality].scale, chroma: QUICK_CHROMA[quality] } : OPTIONS[quality];
