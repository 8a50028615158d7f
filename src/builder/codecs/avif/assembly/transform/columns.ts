/** Runs the one-dimensional transforms of networks.ts on eight columns at a time. */
import { ADST, listOf, OUT_PLACES, OUT_SIGNS, PLACES, SIGNS, STEP_BYTES, STEPS } from "./networks";

/** The values of eight columns, and those of the next eight. */
const OTHERS: usize = 64 * 16;
const values = memory.data(2 * 64 * 16, 16);

/** Returns Round2(a * p + b * q, 12) for pairs of factors (p, q). */
@inline
function turned(low: v128, high: v128, factors: v128): v128 {
  const half = i32x4.splat(2048);
  const x = i32x4.shr_s(i32x4.add(i32x4.dot_i16x8_s(low, factors), half), 12);
  const y = i32x4.shr_s(i32x4.add(i32x4.dot_i16x8_s(high, factors), half), 12);
  return i16x8.narrow_i32x4_s(x, y);
}

/**
 * Transforms eight columns of 1 << log2 values (i16), `stride` bytes apart, to others or in place.
 * @param forward 1 for the encoder's direction, which has the same scale
 */
export function transformColumns(
  at: usize,
  to: usize,
  stride: usize,
  kind: i32,
  log2: i32,
  forward: i32,
): void {
  if (kind == ADST && log2 == 2) return adst4(at, to, stride, forward);
  const list = listOf(kind, log2, forward);
  const size = (<usize>2) << log2;
  for (let i: usize = 0; i < size; i += 2) {
    const from = at + <usize>load<u16>(list + i, PLACES) * stride;
    v128.store(values + (i << 3), i16x8.mul(v128.load(from), i16x8.splat(load<i16>(list + i, SIGNS))));
  }
  const end = list + STEPS + <usize>load<u32>(list) * STEP_BYTES;
  for (let step = list + STEPS; step < end; step += STEP_BYTES) {
    const first = values + <usize>load<u16>(step);
    const second = values + <usize>load<u16>(step, 2);
    const a = v128.load(first);
    const b = v128.load(second);
    if (load<u32>(step, 4)) {
      const low = v128.shuffle<i16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
      const high = v128.shuffle<i16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
      v128.store(first, turned(low, high, v128.load32_splat(step, 8)));
      v128.store(second, turned(low, high, v128.load32_splat(step, 12)));
    } else {
      v128.store(first, i16x8.add_sat_s(a, b));
      v128.store(second, i16x8.sub_sat_s(a, b));
    }
  }
  for (let i: usize = 0; i < size; i += 2, to += stride) {
    const value = v128.load(values + ((<usize>load<u16>(list + i, OUT_PLACES)) << 4));
    v128.store(to, i16x8.mul(value, i16x8.splat(load<i16>(list + i, OUT_SIGNS))));
  }
}

/**
 * Transforms sixteen columns in the same way: a step is read once for two groups of eight. There is no ADST of four
 * values here.
 */
export function transformColumnPairs(
  at: usize,
  to: usize,
  stride: usize,
  kind: i32,
  log2: i32,
  forward: i32,
): void {
  const list = listOf(kind, log2, forward);
  const size = (<usize>2) << log2;
  for (let i: usize = 0; i < size; i += 2) {
    const from = at + <usize>load<u16>(list + i, PLACES) * stride;
    const sign = i16x8.splat(load<i16>(list + i, SIGNS));
    v128.store(values + (i << 3), i16x8.mul(v128.load(from), sign));
    v128.store(values + (i << 3), i16x8.mul(v128.load(from, 16), sign), OTHERS);
  }
  const end = list + STEPS + <usize>load<u32>(list) * STEP_BYTES;
  for (let step = list + STEPS; step < end; step += STEP_BYTES) {
    const first = values + <usize>load<u16>(step);
    const second = values + <usize>load<u16>(step, 2);
    const a = v128.load(first);
    const b = v128.load(second);
    const c = v128.load(first, OTHERS);
    const d = v128.load(second, OTHERS);
    if (load<u32>(step, 4)) {
      const abLow = v128.shuffle<i16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
      const abHigh = v128.shuffle<i16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
      const cdLow = v128.shuffle<i16>(c, d, 0, 8, 1, 9, 2, 10, 3, 11);
      const cdHigh = v128.shuffle<i16>(c, d, 4, 12, 5, 13, 6, 14, 7, 15);
      const p = v128.load32_splat(step, 8);
      const q = v128.load32_splat(step, 12);
      v128.store(first, turned(abLow, abHigh, p));
      v128.store(second, turned(abLow, abHigh, q));
      v128.store(first, turned(cdLow, cdHigh, p), OTHERS);
      v128.store(second, turned(cdLow, cdHigh, q), OTHERS);
    } else {
      v128.store(first, i16x8.add_sat_s(a, b));
      v128.store(second, i16x8.sub_sat_s(a, b));
      v128.store(first, i16x8.add_sat_s(c, d), OTHERS);
      v128.store(second, i16x8.sub_sat_s(c, d), OTHERS);
    }
  }
  for (let i: usize = 0; i < size; i += 2, to += stride) {
    const value = values + ((<usize>load<u16>(list + i, OUT_PLACES)) << 4);
    const sign = i16x8.splat(load<i16>(list + i, OUT_SIGNS));
    v128.store(to, i16x8.mul(v128.load(value), sign));
    v128.store(to, i16x8.mul(v128.load(value, OTHERS), sign), 16);
  }
}

/** The inverse ADST of four values (section 7.13.2.6), as the factors of each output; the forward one is below it. */
const ADST4 = memory.data<i16>([
  1321, 3344, 3803, 2482, 2482, 3344, -1321, -3803, 3344, 0, -3344, 3344, 3803, -3344, 2482, -1321, 1321,
  2482, 3344, 3803, 3344, 3344, 0, -3344, 3803, -1321, -3344, 2482, 2482, -3803, 3344, -1321,
]);

function adst4(at: usize, to: usize, stride: usize, forward: i32): void {
  const a = v128.load(at);
  const b = v128.load(at + stride);
  const c = v128.load(at + 2 * stride);
  const d = v128.load(at + 3 * stride);
  const abLow = v128.shuffle<i16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
  const abHigh = v128.shuffle<i16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
  const cdLow = v128.shuffle<i16>(c, d, 0, 8, 1, 9, 2, 10, 3, 11);
  const cdHigh = v128.shuffle<i16>(c, d, 4, 12, 5, 13, 6, 14, 7, 15);
  const half = i32x4.splat(2048);
  let factors = ADST4 + ((<usize>forward) << 5);
  for (let i = 0; i < 4; i++, factors += 8, to += stride) {
    const p = v128.load32_splat(factors);
    const q = v128.load32_splat(factors, 4);
    const low = i32x4.add(i32x4.dot_i16x8_s(abLow, p), i32x4.dot_i16x8_s(cdLow, q));
    const high = i32x4.add(i32x4.dot_i16x8_s(abHigh, p), i32x4.dot_i16x8_s(cdHigh, q));
    const x = i32x4.shr_s(i32x4.add(low, half), 12);
    v128.store(to, i16x8.narrow_i32x4_s(x, i32x4.shr_s(i32x4.add(high, half), 12)));
  }
}
