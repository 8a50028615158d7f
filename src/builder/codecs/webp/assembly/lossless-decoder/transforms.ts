/** The transforms of a picture (RFC 9649, 4): their data in the file, and their inverses, row by row. */
import { allocate } from "../../../../pixels/assembly/shared/arena";
import { sum } from "./arithmetic";
import { addCross, addGreen, FACTOR_BYTES, unpackIndices } from "./colours";
import { predictFirst, predictRow } from "./predict";
import { pixelAt, runFrom } from "./pixels";

export const PREDICTOR: i32 = 0;
export const CROSS: i32 = 1;
export const GREEN: i32 = 2;
export const PALETTE: i32 = 3;
const KINDS: i32 = 4;

/** Vectors may touch up to 16 bytes past the end of a row. */
const SLACK: u64 = 64;
const PALETTE_ENTRIES: u32 = 256;

/** By kind: the image that belongs to it, the bits of its tiles or of its packing, and the width of its rows (u32). */
const images = memory.data(4 * 4);
const tileBits = memory.data(4 * 4);
const widths = memory.data(4 * 4);
/** The kinds that the file has, in its order, which is that of an encoder. */
const order = memory.data(4);
let count = 0;
let seen: u32 = 0;

/** The colours of the palette (u32). Those that the file does not state are transparent. */
const palette = memory.data(4 * 256);

/** The row that the inverses change in place, and the predicted row above it, with room for one pixel more. */
let row: usize = 0;
let above: usize = 0;

/** Allocates the rows. @returns false when the memory is at its end */
export function layOutTransforms(width: u32): boolean {
  row = allocate(4 * <u64>width + SLACK);
  above = allocate(4 * <u64>width + SLACK);
  return row && above ? true : false;
}

@inline
function place(table: usize, kind: i32): usize {
  return table + ((<usize>kind) << 2);
}

/** Adds a transform to those before. @returns false when there is one of its kind already */
export function addTransform(kind: i32, bits: u32, width: u32): boolean {
  assert(kind < KINDS);
  if ((seen >> kind) & 1) return false;
  seen |= 1 << kind;
  store<u8>(order + count++, <u8>kind);
  store<u32>(place(tileBits, kind), bits);
  store<u32>(place(widths, kind), width);
  return true;
}

/** Returns the bytes that the image of a transform takes, of so many pixels. */
export function imageBytes(kind: i32, pixels: u32): u32 {
  return kind == CROSS ? pixels * <u32>FACTOR_BYTES : kind == PREDICTOR ? pixels : 0;
}

/** Says where the image of a transform is kept. */
export function placeImage(kind: i32, at: usize): void {
  store<u32>(place(images, kind), <u32>at);
}

/** Keeps what a pixel of the image of a transform says. */
export function keepPixel(kind: i32, index: u32, pixel: u32): void {
  if (kind == PALETTE) {
    assert(index < PALETTE_ENTRIES);
    keepColour(index, pixel);
    return;
  }
  const image = <usize>load<u32>(place(images, kind));
  if (kind == PREDICTOR) {
    store<u8>(image + index, <u8>((pixel >> 8) & 15));
    return;
  }
  const at = image + <usize>index * FACTOR_BYTES;
  store<u16>(at, <u16>pixel);
  store<u8>(at, <u8>(pixel >> 16), 2);
}

/** Keeps a colour of a palette, which states each as its difference to the one before (4.4). */
function keepColour(index: u32, pixel: u32): void {
  const at = palette + ((<usize>index) << 2);
  store<u32>(at, index ? sum(load<u32>(at - 4), pixel) : pixel);
}

/** Takes the decoded pixels of a row out of the ring, and undoes all transforms. @returns the address of the pixels */
export function finishRow(y: u32, codedWidth: u32): usize {
  const first = y * codedWidth;
  const run = runFrom(first, codedWidth);
  memory.copy(row, pixelAt(first), (<usize>run) << 2);
  if (run < codedWidth)
    memory.copy(row + ((<usize>run) << 2), pixelAt(first + run), (<usize>(codedWidth - run)) << 2);
  for (let i = count - 1; i >= 0; i--) undo(load<u8>(order + i), y);
  return row;
}

/** Returns the address of the part of an image that belongs to row `y`. */
@inline
function tilesOf(kind: i32, y: u32, width: u32, bits: u32, bytes: usize): usize {
  const across = (width + (1 << bits) - 1) >> bits;
  return <usize>load<u32>(place(images, kind)) + <usize>((y >> bits) * across) * bytes;
}

function undo(kind: i32, y: u32): void {
  const width = load<u32>(place(widths, kind));
  const bits = load<u32>(place(tileBits, kind));
  switch (kind) {
    case PREDICTOR:
      if (y == 0) predictFirst(row, width);
      else predictRow(row, width, above, tilesOf(PREDICTOR, y, width, bits, 1), bits);
      memory.copy(above, row, (<usize>width) << 2);
      return;
    case CROSS:
      return addCross(row, width, tilesOf(CROSS, y, width, bits, FACTOR_BYTES), bits);
    case GREEN:
      return addGreen(row, width);
    default:
      return unpackIndices(row, width, palette, bits);
  }
}
