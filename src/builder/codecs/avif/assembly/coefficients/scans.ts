/**
 * The order of coefficients in each size of transform, and the part of their contexts that depends on their place
 * alone.
 */
import { strideOf } from "../transform/transform";
import { DIAGONAL, ENTRY_BYTES, LEVEL_STRIDE } from "./orders";
import { straightCounts, straightScan } from "./straight-scans";

/** Log2 of the sides of a block that coefficients are coded of, at most. */
export const MOST_CODED: i32 = 5;

/** Returns the bits by which steps are shifted down, by log2 of the sides of a block. */
@inline
export function shiftOfSteps(wide: i32, high: i32): i32 {
  return i32(wide + high > 8) + i32(wide + high > 10);
}

/** Squares of 4 to 32, and the tall one and the wide one of 4 x 8 to 16 x 32, then of 4 x 16 and 8 x 32. */
const scans = memory.data((16 + 64 + 256 + 1024 + 2 * (32 + 128 + 512) + 2 * (64 + 256)) * 8);
const FIRST_OF_2: i32 = 1360;
const FIRST_OF_4: i32 = 2704;

/** Places of the blocks of all sizes, and where those of a size begin (u16), by log2 of its sides minus 2. */
export const PLACES: i32 = 3456;
const firstPlaces = memory.data(16 * 2);
/** Per place, the count of coefficients up to it in the order of the scan (u16). The first coefficient has 0. */
const counts = memory.data(PLACES * 2, 16);

/** Returns where a size begins in tables of all places. */
@inline
export function firstPlace(wide: i32, high: i32): usize {
  return load<u16>(firstPlaces + ((<usize>(((wide - 2) << 2) + high - 2)) << 1));
}

@inline
export function countsOf(wide: i32, high: i32, order: i32): usize {
  if (order != DIAGONAL) return straightCounts(wide, high, order);
  return counts + (firstPlace(wide, high) << 1);
}

/** Returns the scan of a size, by log2 of its sides. */
export function scanOf(wide: i32, high: i32, order: i32): usize {
  if (order != DIAGONAL) return straightScan(wide, high, order);
  let entry = ((1 << (2 * wide)) - 16) / 3;
  if (wide != high) {
    const smaller = min(wide, high);
    const first =
      abs(wide - high) == 1
        ? FIRST_OF_2 + (smaller == 2 ? 0 : smaller == 3 ? 64 : 320)
        : FIRST_OF_4 + (smaller == 2 ? 0 : 128);
    entry = first + (wide > high ? 1 << (wide + high) : 0);
  }
  return scans + <usize>entry * ENTRY_BYTES;
}

/** Returns the offset of a base symbol's context (Coeff_Base_Ctx_Offset). */
function baseOffset(x: i32, y: i32, wide: i32, high: i32): i32 {
  const sum = x + y;
  if (sum == 0) return 0;
  if (wide < high && y < 2) return 11;
  if (wide > high && x < 2) return 16;
  if (wide == high && sum == 1) return 1;
  return sum < 4 ? 6 : 21;
}

function buildScan(wide: i32, high: i32): void {
  const columns = 1 << wide;
  const rows = 1 << high;
  let at = scanOf(wide, high, DIAGONAL);
  let count = 0;
  for (let sum = 0; sum < columns + rows - 1; sum++) {
    const isDown = wide == high ? (sum & 1) == 1 : wide < high;
    for (let i = 0; i <= sum; i++) {
      const y = isDown ? i : sum - i;
      const x = sum - y;
      if (x >= columns || y >= rows) continue;
      const place = y * strideOf(wide) + x;
      store<u16>(countsOf(wide, high, DIAGONAL) + ((<usize>place) << 1), count == 0 ? 0 : count + 1);
      count++;
      store<u16>(at, place);
      store<u16>(at, y * LEVEL_STRIDE + x, 2);
      store<u16>(at, baseOffset(x, y, wide, high), 4);
      store<u16>(at, sum == 0 ? 0 : x < 2 && y < 2 ? 7 : 14, 6);
      at += ENTRY_BYTES;
    }
  }
}

export function prepareScans(): void {
  let place = 0;
  for (let wide = 2; wide <= 5; wide++) {
    for (let high = max(2, wide - 2); high <= min(5, wide + 2); high++) {
      store<u16>(firstPlaces + ((<usize>(((wide - 2) << 2) + high - 2)) << 1), place);
      place += strideOf(wide) << high;
      buildScan(wide, high);
    }
  }
}
