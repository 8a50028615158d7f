/** The order of coefficients of transforms in one direction: by rows or by columns, the lowest frequency first. */
import { strideOf } from "../transform/transform";
import { ENTRY_BYTES, LEVEL_STRIDE, ROWS } from "./orders";

/** Entries, places and their counts (u16) as scans.ts has them, by log2 of the sides minus 2, up to 4, and order. */
const MOST: usize = 128;
const SIZES: usize = 9;
const scans = memory.data(2 * 9 * 128 * 8);
const counts = memory.data(2 * 9 * 128 * 2, 16);

@inline
function tableOf(wide: i32, high: i32, order: i32): usize {
  return <usize>(order - ROWS) * SIZES + <usize>((wide - 2) * 3 + high - 2);
}

@inline
export function straightScan(wide: i32, high: i32, order: i32): usize {
  return scans + tableOf(wide, high, order) * MOST * ENTRY_BYTES;
}

@inline
export function straightCounts(wide: i32, high: i32, order: i32): usize {
  return counts + tableOf(wide, high, order) * MOST * 2;
}

/** Returns the offset of a base symbol's context by its line (Coeff_Base_Pos_Ctx_Offset). */
@inline
function baseOffset(line: i32): i32 {
  return 26 + 5 * min(line, 2);
}

function build(wide: i32, high: i32, order: i32): void {
  const across = 1 << (order == ROWS ? wide : high);
  let at = straightScan(wide, high, order);
  for (let i = 0; i < 1 << (wide + high); i++, at += ENTRY_BYTES) {
    const line = i / across;
    const along = i % across;
    const place = order == ROWS ? line * strideOf(wide) + along : along * strideOf(wide) + line;
    store<u16>(straightCounts(wide, high, order) + ((<usize>place) << 1), i == 0 ? 0 : i + 1);
    store<u16>(at, place);
    store<u16>(at, line * LEVEL_STRIDE + along, 2);
    store<u16>(at, baseOffset(line), 4);
    store<u16>(at, i == 0 ? 0 : line == 0 ? 7 : 14, 6);
  }
}

/** Builds the scans of the sizes that may be transformed in one direction: up to 16 x 8. */
export function prepareStraightScans(): void {
  for (let order = ROWS; order < ROWS + 2; order++) {
    for (let wide = 2; wide <= 4; wide++) {
      for (let high = 2; high <= 4; high++) {
        if (wide + high < 8) build(wide, high, order);
      }
    }
  }
}
