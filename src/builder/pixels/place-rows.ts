/** Lays rows at a place on a larger canvas. The canvas is made in batches of rows, and is never held whole. */
import { CHANNELS_OF, paddedLayout, rowsPerBatch } from "../../image/memory/rows.ts";
import { type Colour, samplesOfColour } from "../../image/model/colour.ts";
import type { Rect, Size } from "../../image/geometry/size.ts";
import { RowShortageError } from "../scheduling/row-errors.ts";
import type { RowSource } from "./row-source.ts";

/** Red, green and blue. */
const COLOURS = 3;
/** The source of alpha of rows that have none. */
const OPAQUE = -1;

const hasAlpha = (channels: number): boolean => channels % 2 === 0;

/** Returns the sample of a given pixel that becomes sample `c` of the laid one: all colours of a gray pixel are one. */
function sourceOf(c: number, given: number, channels: number): number {
  if (hasAlpha(channels) && c === channels - 1) return hasAlpha(given) ? given - 1 : OPAQUE;
  return given < COLOURS ? 0 : c;
}

/**
 * Lays `rows` at `frame` on a canvas, which is transparent if it has no colour; returns them unchanged if they cover it.
 * Blending does not matter for a first frame.
 */
export function placeRows(
  rows: RowSource,
  frame: Rect,
  canvas: Size,
  colour: Colour | null = null,
): RowSource {
  if (frame.width === canvas.width && frame.height === canvas.height) return rows;
  const layout = paddedLayout(rows.layout, colour);
  const [channels, given] = [CHANNELS_OF[layout], CHANNELS_OF[rows.layout]];
  const [rowBytes, frameRowBytes] = [canvas.width * channels, frame.width * given];
  const batch = new Uint8Array(rowsPerBatch(rowBytes, canvas.height) * rowBytes);
  const empty = emptyPixel(channels, colour);
  const sources = Array.from(empty, (_, c) => sourceOf(c, given, channels));
  let strip = new Uint8Array();
  let y = 0;
  const put = (row: Uint8Array, to: number): void => {
    if (given === channels) {
      batch.set(row, to);
      return;
    }
    for (let from = 0; from < row.length; from += given, to += channels) {
      for (let c = 0; c < channels; c++) {
        const source = sources[c] as number;
        batch[to + c] = source === OPAQUE ? 255 : (row[from + source] as number);
      }
    }
  };
  return {
    ...canvas,
    layout,
    async next() {
      const count = Math.min(batch.length / rowBytes, canvas.height - y);
      if (count === 0) return null;
      fill(batch, empty);
      for (let row = 0; row < count; row++, y++) {
        if (y < frame.top || y >= frame.top + frame.height) continue;
        if (strip.length === 0) strip = await taken(rows);
        put(strip.subarray(0, frameRowBytes), row * rowBytes + frame.left * channels);
        strip = strip.subarray(frameRowBytes);
      }
      return batch.subarray(0, count * rowBytes);
    },
  };
}

async function taken(rows: RowSource): Promise<Uint8Array<ArrayBuffer>> {
  const next = await rows.next();
  if (!next) throw new RowShortageError("The picture to be laid on a canvas ended before its last row");
  return next as Uint8Array<ArrayBuffer>;
}

/** Returns the samples of a pixel without picture. */
function emptyPixel(channels: number, colour: Colour | null): Uint8Array {
  const pixel = new Uint8Array(channels);
  if (colour === null) return pixel;
  const samples = samplesOfColour(colour);
  return pixel.map((_, c) => (hasAlpha(channels) && c === channels - 1 ? 255 : (samples[c] as number)));
}

/** Repeats the pixel, whose length divides that of the batch. */
function fill(batch: Uint8Array, pixel: Uint8Array): void {
  if (pixel.every((sample) => sample === pixel[0])) {
    batch.fill(pixel[0] as number);
    return;
  }
  batch.set(pixel);
  for (let filled = pixel.length; filled < batch.length; filled *= 2)
    batch.copyWithin(filled, 0, Math.min(filled, batch.length - filled));
}
