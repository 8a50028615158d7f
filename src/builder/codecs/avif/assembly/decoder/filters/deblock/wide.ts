/**
 * The smoothing filters of flat edges (AV1 specification section 7.14.6.4). Each is a sum that slides across the edge.
 * Sums of 12-bit samples need all 16 bits, so they are shifted as unsigned numbers.
 */
import { putLanes, row } from "./rows";

@inline
function plus(a: v128, b: v128): v128 {
  return i16x8.add(a, b);
}

@inline
function slide(sum: v128, out1: v128, out2: v128, in1: v128, in2: v128): v128 {
  return plus(i16x8.sub(i16x8.sub(sum, out1), out2), plus(in1, in2));
}

@inline
function rounded(sum: v128, bits: i32): v128 {
  const half: i32 = 1 << (bits - 1);
  return i16x8.shr_u(plus(sum, i16x8.splat(<i16>half)), bits);
}

/** Smooths two samples on each side. */
export function filterFlat6(at: usize, mask: v128, isHalf: boolean): void {
  const p2 = row(at, -3);
  const p1 = row(at, -2);
  const p0 = row(at, -1);
  const q0 = row(at, 0);
  const q1 = row(at, 1);
  const q2 = row(at, 2);
  let sum = plus(plus(plus(p2, i16x8.shl(p2, 1)), i16x8.shl(p1, 1)), plus(i16x8.shl(p0, 1), q0));
  putLanes(at, -2, rounded(sum, 3), mask, isHalf);
  sum = slide(sum, p2, p2, q0, q1);
  putLanes(at, -1, rounded(sum, 3), mask, isHalf);
  sum = slide(sum, p2, p1, q1, q2);
  putLanes(at, 0, rounded(sum, 3), mask, isHalf);
  sum = slide(sum, p1, p0, q2, q2);
  putLanes(at, 1, rounded(sum, 3), mask, isHalf);
}

/** Smooths three samples on each side. */
export function filterFlat8(at: usize, mask: v128, isHalf: boolean): void {
  const p3 = row(at, -4);
  const p2 = row(at, -3);
  const p1 = row(at, -2);
  const p0 = row(at, -1);
  const q0 = row(at, 0);
  const q1 = row(at, 1);
  const q2 = row(at, 2);
  const q3 = row(at, 3);
  let sum = plus(plus(plus(p3, i16x8.shl(p3, 1)), i16x8.shl(p2, 1)), plus(p1, plus(p0, q0)));
  putLanes(at, -3, rounded(sum, 3), mask, isHalf);
  sum = slide(sum, p3, p2, p1, q1);
  putLanes(at, -2, rounded(sum, 3), mask, isHalf);
  sum = slide(sum, p3, p1, p0, q2);
  putLanes(at, -1, rounded(sum, 3), mask, isHalf);
  sum = slide(sum, p3, p0, q0, q3);
  putLanes(at, 0, rounded(sum, 3), mask, isHalf);
  sum = slide(sum, p2, q0, q1, q3);
  putLanes(at, 1, rounded(sum, 3), mask, isHalf);
  sum = slide(sum, p1, q1, q2, q3);
  putLanes(at, 2, rounded(sum, 3), mask, isHalf);
}

/** Smooths six samples on each side. */
export function filterFlat14(at: usize, mask: v128, isHalf: boolean): void {
  const p6 = row(at, -7);
  const p5 = row(at, -6);
  const p4 = row(at, -5);
  const p3 = row(at, -4);
  const p2 = row(at, -3);
  const p1 = row(at, -2);
  const p0 = row(at, -1);
  const q0 = row(at, 0);
  const q1 = row(at, 1);
  const q2 = row(at, 2);
  const q3 = row(at, 3);
  const q4 = row(at, 4);
  const q5 = row(at, 5);
  const q6 = row(at, 6);
  let sum = i16x8.sub(i16x8.shl(p6, 3), p6);
  sum = plus(plus(sum, i16x8.shl(p5, 1)), i16x8.shl(p4, 1));
  sum = plus(sum, plus(plus(p3, p2), plus(p1, plus(p0, q0))));
  putLanes(at, -6, rounded(sum, 4), mask, isHalf);
  sum = slide(sum, p6, p6, p3, q1);
  putLanes(at, -5, rounded(sum, 4), mask, isHalf);
  sum = slide(sum, p6, p5, p2, q2);
  putLanes(at, -4, rounded(sum, 4), mask, isHalf);
  sum = slide(sum, p6, p4, p1, q3);
  putLanes(at, -3, rounded(sum, 4), mask, isHalf);
  sum = slide(sum, p6, p3, p0, q4);
  putLanes(at, -2, rounded(sum, 4), mask, isHalf);
  sum = slide(sum, p6, p2, q0, q5);
  putLanes(at, -1, rounded(sum, 4), mask, isHalf);
  sum = slide(sum, p6, p1, q1, q6);
  putLanes(at, 0, rounded(sum, 4), mask, isHalf);
  sum = slide(sum, p5, p0, q2, q6);
  putLanes(at, 1, rounded(sum, 4), mask, isHalf);
  sum = slide(sum, p4, q0, q3, q6);
  putLanes(at, 2, rounded(sum, 4), mask, isHalf);
  sum = slide(sum, p3, q1, q4, q6);
  putLanes(at, 3, rounded(sum, 4), mask, isHalf);
  sum = slide(sum, p2, q2, q5, q6);
  putLanes(at, 4, rounded(sum, 4), mask, isHalf);
  sum = slide(sum, p1, q3, q6, q6);
  putLanes(at, 5, rounded(sum, 4), mask, isHalf);
}
