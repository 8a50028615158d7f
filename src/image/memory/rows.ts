/** Layouts and batches of rows, which the memory sums of all parts that work in rows share. */

/** The samples of a pixel: interleaved, 8 bits each, alpha not premultiplied. */
export type RowLayout = "gray" | "gray-alpha" | "rgb" | "rgba" | "cmyk";

/** Samples per pixel of each layout. */
export const CHANNELS_OF: Record<RowLayout, number> = {
  gray: 1,
  "gray-alpha": 2,
  rgb: 3,
  rgba: 4,
  cmyk: 4,
};

/** Bytes that a row codec collects before it hands on rows or chunks. */
const BATCH_BYTES = 16_384;

/** Whole rows that fit a batch; at least one. */
export function rowsPerBatch(rowBytes: number, height: number, batchBytes = BATCH_BYTES): number {
  return Math.max(1, Math.min(height, Math.floor(batchBytes / rowBytes)));
}
