/** Layouts and batches of rows, which the memory sums of all parts that work in rows share. */

import { isGray } from "../model/colour.ts";

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

/** The layout with alpha of each layout without. */
const WITH_ALPHA: Partial<Record<RowLayout, RowLayout>> = { gray: "gray-alpha", rgb: "rgba" };
/** The layout in colour of each gray layout. */
const IN_COLOUR: Partial<Record<RowLayout, RowLayout>> = { gray: "rgb", "gray-alpha": "rgba" };

/** Returns the layout of rows that are laid on a canvas of a colour, six hexadecimal digits, or a transparent one (null). */
export function paddedLayout(layout: RowLayout, colour: string | null): RowLayout {
  if (colour === null) return WITH_ALPHA[layout] ?? layout;
  return isGray(colour) ? layout : (IN_COLOUR[layout] ?? layout);
}

/** Bytes that a row codec collects before it hands on rows or chunks. */
const BATCH_BYTES = 16_384;

/** Returns the whole rows that fit a batch; at least one. */
export function rowsPerBatch(rowBytes: number, height: number, batchBytes = BATCH_BYTES): number {
  return Math.max(1, Math.min(height, Math.floor(batchBytes / rowBytes)));
}
