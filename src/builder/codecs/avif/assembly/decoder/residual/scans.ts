/**
 * The order of coefficients by size and type of transform, and the part of their contexts that depends on their place
 * alone.
 */
import { highOf, TX_64X64, wideOf } from "../tables/transform-sizes";

/** Orders: along diagonals; by columns, for transforms of rows alone; by rows, for those of columns alone. */
export const DIAGONAL: i32 = 0;
export const HORIZONTAL: i32 = 1;
export const VERTICAL: i32 = 2;

/** Bytes from one row of `levels` to the next: 32 values, and those beyond, which are 0. */
export const LEVEL_STRIDE: usize = 40;

/**
 * An entry has four words (u16): place in `levels`, place among coefficients, and the first contexts of base symbols
 * and range symbols, in bytes of their distributions.
 */
export const ENTRY_BYTES: usize = 8;
const SIZES: i32 = 19;
/** Most coded coefficients on a side of a transform, as log2. */
const MOST_LOG2: i32 = 5;
const WORDS_BYTES: i32 = 8;

const ENTRIES: usize = 16 + 64 + 256 + 3 * 1024 + 2 * (32 + 128 + 512) + 2 * (64 + 256) + 2 * 784;
const entries = memory.data(6960 * 8, 16);
/** First entries (u32) by size and order. */
const firsts = memory.data(19 * 3 * 4, 16);

/** Returns the rows that a column of coefficients has in memory. */
@inline
export function rowsOf(size: i32): i32 {
  return max(8, 1 << min(highOf(size), MOST_LOG2));
}

/** Returns the scan of a size in an order. */
@inline
export function scanOf(size: i32, order: i32): usize {
  return load<u32>(firsts + ((<usize>(order * SIZES + size)) << 2));
}

/** Returns Coeff_Base_Ctx_Offset. */
function diagonalContext(x: i32, y: i32, wide: i32, high: i32): i32 {
  const sum = x + y;
  if (sum == 0) return 0;
  if (wide < high && y < 2) return 11;
  if (wide > high && x < 2) return 16;
  if (wide == high && sum == 1) return 1;
  return sum < 4 ? 6 : 21;
}

function putEntry(at: usize, size: i32, x: i32, y: i32, base: i32, range: i32): usize {
  store<u16>(at, y * <i32>LEVEL_STRIDE + x);
  store<u16>(at, x * rowsOf(size) + y, 2);
  store<u16>(at, base * WORDS_BYTES, 4);
  store<u16>(at, range * WORDS_BYTES, 6);
  return at + ENTRY_BYTES;
}

function buildDiagonal(at: usize, size: i32): usize {
  const wide = wideOf(size);
  const high = highOf(size);
  const columns = 1 << min(wide, MOST_LOG2);
  const rows = 1 << min(high, MOST_LOG2);
  for (let sum = 0; sum < columns + rows - 1; sum++) {
    const isDown = columns == rows ? (sum & 1) == 1 : columns < rows;
    for (let i = 0; i <= sum; i++) {
      const y = isDown ? i : sum - i;
      const x = sum - y;
      if (x >= columns || y >= rows) continue;
      const range = sum == 0 ? 0 : x < 2 && y < 2 ? 7 : 14;
      at = putEntry(at, size, x, y, diagonalContext(x, y, wide, high), range);
    }
  }
  return at;
}

function buildStraight(at: usize, size: i32, order: i32): usize {
  const columns = 1 << wideOf(size);
  const rows = 1 << highOf(size);
  for (let i = 0; i < columns * rows; i++) {
    const x = order == VERTICAL ? i % columns : i / rows;
    const y = order == VERTICAL ? i / columns : i % rows;
    const line = order == VERTICAL ? y : x;
    at = putEntry(at, size, x, y, 26 + 5 * min(line, 2), i == 0 ? 0 : line == 0 ? 7 : 14);
  }
  return at;
}

/** Builds all scans. */
export function prepareScans(): void {
  let at: usize = entries;
  for (let size = 0; size < SIZES; size++) {
    for (let order = DIAGONAL; order <= VERTICAL; order++) {
      const first = firsts + ((<usize>(order * SIZES + size)) << 2);
      const isLarge = wideOf(size) > 4 || highOf(size) > 4;
      if (order != DIAGONAL && isLarge) continue;
      store<u32>(first, <u32>at);
      // Larger squares, and 16 by 64 and 64 by 16, have the coefficients of smaller transforms of their shape.
      if (size == TX_64X64) store<u32>(first, load<u32>(firsts + ((<usize>(order * SIZES + 3)) << 2)));
      else if (size == 17) store<u32>(first, load<u32>(firsts + ((<usize>(order * SIZES + 9)) << 2)));
      else if (size == 18) store<u32>(first, load<u32>(firsts + ((<usize>(order * SIZES + 10)) << 2)));
      else at = order == DIAGONAL ? buildDiagonal(at, size) : buildStraight(at, size, order);
    }
  }
  if (at > entries + ENTRIES * ENTRY_BYTES) unreachable();
}
