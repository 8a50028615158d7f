/** What a cell of the matrix must hold. */
import { ISOLATE } from "../../../src/limits.ts";
import type { Result } from "./cells.ts";

/**
 * Likeness to sharp's resize of the same master, in dB. Lossless files differ from it by the filter alone, and where one
 * of the two reads a large JPEG more coarsely than the other; lossy ones of a photograph with its sensor's grain by what
 * q 80 drops; a drawing by two rasterisers' edges.
 */
export const PSNR_MIN = { lossless: 35, lossy: 25, vector: 24 } as const;

/** How far a plan may be under what a build takes; test/unit/builder/memory/planned-bytes.test.ts holds it to the same. */
const PLAN_SHARE = 0.05;
const PLAN_BYTES = 524_288;

/** How long a file gets is known once it is there: one that is too long to be held is refused by name, not a defect. */
const TOO_LONG = "the variant is too large to be held";

/** A large progressive JPEG is read coarsely where its coefficients and the file do not both fit an isolate. */
const isExact = ({ master, format, width }: Result): boolean =>
  format === "png" && (master !== "progressive" || width <= COARSE_FROM_WIDTH);
const COARSE_FROM_WIDTH = 4096;

/** Why a cell is a defect of the builder; null when it is none. */
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
