/** The conditions that every cell of the matrix must meet. */
import { ISOLATE } from "../../../src/limits.ts";
import type { Result } from "./cells.ts";

/**
 * The least PSNR in dB against sharp's resize of the same master. Lossless files differ from it by the filter, and by
 * the scale at which a large JPEG is decoded. Lossy files of a photograph also lose sensor grain at q 80. Drawings
 * differ at the edges, because two rasterisers draw them.
 */
export const PSNR_MIN = { lossless: 35, lossy: 25, vector: 24 } as const;

/** How far a build may exceed its plan. test/unit/builder/memory/planned-bytes.test.ts uses the same value. */
const PLAN_SHARE = 0.05;
const PLAN_BYTES = 524_288;

/**
 * The length of a file is known only after encoding. A file that is too long is refused with this reason: no defect.
 */
const TOO_LONG = "the variant is too large to be held";

/**
 * A large progressive JPEG is decoded at a smaller scale if its coefficients and the file do not both fit an isolate.
 */
const isExact = ({ master, format, width }: Result): boolean =>
  format === "png" && (master !== "progressive" || width <= COARSE_FROM_WIDTH);
const COARSE_FROM_WIDTH = 4096;

/** Why a cell is a defect of the builder. Null if it is not. */
export function defectOf(result: Result): string | null {
  if (result.outcome === "failed") {
    return result.reason === TOO_LONG ? null : `planned and not built: ${result.reason}`;
  }
  if (result.outcome !== "built") return null;
  if (result.peakBytes > ISOLATE.buildBytes) return "takes more than an isolate has";
  const allowed = result.predictedBytes * (1 + PLAN_SHARE) + PLAN_BYTES + result.unforeseenBytes;
  if (result.peakBytes > allowed) return "takes more than was planned";
  const bound = PSNR_MIN[result.master === "svg" ? "vector" : isExact(result) ? "lossless" : "lossy"];
  if (result.psnr !== null && result.psnr < bound) return `${result.psnr} dB of sharp's pixels`;
  return null;
}
