/** The CDEF filter of a block (AV1 specification section 7.15.3), from the window into the picture. */
import { WINDOW_STRIDE } from "../window";

const ROW: i32 = <i32>WINDOW_STRIDE;
/** Bytes to the two samples along each direction. */
const OFFSETS = memory.data<i32>([
  -ROW + 2,
  -2 * ROW + 4,
  2,
  -ROW + 4,
  2,
  4,
  2,
  ROW + 4,
  ROW + 2,
  2 * ROW + 4,
  ROW,
  2 * ROW + 2,
  ROW,
  2 * ROW,
  ROW,
  2 * ROW - 2,
]);

@inline
function offsetOf(direction: i32, distance: i32): i32 {
  return load<i32>(OFFSETS + (((direction & 7) << 3) + (distance << 2)));
}

/** Loads a row of eight samples, or two of four. */
@inline
function samples(at: usize, isNarrow: boolean): v128 {
  if (isNarrow) return v128.load64_lane(at + WINDOW_STRIDE, v128.load64_zero(at), 1);
  return v128.load(at);
}

/** Returns the difference, reduced by as much as it is over the threshold. A sample OUTSIDE gives 0. */
@inline
function constrained(difference: v128, threshold: v128, shift: i32): v128 {
  const size = i16x8.abs(difference);
  const most = i16x8.sub_sat_u(threshold, i16x8.shr_u(size, shift));
  const sign = i16x8.shr_s(difference, 15);
  return i16x8.sub(v128.xor(i16x8.min_u(size, most), sign), sign);
}

/**
 * Filters rows by the strengths of a block. Filters with one strength never leave the range of what they read, so they
 * do not clip.
 */
@inline
function filterRows(
  from: usize,
  to: usize,
  stride: usize,
  height: i32,
  primary: i32,
  secondary: i32,
  direction: i32,
  damping: i32,
  bitDepth: i32,
  hasPrimary: boolean,
  hasSecondary: boolean,
  isNarrow: boolean,
): void {
  const isOdd = (primary >> (bitDepth - 8)) & 1;
  const nearTap = i16x8.splat(isOdd ? 3 : 4);
  const farTap = i16x8.splat(isOdd ? 3 : 2);
  const primaryLimit = i16x8.splat(<i16>primary);
  const secondaryLimit = i16x8.splat(<i16>secondary);
  const primaryShift = hasPrimary ? max(0, damping - (31 - clz(primary))) : 0;
  const secondaryShift = hasSecondary ? max(0, damping - (31 - clz(secondary))) : 0;
  const n0 = offsetOf(direction, 0);
  const n1 = offsetOf(direction, 1);
  const l0 = offsetOf(direction - 2, 0);
  const l1 = offsetOf(direction - 2, 1);
  const m0 = offsetOf(direction + 2, 0);
  const m1 = offsetOf(direction + 2, 1);
  const step = isNarrow ? 2 : 1;
  for (let row = 0; row < height; row += step, from += step * WINDOW_STRIDE, to += step * stride) {
    const x = samples(from, isNarrow);
    let sum = i16x8.splat(0);
    let most = x;
    let least = x;
    if (hasPrimary) {
      const p0 = samples(from + n0, isNarrow);
      const p1 = samples(from - n0, isNarrow);
      const p2 = samples(from + n1, isNarrow);
      const p3 = samples(from - n1, isNarrow);
      const near = i16x8.add(
        constrained(i16x8.sub(p0, x), primaryLimit, primaryShift),
        constrained(i16x8.sub(p1, x), primaryLimit, primaryShift),
      );
      const far = i16x8.add(
        constrained(i16x8.sub(p2, x), primaryLimit, primaryShift),
        constrained(i16x8.sub(p3, x), primaryLimit, primaryShift),
      );
      sum = i16x8.add(i16x8.mul(near, nearTap), i16x8.mul(far, farTap));
      if (hasSecondary) {
        most = i16x8.max_s(i16x8.max_s(most, i16x8.max_s(p0, p1)), i16x8.max_s(p2, p3));
        least = i16x8.min_u(i16x8.min_u(least, i16x8.min_u(p0, p1)), i16x8.min_u(p2, p3));
      }
    }
    if (hasSecondary) {
      const s0 = samples(from + l0, isNarrow);
      const s1 = samples(from - l0, isNarrow);
      const s2 = samples(from + m0, isNarrow);
      const s3 = samples(from - m0, isNarrow);
      const t0 = samples(from + l1, isNarrow);
      const t1 = samples(from - l1, isNarrow);
      const t2 = samples(from + m1, isNarrow);
      const t3 = samples(from - m1, isNarrow);
      let near = constrained(i16x8.sub(s0, x), secondaryLimit, secondaryShift);
      near = i16x8.add(near, constrained(i16x8.sub(s1, x), secondaryLimit, secondaryShift));
      near = i16x8.add(near, constrained(i16x8.sub(s2, x), secondaryLimit, secondaryShift));
      near = i16x8.add(near, constrained(i16x8.sub(s3, x), secondaryLimit, secondaryShift));
      sum = i16x8.add(sum, i16x8.shl(near, 1));
      sum = i16x8.add(sum, constrained(i16x8.sub(t0, x), secondaryLimit, secondaryShift));
      sum = i16x8.add(sum, constrained(i16x8.sub(t1, x), secondaryLimit, secondaryShift));
      sum = i16x8.add(sum, constrained(i16x8.sub(t2, x), secondaryLimit, secondaryShift));
      sum = i16x8.add(sum, constrained(i16x8.sub(t3, x), secondaryLimit, secondaryShift));
      if (hasPrimary) {
        most = i16x8.max_s(most, i16x8.max_s(i16x8.max_s(s0, s1), i16x8.max_s(s2, s3)));
        most = i16x8.max_s(most, i16x8.max_s(i16x8.max_s(t0, t1), i16x8.max_s(t2, t3)));
        least = i16x8.min_u(least, i16x8.min_u(i16x8.min_u(s0, s1), i16x8.min_u(s2, s3)));
        least = i16x8.min_u(least, i16x8.min_u(i16x8.min_u(t0, t1), i16x8.min_u(t2, t3)));
      }
    }
    const rounded = i16x8.add(i16x8.add(sum, i16x8.splat(8)), i16x8.shr_s(sum, 15));
    let result = i16x8.add(x, i16x8.shr_s(rounded, 4));
    if (hasPrimary && hasSecondary) result = i16x8.max_s(least, i16x8.min_s(most, result));
    if (isNarrow) {
      v128.store64_lane(to, result, 0);
      v128.store64_lane(to + stride, result, 1);
    } else {
      v128.store(to, result);
    }
  }
}

/**
 * Filters a block of `height` rows, 8 samples wide, or 4 if `isNarrow`. One of the strengths is not 0.
 * @param from the block in the window; `to` in the picture
 */
export function filterBlock(
  from: usize,
  to: usize,
  stride: usize,
  isNarrow: boolean,
  height: i32,
  primary: i32,
  secondary: i32,
  direction: i32,
  damping: i32,
  bitDepth: i32,
): void {
  if (primary == 0) {
    if (isNarrow) {
      filterRows(from, to, stride, height, 0, secondary, direction, damping, bitDepth, false, true, true);
    } else {
      filterRows(from, to, stride, height, 0, secondary, direction, damping, bitDepth, false, true, false);
    }
  } else if (secondary == 0) {
    if (isNarrow) {
      filterRows(from, to, stride, height, primary, 0, direction, damping, bitDepth, true, false, true);
    } else {
      filterRows(from, to, stride, height, primary, 0, direction, damping, bitDepth, true, false, false);
    }
  } else if (isNarrow) {
    filterRows(from, to, stride, height, primary, secondary, direction, damping, bitDepth, true, true, true);
  } else {
    filterRows(from, to, stride, height, primary, secondary, direction, damping, bitDepth, true, true, false);
  }
}
