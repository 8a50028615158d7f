/**
 * A window of up to 64 x 64 samples with margins, from which CDEF and loop restoration read while they write their
 * results over the picture. Windows follow each other from left to right.
 */
import { allocate } from "../../../../../pixels/assembly/shared/arena";

/** Samples beside the window, of which filters use three, and vector loads more. */
const SIDE = 8;
/** Rows above and below. */
const MARGIN = 3;
export const WINDOW_SIZE = 64;
/** Bytes from row to row. */
export const WINDOW_STRIDE: usize = (SIDE + WINDOW_SIZE + SIDE) * 2;

export const WINDOW_BYTES: u64 = WINDOW_STRIDE * (MARGIN + WINDOW_SIZE + MARGIN) + 64;

/** The mark of samples that are outside the picture: the least i16 and greater than every u16 sample. */
export const OUTSIDE: i16 = -32768;

/** The address of the window's first sample. */
export let windowAt: usize = 0;

/** Allocates the window. @returns false when the memory is at its end */
export function layOutWindow(): boolean {
  const start = allocate(WINDOW_BYTES);
  windowAt = start + MARGIN * WINDOW_STRIDE + SIDE * 2;
  return start != 0;
}

/** Moves the last four columns to the left margin, in rows from `first` to before `end`. `width` is the window's. */
export function keepColumns(width: i32, first: i32, end: i32): void {
  let at = windowAt + first * WINDOW_STRIDE;
  for (let row = first; row < end; row++, at += WINDOW_STRIDE) {
    store<u64>(at - 8, load<u64>(at + (width << 1) - 8));
  }
}

/** Fills a row of the window with one value. */
export function fillRow(row: i32, value: i16): void {
  const values = i16x8.splat(value);
  const at = windowAt + row * WINDOW_STRIDE - SIDE * 2;
  for (let i: usize = 0; i < WINDOW_STRIDE; i += 16) v128.store(at + i, values);
}

/**
 * Copies a row of samples into the window.
 * @param isKept whether the left margin is filled already (`keepColumns`)
 * @param isFirst whether the window begins at the left edge of the picture; `isLast` likewise at its right
 * @param isMarked whether samples past an edge are OUTSIDE; if not, they repeat the last sample
 */
export function copyRow(
  row: i32,
  from: usize,
  width: i32,
  isKept: boolean,
  isFirst: boolean,
  isLast: boolean,
  isMarked: boolean,
): void {
  const at = windowAt + row * WINDOW_STRIDE;
  const bytes = width << 1;
  for (let i = 0; i < bytes + 16; i += 16) v128.store(at + i, v128.load(from + i));
  if (isFirst) v128.store(at - 16, i16x8.splat(isMarked ? OUTSIDE : load<i16>(from)));
  else if (!isKept) v128.store(at - 16, v128.load(from - 16));
  if (isLast) v128.store(at + bytes, i16x8.splat(isMarked ? OUTSIDE : load<i16>(from + bytes - 2)));
}
