/** The palettes of the blocks above and to the left, and the colours that a block may take from them. */
import { copyVectors } from "../block/copy";

/** Bytes of a record of 4 luma samples of an edge: 8 colours of luma, 8 of Cb. */
const RECORD_BYTES: usize = 16;
/** Records above and to the left of the blocks of a superblock. Palettes above it are out of reach. */
const aboveColours = memory.data(16 * 16, 16);
const leftColours = memory.data(16 * 16, 16);

/** The colours that neighbours have, in ascending order. */
export const cache = memory.data(16, 16);

@inline
function aboveAt(x: i32): usize {
  return aboveColours + <usize>((x & 63) >> 2) * RECORD_BYTES;
}

@inline
function leftAt(y: i32): usize {
  return leftColours + <usize>((y & 63) >> 2) * RECORD_BYTES;
}

/** Records the palettes of a block. @param colours 8 of luma, and 8 of Cb */
export function noteColours(x: i32, y: i32, width: i32, height: i32, colours: usize): void {
  const record = v128.load(colours);
  for (let i = 0; i < width; i += 4) v128.store(aboveAt(x + i), record);
  for (let i = 0; i < height; i += 4) v128.store(leftAt(y + i), record);
}

/** Copies the records of a block to `to`, or back. */
export function saveColours(to: usize, x: i32, y: i32, width: i32, height: i32): void {
  const bytes = (<usize>width) << 2;
  copyVectors(to, aboveAt(x), bytes);
  copyVectors(to + bytes, leftAt(y), (<usize>height) << 2);
}

export function restoreColours(from: usize, x: i32, y: i32, width: i32, height: i32): void {
  const bytes = (<usize>width) << 2;
  copyVectors(aboveAt(x), from, bytes);
  copyVectors(leftAt(y), from + bytes, (<usize>height) << 2);
}

/**
 * Merges the palettes of both neighbours into `cache` (get_palette_cache, section 5.11.46).
 * @param aboveCount colours of the block above, and `leftCount` of that to the left
 * @returns how many colours there are
 */
export function mergeColours(plane: i32, x: i32, y: i32, aboveCount: i32, leftCount: i32): i32 {
  const skip = <usize>(plane > 0 ? 8 : 0);
  const above = aboveAt(x) + skip;
  const left = leftAt(y) + skip;
  if ((y & 63) == 0) aboveCount = 0;
  let count = 0;
  let last = -1;
  for (let a = 0, l = 0; a < aboveCount || l < leftCount;) {
    const fromAbove = a < aboveCount ? <i32>load<u8>(above + a) : 256;
    const fromLeft = l < leftCount ? <i32>load<u8>(left + l) : 256;
    const least = min(fromAbove, fromLeft);
    if (fromAbove == least) a++;
    else l++;
    if (least != last) store<u8>(cache + count++, least);
    last = least;
  }
  return count;
}
