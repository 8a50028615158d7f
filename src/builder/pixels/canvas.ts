/** The whole picture, upright and at its output size, for encoders that do not take rows. */
import { CHANNELS_OF } from "../../image/memory/rows.ts";
import type { Orientation } from "../../image/model/facts.ts";
import type { Arena } from "../memory/arena.ts";
import { uprightPath } from "../../image/model/orientation.ts";
import type { RowSource } from "./row-source.ts";
import type { Size } from "../../image/geometry/size.ts";

const OPAQUE = 0xff00_0000;

/**
 * Writes all rows of `source` to a new canvas in the arena: upright, 4 bytes per pixel, red first.
 * @param floor the lowest address that the canvas may begin at
 */
export async function paintRgba(
  arena: Arena,
  size: Size,
  source: RowSource,
  orientation: Orientation,
  floor: number,
): Promise<void> {
  const { pointer } = arena.canvas(size.width * size.height * 4, floor);
  const { start, across, down } = uprightPath(source, orientation);
  const put = PUT[source.layout];
  const rowBytes = source.width * CHANNELS_OF[source.layout];
  let y = 0;
  for (let rows = await source.next(); rows; rows = await source.next()) {
    // The source may decode into this memory too. When it grows, older views become invalid.
    const pixels = new Uint32Array(arena.memory.buffer, pointer, size.width * size.height);
    for (let from = 0; from < rows.length; from += rowBytes, y++) {
      put(pixels, rows, from, source.width, start + y * down, across);
    }
  }
}

type Put = (
  pixels: Uint32Array,
  row: Uint8Array,
  from: number,
  width: number,
  to: number,
  across: number,
) => void;

const PUT: Record<RowSource["layout"], Put> = {
  gray(pixels, row, from, width, to, across) {
    for (let x = 0; x < width; x++, to += across) {
      const value = row[from + x] as number;
      pixels[to] = OPAQUE | (value << 16) | (value << 8) | value;
    }
  },
  "gray-alpha"(pixels, row, from, width, to, across) {
    for (let x = 0; x < width; x++, to += across, from += 2) {
      const value = row[from] as number;
      pixels[to] = ((row[from + 1] as number) << 24) | (value << 16) | (value << 8) | value;
    }
  },
  rgb(pixels, row, from, width, to, across) {
    for (let x = 0; x < width; x++, to += across, from += 3) {
      pixels[to] =
        OPAQUE | ((row[from + 2] as number) << 16) | ((row[from + 1] as number) << 8) | (row[from] as number);
    }
  },
  rgba(pixels, row, from, width, to, across) {
    for (let x = 0; x < width; x++, to += across, from += 4) {
      pixels[to] =
        ((row[from + 3] as number) << 24) |
        ((row[from + 2] as number) << 16) |
        ((row[from + 1] as number) << 8) |
        (row[from] as number);
    }
  },
  cmyk() {
    throw new Error("CMYK rows are converted before they are painted");
  },
};
