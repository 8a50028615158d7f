/**
 * The search for the direction of a block of 8 x 8 (AV1 specification section 7.15.2). Lines of all eight directions are
 * summed in vectors: those of 3, 1 and 2 are those of 5, 7 and 6 in the transposed block, and those of 4 and 5 are those
 * of 0 and 7 with the rows in reverse, but for their order, on which the cost does not depend.
 */
import { WINDOW_STRIDE } from "../window";

/** Weights of lines by their number of samples: 840 over the number. Two lines of a pair have the same one. */
const ALL = 105;

/** How much better the block's best direction is than the one across it. */
export let variance = 0;

@inline
function sumOf(values: v128): i32 {
  const pairs = i32x4.add(values, v128.shuffle<i32>(values, values, 2, 3, 0, 1));
  return i32x4.extract_lane(pairs, 0) + i32x4.extract_lane(pairs, 1);
}

@inline
function squares(values: v128): v128 {
  return i32x4.dot_i16x8_s(values, values);
}

/** Returns the cost of eight whole lines. */
@inline
function straightCost(sums: v128): i32 {
  return sumOf(squares(sums)) * ALL;
}

/** Returns the cost of the 15 lines in which row `i` is moved by `i` samples. */
@inline
function diagonalCost(r0: v128, r1: v128, r2: v128, r3: v128, r4: v128, r5: v128, r6: v128, r7: v128): i32 {
  const zero = i16x8.splat(0);
  let low = i16x8.add(r0, v128.shuffle<i16>(zero, r1, 7, 8, 9, 10, 11, 12, 13, 14));
  low = i16x8.add(low, v128.shuffle<i16>(zero, r2, 6, 7, 8, 9, 10, 11, 12, 13));
  low = i16x8.add(low, v128.shuffle<i16>(zero, r3, 5, 6, 7, 8, 9, 10, 11, 12));
  low = i16x8.add(low, v128.shuffle<i16>(zero, r4, 4, 5, 6, 7, 8, 9, 10, 11));
  low = i16x8.add(low, v128.shuffle<i16>(zero, r5, 3, 4, 5, 6, 7, 8, 9, 10));
  low = i16x8.add(low, v128.shuffle<i16>(zero, r6, 2, 3, 4, 5, 6, 7, 8, 9));
  low = i16x8.add(low, v128.shuffle<i16>(zero, r7, 1, 2, 3, 4, 5, 6, 7, 8));
  // Line 14 - k stands in lane k, beside line k.
  let high = v128.shuffle<i16>(r7, zero, 7, 6, 5, 4, 3, 2, 1, 8);
  high = i16x8.add(high, v128.shuffle<i16>(r6, zero, 8, 7, 6, 5, 4, 3, 2, 8));
  high = i16x8.add(high, v128.shuffle<i16>(r5, zero, 8, 8, 7, 6, 5, 4, 3, 8));
  high = i16x8.add(high, v128.shuffle<i16>(r4, zero, 8, 8, 8, 7, 6, 5, 4, 8));
  high = i16x8.add(high, v128.shuffle<i16>(r3, zero, 8, 8, 8, 8, 7, 6, 5, 8));
  high = i16x8.add(high, v128.shuffle<i16>(r2, zero, 8, 8, 8, 8, 8, 7, 6, 8));
  high = i16x8.add(high, v128.shuffle<i16>(r1, zero, 8, 8, 8, 8, 8, 8, 7, 8));
  const short = squares(v128.shuffle<i16>(low, high, 0, 8, 1, 9, 2, 10, 3, 11));
  const long = squares(v128.shuffle<i16>(low, high, 4, 12, 5, 13, 6, 14, 7, 15));
  return sumOf(
    i32x4.add(i32x4.mul(short, i32x4(840, 420, 280, 210)), i32x4.mul(long, i32x4(168, 140, 120, ALL))),
  );
}

/** Returns the cost of the 11 lines in which the pair `i` of rows is moved by `i` samples. */
@inline
function steepCost(a0: v128, a1: v128, a2: v128, a3: v128): i32 {
  const zero = i16x8.splat(0);
  let low = i16x8.add(a0, v128.shuffle<i16>(zero, a1, 7, 8, 9, 10, 11, 12, 13, 14));
  low = i16x8.add(low, v128.shuffle<i16>(zero, a2, 6, 7, 8, 9, 10, 11, 12, 13));
  low = i16x8.add(low, v128.shuffle<i16>(zero, a3, 5, 6, 7, 8, 9, 10, 11, 12));
  // Line 10 - k stands in lane k, beside line k.
  let high = v128.shuffle<i16>(a3, zero, 7, 6, 5, 8, 8, 8, 8, 8);
  high = i16x8.add(high, v128.shuffle<i16>(a2, zero, 8, 7, 6, 8, 8, 8, 8, 8));
  high = i16x8.add(high, v128.shuffle<i16>(a1, zero, 8, 8, 7, 8, 8, 8, 8, 8));
  const short = squares(v128.shuffle<i16>(low, high, 0, 8, 1, 9, 2, 10, 3, 11));
  const long = squares(v128.shuffle<i16>(low, high, 4, 12, 5, 13, 6, 14, 7, 15));
  return sumOf(i32x4.add(i32x4.mul(short, i32x4(420, 210, 140, ALL)), i32x4.mul(long, i32x4.splat(ALL))));
}

/** The best direction so far, its cost and that of the direction across it. */
let direction: i32 = 0;
let best: i32 = 0;
let across: i32 = 0;

@inline
function consider(cost: i32, costAcross: i32, candidate: i32): void {
  if (cost <= best) return;
  best = cost;
  across = costAcross;
  direction = candidate;
}

@inline
function rowAt(at: usize, row: i32, shift: i32): v128 {
  return i16x8.sub(i16x8.shr_u(v128.load(at + row * WINDOW_STRIDE), shift), i16x8.splat(128));
}

/** Finds the direction of the block at `at` in the window, and sets `variance`. */
export function findDirection(at: usize, bitDepth: i32): i32 {
  const shift = bitDepth - 8;
  const r0 = rowAt(at, 0, shift);
  const r1 = rowAt(at, 1, shift);
  const r2 = rowAt(at, 2, shift);
  const r3 = rowAt(at, 3, shift);
  const r4 = rowAt(at, 4, shift);
  const r5 = rowAt(at, 5, shift);
  const r6 = rowAt(at, 6, shift);
  const r7 = rowAt(at, 7, shift);
  const a0 = i16x8.add(r0, r1);
  const a1 = i16x8.add(r2, r3);
  const a2 = i16x8.add(r4, r5);
  const a3 = i16x8.add(r6, r7);
  // Two columns are summed by adding rows of the transposed block: b0 has columns 0 and 1, and so on.
  const e0 = v128.shuffle<i16>(r0, r1, 0, 8, 1, 9, 2, 10, 3, 11);
  const e1 = v128.shuffle<i16>(r2, r3, 0, 8, 1, 9, 2, 10, 3, 11);
  const e2 = v128.shuffle<i16>(r4, r5, 0, 8, 1, 9, 2, 10, 3, 11);
  const e3 = v128.shuffle<i16>(r6, r7, 0, 8, 1, 9, 2, 10, 3, 11);
  const f0 = v128.shuffle<i16>(r0, r1, 4, 12, 5, 13, 6, 14, 7, 15);
  const f1 = v128.shuffle<i16>(r2, r3, 4, 12, 5, 13, 6, 14, 7, 15);
  const f2 = v128.shuffle<i16>(r4, r5, 4, 12, 5, 13, 6, 14, 7, 15);
  const f3 = v128.shuffle<i16>(r6, r7, 4, 12, 5, 13, 6, 14, 7, 15);
  const g0 = v128.shuffle<i32>(e0, e1, 0, 4, 1, 5);
  const g1 = v128.shuffle<i32>(e2, e3, 0, 4, 1, 5);
  const g2 = v128.shuffle<i32>(e0, e1, 2, 6, 3, 7);
  const g3 = v128.shuffle<i32>(e2, e3, 2, 6, 3, 7);
  const h0 = v128.shuffle<i32>(f0, f1, 0, 4, 1, 5);
  const h1 = v128.shuffle<i32>(f2, f3, 0, 4, 1, 5);
  const h2 = v128.shuffle<i32>(f0, f1, 2, 6, 3, 7);
  const h3 = v128.shuffle<i32>(f2, f3, 2, 6, 3, 7);
  const b0 = i16x8.add(v128.shuffle<i64>(g0, g1, 0, 2), v128.shuffle<i64>(g0, g1, 1, 3));
  const b1 = i16x8.add(v128.shuffle<i64>(g2, g3, 0, 2), v128.shuffle<i64>(g2, g3, 1, 3));
  const b2 = i16x8.add(v128.shuffle<i64>(h0, h1, 0, 2), v128.shuffle<i64>(h0, h1, 1, 3));
  const b3 = i16x8.add(v128.shuffle<i64>(h2, h3, 0, 2), v128.shuffle<i64>(h2, h3, 1, 3));
  const cost0 = diagonalCost(r0, r1, r2, r3, r4, r5, r6, r7);
  const cost1 = steepCost(b0, b1, b2, b3);
  const cost2 = straightCost(i16x8.add(i16x8.add(b0, b1), i16x8.add(b2, b3)));
  const cost3 = steepCost(b3, b2, b1, b0);
  const cost4 = diagonalCost(r7, r6, r5, r4, r3, r2, r1, r0);
  const cost5 = steepCost(a3, a2, a1, a0);
  const cost6 = straightCost(i16x8.add(i16x8.add(a0, a1), i16x8.add(a2, a3)));
  const cost7 = steepCost(a0, a1, a2, a3);
  best = 0;
  across = cost4;
  direction = 0;
  consider(cost0, cost4, 0);
  consider(cost1, cost5, 1);
  consider(cost2, cost6, 2);
  consider(cost3, cost7, 3);
  consider(cost4, cost0, 4);
  consider(cost5, cost1, 5);
  consider(cost6, cost2, 6);
  consider(cost7, cost3, 7);
  variance = (best - across) >> 10;
  return direction;
}
