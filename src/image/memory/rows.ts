/** What the sums of all row parts share: layouts, batches of rows, pages. */

/** Samples of a pixel, interleaved, 8 bits each; alpha is straight. */
export type RowLayout = "gray" | "gray-alpha" | "rgb" | "rgba" | "cmyk";

/** Samples a pixel of each layout. */
export const CHANNELS_OF: Record<RowLayout, number> = {
  gray: 1,
  "gray-alpha": 2,
  rgb: 3,
  rgba: 4,
  cmyk: 4,
};

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Bytes a row codec gathers before it hands rows or chunks on. */
const BATCH_BYTES = 16_384;
const PAGE_BYTES = 65_536;

/** Whole rows that fit a batch; at least one. */
export function rowsPerBatch(rowBytes: number, height: number, batchBytes = BATCH_BYTES): number {
  return Math.max(1, Math.min(height, Math.floor(batchBytes / rowBytes)));
}

/** Bytes of WebAssembly memory that hold `bytes`: whole pages of 64 KiB. */
export function wholePages(bytes: number): number {
  return Math.ceil(bytes / PAGE_BYTES) * PAGE_BYTES;
}
