/** The WebAssembly memory that comparing two pictures takes (src/builder/look/assembly). */
import { wholePages } from "./pages.ts";

/** Vectors per pixel of the rows that are blurred: one for each channel that is compared at a scale, and one more. */
const SCALE_VECTORS = [3, 3, 3, 4, 4, 4] as const;
const VECTOR_BYTES = 16;
/** Rows in reach of the blur and its state, and pixels behind the last one of a row. */
const VECTOR_ROWS = 20;
const VECTOR_SLACK_PIXELS = 8;
/** Lines of floats: linear light, and rows that wait for those below. */
const FLOAT_ROWS = 36;
const FLOAT_BYTES = 4;
const FLOAT_SLACK_PIXELS = 14;
/** Static data of the module, and what the allocator rounds up. */
const MODULE_BYTES = 8192;
/** Two rows of RGB. */
const ROWS_CHANNELS = 6;

/** Returns the bytes that a comparison of RGB takes, within a page or two. */
export function ssimulacra2Bytes(width: number): number {
  const ofScales = SCALE_VECTORS.map((vectors, scale) => {
    const across = Math.ceil(width / 2 ** scale);
    const blurred = VECTOR_ROWS * vectors * VECTOR_BYTES * (across + VECTOR_SLACK_PIXELS);
    return blurred + FLOAT_ROWS * FLOAT_BYTES * (across + FLOAT_SLACK_PIXELS);
  });
  return wholePages(MODULE_BYTES + ROWS_CHANNELS * width + ofScales.reduce((sum, bytes) => sum + bytes));
}
