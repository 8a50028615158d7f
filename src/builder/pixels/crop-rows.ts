/** Rows of a part of a picture, from a decoder that can only decode the whole. */
import { CHANNELS_OF } from "../../image/memory/rows.ts";
import type { Rect } from "../../image/geometry/size.ts";
import type { RowSource } from "./row-source.ts";

/**
 * Returns the part `crop` of `source`. It skips the rows above, and never asks for those below. It packs the views of
 * the source in place.
 * @param finished called once no more rows are needed
 */
export function cropRows(source: RowSource, crop: Rect, finished?: () => void): RowSource {
  const channels = CHANNELS_OF[source.layout];
  const rowBytes = source.width * channels;
  const { width, height, top } = crop;
  /** Index of the next row of the source. */
  let before = 0;
  return {
    width,
    height,
    layout: source.layout,
    async next() {
      while (before < top + height) {
        const rows = await source.next();
        if (!rows) return null;
        const first = Math.max(0, top - before);
        const end = Math.min(rows.length / rowBytes, top + height - before);
        before += rows.length / rowBytes;
        if (before >= top + height) finished?.();
        if (first < end)
          return packed(rows.subarray(first * rowBytes, end * rowBytes), rowBytes, crop, channels);
      }
      return null;
    },
  };
}

/** Moves the crop's columns to the front, row by row. */
function packed(rows: Uint8Array, rowBytes: number, { left, width }: Rect, channels: number): Uint8Array {
  const wanted = width * channels;
  if (wanted === rowBytes) return rows;
  let to = 0;
  for (let from = left * channels; from < rows.length; from += rowBytes, to += wanted) {
    rows.copyWithin(to, from, from + wanted);
  }
  return rows.subarray(0, to);
}
