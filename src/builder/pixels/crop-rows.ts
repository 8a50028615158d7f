/** The rows of a part of a picture, from a decoder that gives all of them. */
import { CHANNELS_OF } from "../../image/memory/rows.ts";
import type { Rect } from "../../image/model/size.ts";
import type { RowSource } from "./row-source.ts";

/**
 * The part `crop` of `source`. Rows above it are passed over, and those below it never asked for. The views that the
 * source hands out are packed in place.
 * @param finished called once no more rows are wanted
 */
export function cropRows(source: RowSource, crop: Rect, finished?: () => void): RowSource {
  const channels = CHANNELS_OF[source.layout];
  const rowBytes = source.width * channels;
  const { width, height, top } = crop;
  /** Of the source: rows before what it hands out next. */
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
