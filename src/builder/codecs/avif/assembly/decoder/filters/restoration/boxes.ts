/**
 * Sums over boxes for the self-guided filter (AV1 specification section 7.17.3). For each sample of a row: the weight `A`
 * of the sample in its smoothed value (256 less it is that of the mean of the box), and the mean's share `B`.
 */
import { allocate } from "../../../../../../pixels/assembly/shared/arena";
import { WINDOW_SIZE, WINDOW_STRIDE, windowAt } from "../window";

/** Places of a line: the samples of a row, with four before them. */
const LINE = 4 + WINDOW_SIZE + 12;
export const LINE_BYTES: usize = LINE * 4;
/** Bytes from the start of a line to the place of the row's first sample. */
export const LINE_LEAD: usize = 16;

export const BOXES_BYTES: u64 = LINE_BYTES * 4;

/** The lines `A` and `B` of the last row, as i32. */
export let shareOfSample: usize = 0;
export let shareOfMean: usize = 0;
let columnSums: usize = 0;
let columnSquares: usize = 0;

/** Allocates the lines. @returns false when the memory is at its end */
export function layOutBoxes(): boolean {
  const start = allocate(BOXES_BYTES);
  shareOfSample = start;
  shareOfMean = start + LINE_BYTES;
  columnSums = start + 2 * LINE_BYTES;
  columnSquares = start + 3 * LINE_BYTES;
  return start != 0;
}

@inline
function lowPairs(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}

@inline
function highPairs(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}

@inline
function squares(pairs: v128): v128 {
  return i32x4.dot_i16x8_s(pairs, pairs);
}

/** Sums columns of `2 radius + 1` samples and of their squares around a row of the window. */
@inline
function sumColumns(row: i32, width: i32, radius: i32): void {
  const zero = i16x8.splat(0);
  const from = windowAt + row * WINDOW_STRIDE - 8;
  const end = <usize>((width + 8) << 1);
  for (let x: usize = 0; x < end; x += 16) {
    const a = v128.load(from + x - WINDOW_STRIDE);
    const b = v128.load(from + x);
    const c = v128.load(from + x + WINDOW_STRIDE);
    let sum = i16x8.add(a, i16x8.add(b, c));
    let low = squares(lowPairs(a, b));
    let high = squares(highPairs(a, b));
    if (radius == 2) {
      const d = v128.load(from + x - 2 * WINDOW_STRIDE);
      const e = v128.load(from + x + 2 * WINDOW_STRIDE);
      sum = i16x8.add(sum, i16x8.add(d, e));
      low = i32x4.add(low, i32x4.add(squares(lowPairs(c, d)), squares(lowPairs(e, zero))));
      high = i32x4.add(high, i32x4.add(squares(highPairs(c, d)), squares(highPairs(e, zero))));
    } else {
      low = i32x4.add(low, squares(lowPairs(c, zero)));
      high = i32x4.add(high, squares(highPairs(c, zero)));
    }
    v128.store(columnSums + 2 * x, i32x4.extend_low_i16x8_u(sum));
    v128.store(columnSums + 2 * x, i32x4.extend_high_i16x8_u(sum), 16);
    v128.store(columnSquares + 2 * x, low);
    v128.store(columnSquares + 2 * x, high, 16);
  }
}

/** Sums `2 radius + 1` places around the one at `at`. */
@inline
function sumAcross(at: usize, radius: i32): v128 {
  const near = i32x4.add(v128.load(at), i32x4.add(v128.load(at - 4), v128.load(at + 4)));
  if (radius == 1) return near;
  return i32x4.add(near, i32x4.add(v128.load(at - 8), v128.load(at + 8)));
}

/** Returns products of the low 16 bits of lanes, which are cheaper than those of 32. The high bits of `a` are 0. */
@inline
function product16(a: v128, b: v128): v128 {
  return i32x4.dot_i16x8_s(a, b);
}

/** Returns `values` times the count of samples in a box. */
@inline
function timesCount(values: v128, radius: i32): v128 {
  const eightfold = i32x4.add(values, i32x4.shl(values, 3));
  return radius == 2 ? i32x4.add(eightfold, i32x4.shl(values, 4)) : eightfold;
}

/** Returns floor((256 z + z / 2) / (z + 1)) for z from 0 to 255. */
@inline
function shareOf(z: v128): v128 {
  const dividend = i32x4.add(i32x4.shl(z, 8), i32x4.shr_u(z, 1));
  const divisor = i32x4.add(z, i32x4.splat(1));
  const quotient = f32x4.div(f32x4.convert_i32x4_s(dividend), f32x4.convert_i32x4_s(divisor));
  // The quotient is a whole number or 1 / 256 or more from the next one. With 2^23 added, a float has no fraction.
  const whole = f32x4.add(f32x4.sub(quotient, f32x4.splat(0.499)), f32x4.splat(8388608));
  return i32x4.sub(whole, f32x4.splat(8388608));
}

@inline
function fillShares(width: i32, strength: i32, bitDepth: i32, radius: i32): void {
  const count = radius == 2 ? 25 : 9;
  const scale = bitDepth - 8;
  const half = i32x4.splat((1 << scale) >> 1);
  const halfSquare = i32x4.splat((1 << (2 * scale)) >> 1);
  const strengths = i32x4.splat(strength);
  const reciprocal = i32x4.splat((4096 + count / 2) / count);
  const whole = i32x4.splat(256);
  const end = <usize>((width + 1) << 2) + LINE_LEAD;
  for (let x: usize = LINE_LEAD - 4; x < end; x += 16) {
    const sum = sumAcross(columnSums + x, radius);
    const squareSum = sumAcross(columnSquares + x, radius);
    const a = i32x4.shr_u(i32x4.add(squareSum, halfSquare), 2 * scale);
    const d = i32x4.shr_u(i32x4.add(sum, half), scale);
    const p = i32x4.max_s(i32x4.splat(0), i32x4.sub(timesCount(a, radius), product16(d, d)));
    const scaled = i32x4.add(i32x4.mul(p, strengths), i32x4.splat(1 << 19));
    const z = i32x4.min_u(i32x4.shr_u(scaled, 20), i32x4.splat(255));
    const limited = i32x4.max_s(i32x4.splat(1), shareOf(z));
    const share = v128.bitselect(whole, limited, i32x4.eq(z, i32x4.splat(255)));
    const mean = i32x4.mul(i32x4.mul(i32x4.sub(whole, share), sum), reciprocal);
    v128.store(shareOfSample + x, share);
    v128.store(shareOfMean + x, i32x4.shr_u(i32x4.add(mean, i32x4.splat(2048)), 12));
  }
}

/** Fills `shareOfSample` and `shareOfMean` for a row of the window, and one sample on each side of it. */
export function fillBoxRow(row: i32, width: i32, radius: i32, strength: i32, bitDepth: i32): void {
  if (radius == 2) {
    sumColumns(row, width, 2);
    fillShares(width, strength, bitDepth, 2);
  } else {
    sumColumns(row, width, 1);
    fillShares(width, strength, bitDepth, 1);
  }
}
