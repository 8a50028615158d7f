/**
 * The loop filter across one edge, 16 places at a time (RFC 6386, 15.2 to 15.4): p3 ... p0 before the edge, q0 ... q3
 * after it, each a vector. Saturating sums do the same as the clamps of the specification.
 */

const SIGN: i8 = -128;

@inline
function difference(a: v128, b: v128): v128 {
  return v128.or(i8x16.sub_sat_u(a, b), i8x16.sub_sat_u(b, a));
}

@inline
function signed(samples: v128): v128 {
  return v128.xor(samples, i8x16.splat(SIGN));
}

/** Returns by how much each lane exceeds a limit; 0 where it does not. */
@inline
function excess(value: v128, limit: u8): v128 {
  return i8x16.sub_sat_u(value, i8x16.splat(limit));
}

/** Returns the height of an edge: twice the difference at it, plus half of the difference around it (15.2). */
@inline
function stepAt(p1: v128, p0: v128, q0: v128, q1: v128): v128 {
  const inner = difference(p0, q0);
  return i8x16.add_sat_u(i8x16.add_sat_u(inner, inner), i8x16.shr_u(difference(p1, q1), 1));
}

/** Returns a mask of the places whose 8 samples are smooth enough to be filtered (15.3). */
@inline
function evenLanes(at: usize, stride: usize, limit: u8, interior: u8): v128 {
  const p3 = v128.load(at - 4 * stride);
  const p2 = v128.load(at - 3 * stride);
  const p1 = v128.load(at - 2 * stride);
  const p0 = v128.load(at - stride);
  const q0 = v128.load(at);
  const q1 = v128.load(at + stride);
  const q2 = v128.load(at + 2 * stride);
  const q3 = v128.load(at + 3 * stride);
  let most = i8x16.max_u(difference(p3, p2), difference(p2, p1));
  most = i8x16.max_u(most, i8x16.max_u(difference(p1, p0), difference(q1, q0)));
  most = i8x16.max_u(most, i8x16.max_u(difference(q3, q2), difference(q2, q1)));
  const over = v128.or(excess(most, interior), excess(stepAt(p1, p0, q0, q1), limit));
  return i8x16.eq(over, i8x16.splat(0));
}

/** Returns a mask of the places where the picture itself has an edge (15.3: high edge variance). */
@inline
function sharpLanes(p1: v128, p0: v128, q0: v128, q1: v128, threshold: u8): v128 {
  const most = i8x16.max_u(difference(p1, p0), difference(q1, q0));
  return i8x16.ne(excess(most, threshold), i8x16.splat(0));
}

/** Returns `outer` plus three times the difference at the edge. */
@inline
function baseOf(outer: v128, p0: v128, q0: v128): v128 {
  const inner = i8x16.sub_sat_s(q0, p0);
  return i8x16.add_sat_s(i8x16.add_sat_s(i8x16.add_sat_s(outer, inner), inner), inner);
}

@inline
function eighth(base: v128, rounding: i8): v128 {
  return i8x16.shr_s(i8x16.add_sat_s(base, i8x16.splat(rounding)), 3);
}

/** Returns (weight * base + 63) >> 7. */
@inline
function weighted(base: v128, weight: i16): v128 {
  const factor = i16x8.splat(weight);
  const half = i16x8.splat(63);
  const low = i16x8.add(i16x8.mul(i16x8.extend_low_i8x16_s(base), factor), half);
  const high = i16x8.add(i16x8.mul(i16x8.extend_high_i8x16_s(base), factor), half);
  return i8x16.narrow_i16x8_s(i16x8.shr_s(low, 7), i16x8.shr_s(high, 7));
}

/** Applies the simple filter, which changes only the two samples at the edge. */
export function filterSimply(at: usize, stride: usize, limit: u8): void {
  const p1 = v128.load(at - 2 * stride);
  const p0 = v128.load(at - stride);
  const q0 = v128.load(at);
  const q1 = v128.load(at + stride);
  const isEven = i8x16.eq(excess(stepAt(p1, p0, q0, q1), limit), i8x16.splat(0));
  const before = signed(p0);
  const behind = signed(q0);
  const base = v128.and(baseOf(i8x16.sub_sat_s(signed(p1), signed(q1)), before, behind), isEven);
  v128.store(at - stride, signed(i8x16.add_sat_s(before, eighth(base, 3))));
  v128.store(at, signed(i8x16.sub_sat_s(behind, eighth(base, 4))));
}

/** Filters the edge of a macroblock, which changes three samples on either side. */
export function filterOuterEdge(at: usize, stride: usize, limit: u8, interior: u8, threshold: u8): void {
  const isEven = evenLanes(at, stride, limit, interior);
  if (!v128.any_true(isEven)) return;
  const isSharp = sharpLanes(
    v128.load(at - 2 * stride),
    v128.load(at - stride),
    v128.load(at),
    v128.load(at + stride),
    threshold,
  );
  const p2 = signed(v128.load(at - 3 * stride));
  const p1 = signed(v128.load(at - 2 * stride));
  let p0 = signed(v128.load(at - stride));
  let q0 = signed(v128.load(at));
  const q1 = signed(v128.load(at + stride));
  const q2 = signed(v128.load(at + 2 * stride));
  const base = v128.and(baseOf(i8x16.sub_sat_s(p1, q1), p0, q0), isEven);
  const sharp = v128.and(base, isSharp);
  p0 = i8x16.add_sat_s(p0, eighth(sharp, 3));
  q0 = i8x16.sub_sat_s(q0, eighth(sharp, 4));
  const soft = v128.andnot(base, isSharp);
  const nearest = weighted(soft, 27);
  const second = weighted(soft, 18);
  const third = weighted(soft, 9);
  v128.store(at - 3 * stride, signed(i8x16.add_sat_s(p2, third)));
  v128.store(at - 2 * stride, signed(i8x16.add_sat_s(p1, second)));
  v128.store(at - stride, signed(i8x16.add_sat_s(p0, nearest)));
  v128.store(at, signed(i8x16.sub_sat_s(q0, nearest)));
  v128.store(at + stride, signed(i8x16.sub_sat_s(q1, second)));
  v128.store(at + 2 * stride, signed(i8x16.sub_sat_s(q2, third)));
}

/** Filters an edge between blocks of a macroblock, which changes two samples on either side. */
export function filterInnerEdge(at: usize, stride: usize, limit: u8, interior: u8, threshold: u8): void {
  const isEven = evenLanes(at, stride, limit, interior);
  if (!v128.any_true(isEven)) return;
  const isSharp = sharpLanes(
    v128.load(at - 2 * stride),
    v128.load(at - stride),
    v128.load(at),
    v128.load(at + stride),
    threshold,
  );
  const p1 = signed(v128.load(at - 2 * stride));
  const p0 = signed(v128.load(at - stride));
  const q0 = signed(v128.load(at));
  const q1 = signed(v128.load(at + stride));
  const outer = v128.and(i8x16.sub_sat_s(p1, q1), isSharp);
  const base = v128.and(baseOf(outer, p0, q0), isEven);
  const behind = eighth(base, 4);
  const far = v128.andnot(i8x16.shr_s(i8x16.add(behind, i8x16.splat(1)), 1), isSharp);
  v128.store(at - 2 * stride, signed(i8x16.add_sat_s(p1, far)));
  v128.store(at - stride, signed(i8x16.add_sat_s(p0, eighth(base, 3))));
  v128.store(at, signed(i8x16.sub_sat_s(q0, behind)));
  v128.store(at + stride, signed(i8x16.sub_sat_s(q1, far)));
}
