/** Lays rows at a place on a larger, transparent canvas. */
import { CHANNELS_OF, rowsPerBatch, type RowLayout } from "../../image/memory/rows.ts";
import type { Rect, Size } from "../../image/geometry/size.ts";
import type { RowSource } from "./row-source.ts";

/** The layout with alpha of each layout that may be on a transparent canvas. */
const WITH_ALPHA: Partial<Record<RowLayout, RowLayout>> = { gray: "gray-alpha", rgb: "rgba" };

/**
 * Lays `rows` at `frame` on a transparent canvas, in a layout with alpha; returns them unchanged if they cover it.
 * Blending does not matter for a first frame.
 */
export function placeRows(rows: RowSource, frame: Rect, canvas: Size): RowSource {
  if (frame.width === canvas.width && frame.height === canvas.height) return rows;
  const layout = WITH_ALPHA[rows.layout] ?? rows.layout;
  const [channels, given] = [CHANNELS_OF[layout], CHANNELS_OF[rows.layout]];
  const [rowBytes, frameRowBytes] = [canvas.width * channels, frame.width * given];
  const batch = new Uint8Array(rowsPerBatch(rowBytes, canvas.height) * rowBytes);
  let strip = new Uint8Array();
  let y = 0;
  const put = (row: Uint8Array, to: number): void => {
    if (given === channels) {
      batch.set(row, to);
      return;
    }
    for (let from = 0; from < row.length; from += given, to += channels) {
      for (let i = 0; i < given; i++) batch[to + i] = row[from + i] as number;
      batch[to + given] = 255;
    }
  };
  return {
    ...canvas,
    layout,
    async next() {
      const count = Math.min(batch.length / rowBytes, canvas.height - y);
      if (count === 0) return null;
      batch.fill(0);
      for (let row = 0; row < count; row++, y++) {
        if (y < frame.top || y >= frame.top + frame.height) continue;
        if (strip.length === 0) strip = (await rows.next()) as Uint8Array<ArrayBuffer>;
        put(strip.subarray(0, frameRowBytes), row * rowBytes + frame.left * channels);
        strip = strip.subarray(frameRowBytes);
      }
      return batch.subarray(0, count * rowBytes);
    },
  };
}
