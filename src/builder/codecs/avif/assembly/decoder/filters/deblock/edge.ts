/**
 * Deblocking of eight samples along an edge (AV1 specification section 7.14.6). Rows of samples lie across the edge:
 * `at` is the first row after it, and rows before it are at lower addresses.
 */
import { limitOf, sidesLimitOf, varianceOf } from "./limits";
import { putRow, row, setStride } from "./rows";
import { filterFlat6, filterFlat8, filterFlat14 } from "./wide";

/** Filters by the most samples that they read: 4, 6 (chroma), 8, and 14 on both sides of the edge. */
export const NARROW = 4;
export const CHROMA = 6;
export const MIDDLE = 8;
export const WIDE = 14;

@inline
function lanes(value: i32): v128 {
  return i16x8.splat(<i16>value);
}

@inline
function distance(a: v128, b: v128): v128 {
  return i16x8.abs(i16x8.sub(a, b));
}

@inline
function isOver(a: v128, b: v128, limit: v128): v128 {
  return i16x8.gt_s(distance(a, b), limit);
}

/**
 * Changes two samples on each side of the edge, in the lanes of `mask`; the outer one only where variance is low.
 */
function filterNarrow(at: usize, mask: v128, isVaried: v128, bitDepth: i32, isHalf: boolean): void {
  const middle = lanes(0x80 << (bitDepth - 8));
  const highest = lanes((1 << (bitDepth - 1)) - 1);
  const lowest = lanes(-(1 << (bitDepth - 1)));
  const p1 = i16x8.sub(row(at, -2), middle);
  const p0 = i16x8.sub(row(at, -1), middle);
  const q0 = i16x8.sub(row(at, 0), middle);
  const q1 = i16x8.sub(row(at, 1), middle);
  const outer = i16x8.max_s(lowest, i16x8.min_s(highest, i16x8.sub(p1, q1)));
  const step = i16x8.sub(q0, p0);
  let change = i16x8.add(v128.and(outer, isVaried), i16x8.add(step, i16x8.add(step, step)));
  change = v128.and(i16x8.max_s(lowest, i16x8.min_s(highest, change)), mask);
  const first = i16x8.shr_s(i16x8.min_s(highest, i16x8.add(change, i16x8.splat(4))), 3);
  const second = i16x8.shr_s(i16x8.min_s(highest, i16x8.add(change, i16x8.splat(3))), 3);
  putRow(at, 0, i16x8.add(middle, clamp(i16x8.sub(q0, first), lowest, highest)), isHalf);
  putRow(at, -1, i16x8.add(middle, clamp(i16x8.add(p0, second), lowest, highest)), isHalf);
  const less = v128.andnot(i16x8.shr_s(i16x8.add(first, i16x8.splat(1)), 1), isVaried);
  putRow(at, 1, i16x8.add(middle, clamp(i16x8.sub(q1, less), lowest, highest)), isHalf);
  putRow(at, -2, i16x8.add(middle, clamp(i16x8.add(p1, less), lowest, highest)), isHalf);
}

@inline
function clamp(value: v128, lowest: v128, highest: v128): v128 {
  return i16x8.max_s(lowest, i16x8.min_s(highest, value));
}

/**
 * Filters eight samples along an edge, or the first four of them.
 * @param size NARROW, CHROMA, MIDDLE or WIDE
 * @param first level of the first four samples; `second` of the others. Level 0 changes nothing
 * @param isHalf whether only the first four samples may be written
 * @returns whether a sample may have changed
 */
export function filterEdge(
  at: usize,
  stride: usize,
  size: i32,
  first: i32,
  second: i32,
  bitDepth: i32,
  isHalf: boolean,
): boolean {
  setStride(stride);
  const limit = limitOf(first, second);
  const p1 = row(at, -2);
  const p0 = row(at, -1);
  const q0 = row(at, 0);
  const q1 = row(at, 1);
  const inner = i16x8.max_s(distance(p1, p0), distance(q1, q0));
  const across = i16x8.add(i16x8.shl(distance(p0, q0), 1), i16x8.shr_u(distance(p1, q1), 1));
  let bad = v128.or(i16x8.gt_s(inner, limit), i16x8.gt_s(across, sidesLimitOf(first, second)));
  if (size == NARROW) {
    if (i16x8.all_true(bad)) return false;
    filterNarrow(at, v128.not(bad), i16x8.gt_s(inner, varianceOf(first, second)), bitDepth, isHalf);
    return true;
  }
  const p2 = row(at, -3);
  const q2 = row(at, 2);
  bad = v128.or(bad, v128.or(isOver(p2, p1, limit), isOver(q2, q1, limit)));
  const one = lanes(1 << (bitDepth - 8));
  let rough = v128.or(i16x8.gt_s(inner, one), v128.or(isOver(p2, p0, one), isOver(q2, q0, one)));
  if (size != CHROMA) {
    const p3 = row(at, -4);
    const q3 = row(at, 3);
    bad = v128.or(bad, v128.or(isOver(p3, p2, limit), isOver(q3, q2, limit)));
    rough = v128.or(rough, v128.or(isOver(p3, p0, one), isOver(q3, q0, one)));
  }
  if (i16x8.all_true(bad)) return false;
  const mask = v128.not(bad);
  let flat = v128.andnot(mask, rough);
  // The flat filters read what the narrow one would change, and write only lanes that it leaves alone.
  const isVaried = i16x8.gt_s(inner, varianceOf(first, second));
  if (!v128.any_true(flat)) {
    filterNarrow(at, mask, isVaried, bitDepth, isHalf);
    return true;
  }
  const narrow = v128.and(mask, rough);
  if (v128.any_true(narrow)) filterNarrow(at, narrow, isVaried, bitDepth, isHalf);
  if (size == CHROMA) {
    filterFlat6(at, flat, isHalf);
    return true;
  }
  if (size == WIDE) {
    const before = v128.or(isOver(row(at, -5), p0, one), isOver(row(at, -6), p0, one));
    const after = v128.or(isOver(row(at, 4), q0, one), isOver(row(at, 5), q0, one));
    const ends = v128.or(isOver(row(at, -7), p0, one), isOver(row(at, 6), q0, one));
    const wide = v128.andnot(flat, v128.or(ends, v128.or(before, after)));
    if (v128.any_true(wide)) {
      // Lanes of the other filter are put back by the mask, so the order of both does not matter.
      flat = v128.andnot(flat, wide);
      filterFlat14(at, wide, isHalf);
    }
    if (!v128.any_true(flat)) return true;
  }
  filterFlat8(at, flat, isHalf);
  return true;
}
