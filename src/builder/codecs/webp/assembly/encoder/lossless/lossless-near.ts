/**
 * Rounds the samples of pixels that differ much from a neighbour, so that a drawing has fewer colours: an edge hides it.
 * Smooth parts and flat ones stay as they are.
 */
import { allocate } from "../../../../../pixels/assembly/shared/arena";
import { holdRow } from "./lossless-pixels";

/** The lowest bits of a sample that are rounded away; 0 for a picture that is held as it is. */
let mostBits = 0;
/** A smaller difference from each neighbour hides nothing. */
const HIDING_DIFFERENCE: i32 = 8;
/** A pixel that more of its four neighbours equal is part of something flat. */
const MOST_EQUAL: i32 = 1;
let width = 0;
/** Rows of pixels (u32): the one above, the one that is rounded next, and the one below. Then the rounded one. */
let above: usize = 0;
let row: usize = 0;
let below: usize = 0;
let rounded: usize = 0;
let rowsTaken = 0;

/** @returns false when the memory is at its end */
export function layOutNear(pictureWidth: i32, bits: i32): boolean {
  width = pictureWidth;
  mostBits = bits;
  const bytes = 4 * <u64>width;
  above = allocate(bytes);
  row = allocate(bytes);
  below = allocate(bytes);
  rounded = allocate(bytes);
  return above && row && below && rounded ? true : false;
}

/** Returns the address at which the next row of pixels is written (u32), before it is taken. */
export function nextRowOfPixels(): usize {
  return below;
}

/** Takes the row that was written, and holds the one before it. */
export function takePixels(): void {
  if (mostBits == 0) return holdRow(below);
  if (rowsTaken > 0) holdRounded(rowsTaken > 1 ? above : row, below);
  rowsTaken++;
  const free = above;
  above = row;
  row = below;
  below = free;
}

/** Holds the last row. */
export function takeLastPixels(): void {
  if (mostBits > 0 && rowsTaken > 0) holdRounded(rowsTaken > 1 ? above : row, row);
}

function holdRounded(up: usize, down: usize): void {
  for (let x = 0; x < width; x++) {
    const at = (<usize>x) << 2;
    const pixel = load<u32>(row + at);
    const over = load<u32>(up + at);
    const under = load<u32>(down + at);
    const before = x > 0 ? load<u32>(row + at - 4) : over;
    const after = x < width - 1 ? load<u32>(row + at + 4) : under;
    const equal = i32(over == pixel) + i32(under == pixel) + i32(before == pixel) + i32(after == pixel);
    let result = pixel;
    if (equal <= MOST_EQUAL) {
      const most = max(
        max(contrast(pixel, over), contrast(pixel, under)),
        max(contrast(pixel, before), contrast(pixel, after)),
      );
      if (most >= HIDING_DIFFERENCE) result = roundedBy(pixel, most);
    }
    store<u32>(rounded + at, result);
  }
  holdRow(rounded);
}

/** Returns the largest difference of a channel. */
@inline
function contrast(a: u32, b: u32): i32 {
  if (a == b) return 0;
  let most = 0;
  for (let shift: u32 = 0; shift < 32; shift += 8) {
    most = max(most, abs<i32>(<i32>((a >> shift) & 255) - <i32>((b >> shift) & 255)));
  }
  return most;
}

/** Rounds a pixel: a difference of `1 << bits` hides that many bits. */
function roundedBy(pixel: u32, difference: i32): u32 {
  const bits = min(mostBits, 31 - <i32>clz(difference));
  if (pixel == 0) return pixel;
  let result: u32 = 0;
  for (let shift: u32 = 0; shift < 32; shift += 8) {
    const sample = <i32>((pixel >> shift) & 255);
    const half = (1 << (bits - 1)) - 1 + ((sample >> bits) & 1);
    result |= (<u32>min(255, ((sample + half) >> bits) << bits)) << shift;
  }
  return result;
}
