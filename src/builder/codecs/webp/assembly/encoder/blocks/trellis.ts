/**
 * Quantisation by rate and distortion ("trellis quantisation"). Each coefficient may become the nearest level or the
 * one below it. The cost of a level depends on the level before it. Of all paths through the block, the cheapest is
 * taken.
 *
 * Distortion is the sum of squared differences of coefficients, weighted by frequency. The price of a bit is
 * `lambda`.
 */
import { COSTS_ROW_BYTES, endCosts, levelCosts, MOST_COUNTED } from "../coding/level-cost";
import { INVERSES, INVERSE_BITS, MOST_LEVEL } from "./quantise";
import { rowOf } from "../coding/tokens";

/** The index in rows of each level of a block (RFC 6386, 13). */
const ZIGZAG = memory.data<u8>([0, 1, 4, 8, 5, 2, 3, 6, 9, 12, 13, 10, 7, 11, 14, 15]);
/** Magnitudes of coefficients and of their nearest levels, in the order of levels. */
const sizes = memory.data(32);
const nearest = memory.data(32);
/**
 * The best path to each class (0, 1 or more) at each position: the level in the lower half, the class before it
 * above.
 */
const ways = memory.data(16 * 12);
/** A cost above that of any path. */
const NEVER: f32 = 1e30;

/** The number of levels of the last quantised block, up to the last one that is not 0. */
export let levelsEnd: i32 = 0;

@inline
function nearestOf(size: v128, inverses: v128): v128 {
  const half = i32x4.splat(1 << (INVERSE_BITS - 1));
  const low = i32x4.shr_u(i32x4.add(i32x4.extmul_low_i16x8_u(size, inverses), half), INVERSE_BITS);
  const high = i32x4.shr_u(i32x4.add(i32x4.extmul_high_i16x8_u(size, inverses), half), INVERSE_BITS);
  return i16x8.min_s(i16x8.narrow_i32x4_s(low, high), i16x8.splat(MOST_LEVEL));
}

@inline
function weighted(low: v128, weights: usize): v128 {
  const a = f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(low));
  const b = f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(low));
  return f32x4.add(
    f32x4.mul(f32x4.mul(a, a), v128.load(weights)),
    f32x4.mul(f32x4.mul(b, b), v128.load(weights, 16)),
  );
}

/** Fills `sizes` and `nearest`. @returns which nearest levels are not 0: bit k is set for the k-th */
@inline
function prepare(coefficients: usize, quantiser: usize, first: i32): i32 {
  let low = i16x8.abs(v128.load(coefficients));
  const high = i16x8.abs(v128.load(coefficients, 16));
  if (first) low = i16x8.replace_lane(low, 0, 0);
  const a = nearestOf(low, v128.load(quantiser + INVERSES));
  const b = nearestOf(high, v128.load(quantiser + INVERSES, 16));
  v128.store(sizes, v128.shuffle<i16>(low, high, 0, 1, 4, 8, 5, 2, 3, 6));
  v128.store(sizes, v128.shuffle<i16>(low, high, 9, 12, 13, 10, 7, 11, 14, 15), 16);
  const c = v128.shuffle<i16>(a, b, 0, 1, 4, 8, 5, 2, 3, 6);
  const d = v128.shuffle<i16>(a, b, 9, 12, 13, 10, 7, 11, 14, 15);
  v128.store(nearest, c);
  v128.store(nearest, d, 16);
  return i8x16.bitmask(i8x16.ne(i8x16.narrow_i16x8_s(c, d), i8x16.splat(0)));
}

@inline
function cost(table: usize, index: usize): f32 {
  return <f32>load<u16>(table + (index << 1));
}

/**
 * Quantises a block of 16 coefficients in rows.
 * @param weights weights of squared differences, in the order of levels (f32)
 * @param first 1 where the DC is coded elsewhere, else 0
 * @param context how many of the blocks above and to the left have levels
 * @param levels 16 levels in zigzag order (13)
 * @param decoded the dequantised coefficients, in rows
 * @returns distortion and bits as one number (the score)
 */
export function quantiseBlock(
  coefficients: usize,
  quantiser: usize,
  weights: usize,
  lambda: f32,
  kind: i32,
  first: i32,
  context: i32,
  levels: usize,
  decoded: usize,
): f32 {
  const mask = prepare(coefficients, quantiser, first);
  const sums = f32x4.add(weighted(v128.load(sizes), weights), weighted(v128.load(sizes, 16), weights + 32));
  const whole =
    f32x4.extract_lane(sums, 0) +
    f32x4.extract_lane(sums, 1) +
    f32x4.extract_lane(sums, 2) +
    f32x4.extract_lane(sums, 3);
  v128.store(levels, i16x8.splat(0));
  v128.store(levels, i16x8.splat(0), 16);
  v128.store(decoded, i16x8.splat(0));
  v128.store(decoded, i16x8.splat(0), 16);
  levelsEnd = 0;
  let row = rowOf(kind, first);
  let least = lambda * cost(endCosts, 2 * <usize>(row + context) + 1);
  if (mask == 0) return whole + least;

  const last = 31 - <i32>clz(mask);
  let lastWay = -1;
  let lastClass = 0;
  // The cheapest paths to a 0, a 1 and more at the position before.
  let to0 = NEVER;
  let to1 = NEVER;
  let to2 = NEVER;
  if (context == 0) to0 = lambda * cost(endCosts, 2 * <usize>row);
  else if (context == 1) to1 = 0;
  else to2 = 0;
  for (let n = first; n <= last; n++) {
    const costs0 = levelCosts + <usize>row * COSTS_ROW_BYTES;
    const costs1 = costs0 + COSTS_ROW_BYTES;
    const costs2 = costs1 + COSTS_ROW_BYTES;
    const way = ways + <usize>n * 12;
    const level = <i32>load<u16>(nearest + ((<usize>n) << 1));
    row = rowOf(kind, n + 1);
    let zero = to0 + lambda * cost(costs0, 0);
    let before: u32 = 0;
    const zero1 = to1 + lambda * cost(costs1, 0);
    const zero2 = to2 + lambda * cost(costs2, 0);
    if (zero1 < zero) {
      zero = zero1;
      before = 1;
    }
    if (zero2 < zero) {
      zero = zero2;
      before = 2;
    }
    store<u32>(way, before << 16);
    if (level == 0) {
      to0 = zero;
      to1 = NEVER;
      to2 = NEVER;
      continue;
    }
    const size = <i32>load<u16>(sizes + ((<usize>n) << 1));
    const weight = load<f32>(weights + ((<usize>n) << 2));
    const step = <i32>load<u16>(quantiser + ((<usize>load<u8>(ZIGZAG + n)) << 1));
    let next1 = NEVER;
    let next2 = NEVER;
    for (let l = level; l > 0 && l >= level - 1; l--) {
      const rest = size - l * step;
      const k = <usize>min(l, MOST_COUNTED);
      let best = to0 + lambda * cost(costs0, k);
      before = 0;
      const best1 = to1 + lambda * cost(costs1, k);
      const best2 = to2 + lambda * cost(costs2, k);
      if (best1 < best) {
        best = best1;
        before = 1;
      }
      if (best2 < best) {
        best = best2;
        before = 2;
      }
      best += weight * <f32>(rest * rest - size * size);
      const reached = l == 1 ? 1 : 2;
      if (l == 1) {
        next1 = best;
        store<u32>(way, (<u32>l) | (before << 16), 4);
      } else if (best < next2) {
        next2 = best;
        store<u32>(way, (<u32>l) | (before << 16), 8);
      } else {
        continue;
      }
      const ended = n < 15 ? best + lambda * cost(endCosts, 2 * <usize>(row + reached) + 1) : best;
      if (ended < least) {
        least = ended;
        lastWay = n;
        lastClass = reached;
      }
    }
    to0 = zero;
    to1 = next1;
    to2 = next2;
  }
  levelsEnd = lastWay + 1;
  takeWay(lastWay, lastClass, first, coefficients, quantiser, levels, decoded);
  return whole + least;
}

/** Writes the levels of the path that ends at `last`. */
@inline
function takeWay(
  last: i32,
  lastClass: i32,
  first: i32,
  coefficients: usize,
  quantiser: usize,
  levels: usize,
  decoded: usize,
): void {
  for (let n = last; n >= first; n--) {
    const way = load<u32>(ways + <usize>n * 12 + ((<usize>lastClass) << 2));
    const level = <i32>(way & 0xffff);
    lastClass = <i32>(way >> 16);
    if (level == 0) continue;
    const place = (<usize>load<u8>(ZIGZAG + n)) << 1;
    const signed = load<i16>(coefficients + place) < 0 ? -level : level;
    store<i16>(levels + ((<usize>n) << 1), <i16>signed);
    store<i16>(decoded + place, <i16>(signed * <i32>load<u16>(quantiser + place)));
  }
}
