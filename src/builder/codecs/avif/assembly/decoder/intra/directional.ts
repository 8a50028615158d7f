/** Predictions along a direction (AV1 specification section 7.11.2.4). */
import { enableEdgeFilter } from "../headers/sequence";
import { above, left, padEdge } from "./edges";
import { enlargeEdge, filterCorner, filterEdge, isEnlarged, strengthOf } from "./edge-filter";

/** Dr_Intra_Derivative by angle / 2, for the angles that occur below 90 degrees. */
const DERIVATIVES = memory.data<u16>([
  0, 1023, 0, 547, 372, 0, 0, 273, 215, 0, 178, 151, 0, 132, 116, 0, 102, 0, 90, 80, 0, 71, 64, 0, 57, 51, 0,
  45, 0, 40, 35, 0, 31, 27, 0, 23, 19, 0, 15, 0, 11, 0, 7, 3, 0,
]);

/** Bytes from one row of a prediction from the left to the next. */
const STRIDE: usize = 128;
/** The prediction from the left (u16), as rows and turned to columns. */
const turned = memory.data(64 * 128, 16);
const fromLeft = memory.data(64 * 128, 16);

/** Returns the samples per 64ths of a row or column. */
@inline
function derivative(angle: i32): i32 {
  return <i32>load<u16>(DERIVATIVES + (((<usize>angle) >> 1) << 1));
}

/** Returns eight samples between those of an edge. */
@inline
function mix(edge: usize, shift: i32, isLarge: boolean): v128 {
  let first = v128.load(edge);
  let second = v128.load(edge, 2);
  if (isLarge) {
    const next = v128.load(edge, 16);
    second = v128.shuffle<i16>(first, next, 1, 3, 5, 7, 9, 11, 13, 15);
    first = v128.shuffle<i16>(first, next, 0, 2, 4, 6, 8, 10, 12, 14);
  }
  const step = i16x8.q15mulr_sat_s(i16x8.sub(second, first), i16x8.splat(<i16>(shift << 10)));
  return i16x8.add(first, step);
}

@inline
function put(to: usize, values: v128, isNarrow: boolean): void {
  if (isNarrow) v128.store64_lane(to, values, 0);
  else v128.store(to, values);
}

/** Predicts rows that each begin `step` 64ths further along an edge. */
function fromEdge(
  to: usize,
  stride: usize,
  edge: usize,
  step: i32,
  wide: i32,
  high: i32,
  isLarge: boolean,
): void {
  const up = i32(isLarge);
  const last = (wide + high - 1) << up;
  const isNarrow = wide == 4;
  for (let y = 0, at = step; y < high; y++, at += step, to += stride) {
    const base = at >> (6 - up);
    const shift = ((at << up) >> 1) & 31;
    for (let x = 0; x < wide; x += 8) {
      const from = min(base + (x << up), last);
      put(to + ((<usize>x) << 1), mix(edge + ((<usize>from) << 1), shift, isLarge), isNarrow);
    }
  }
}

/** Turns rows of `wide` samples to columns. All reach up to the next multiple of eight. */
function turn(
  from: usize,
  fromStride: usize,
  to: usize,
  toStride: usize,
  wide: i32,
  high: i32,
  isNarrow: boolean,
): void {
  for (let y: usize = 0; y < <usize>high; y += 8) {
    for (let x: usize = 0; x < <usize>wide; x += 8) {
      turn8(
        from + y * fromStride + (x << 1),
        fromStride,
        to + x * toStride + (y << 1),
        toStride,
        min(8, wide - <i32>x),
        isNarrow,
      );
    }
  }
}

function turn8(at: usize, stride: usize, to: usize, toStride: usize, rows: i32, isNarrow: boolean): void {
  const r0 = v128.load(at);
  const r1 = v128.load(at + stride);
  const r2 = v128.load(at + 2 * stride);
  const r3 = v128.load(at + 3 * stride);
  const r4 = v128.load(at + 4 * stride);
  const r5 = v128.load(at + 5 * stride);
  const r6 = v128.load(at + 6 * stride);
  const r7 = v128.load(at + 7 * stride);
  const a0 = v128.shuffle<i16>(r0, r1, 0, 8, 1, 9, 2, 10, 3, 11);
  const a1 = v128.shuffle<i16>(r2, r3, 0, 8, 1, 9, 2, 10, 3, 11);
  const a2 = v128.shuffle<i16>(r4, r5, 0, 8, 1, 9, 2, 10, 3, 11);
  const a3 = v128.shuffle<i16>(r6, r7, 0, 8, 1, 9, 2, 10, 3, 11);
  const b0 = v128.shuffle<i32>(a0, a1, 0, 4, 1, 5);
  const b1 = v128.shuffle<i32>(a2, a3, 0, 4, 1, 5);
  const b2 = v128.shuffle<i32>(a0, a1, 2, 6, 3, 7);
  const b3 = v128.shuffle<i32>(a2, a3, 2, 6, 3, 7);
  put(to, v128.shuffle<i64>(b0, b1, 0, 2), isNarrow);
  put(to + toStride, v128.shuffle<i64>(b0, b1, 1, 3), isNarrow);
  put(to + 2 * toStride, v128.shuffle<i64>(b2, b3, 0, 2), isNarrow);
  put(to + 3 * toStride, v128.shuffle<i64>(b2, b3, 1, 3), isNarrow);
  if (rows == 4) return;
  const a4 = v128.shuffle<i16>(r0, r1, 4, 12, 5, 13, 6, 14, 7, 15);
  const a5 = v128.shuffle<i16>(r2, r3, 4, 12, 5, 13, 6, 14, 7, 15);
  const a6 = v128.shuffle<i16>(r4, r5, 4, 12, 5, 13, 6, 14, 7, 15);
  const a7 = v128.shuffle<i16>(r6, r7, 4, 12, 5, 13, 6, 14, 7, 15);
  const b4 = v128.shuffle<i32>(a4, a5, 0, 4, 1, 5);
  const b5 = v128.shuffle<i32>(a6, a7, 0, 4, 1, 5);
  const b6 = v128.shuffle<i32>(a4, a5, 2, 6, 3, 7);
  const b7 = v128.shuffle<i32>(a6, a7, 2, 6, 3, 7);
  put(to + 4 * toStride, v128.shuffle<i64>(b4, b5, 0, 2), isNarrow);
  put(to + 5 * toStride, v128.shuffle<i64>(b4, b5, 1, 3), isNarrow);
  put(to + 6 * toStride, v128.shuffle<i64>(b6, b7, 0, 2), isNarrow);
  put(to + 7 * toStride, v128.shuffle<i64>(b6, b7, 1, 3), isNarrow);
}

/**
 * Returns eight samples of a row or column that begins `start` 64ths along an edge. Samples before the corner have no
 * meaning.
 */
@inline
function mixFrom(edge: usize, start: i32, offset: i32, up: i32): v128 {
  const from = max((start >> (6 - up)) + (offset << up), -9 << up);
  return mix(edge + <isize>from * 2, ((start << up) >> 1) & 31, up != 0);
}

/** Returns the columns of row y that lie beyond the corner, and so are predicted from the left. */
@inline
function columnsFromLeft(y: i32, dx: i32, wide: i32, up: i32): i32 {
  const base = (-(y + 1) * dx) >> (6 - up);
  return min(max((-(1 << up) - base + up) >> up, 0), wide);
}

/** Predicts samples from the edge above where the direction meets it, and from the left one elsewhere. */
function fromBoth(
  to: usize,
  stride: usize,
  dx: i32,
  dy: i32,
  wide: i32,
  high: i32,
  upAbove: i32,
  upLeft: i32,
): void {
  const most = columnsFromLeft(high - 1, dx, wide, upAbove);
  if (most > 0) {
    for (let x = 0; x < most; x++) {
      for (let y = 0; y < high; y += 8) {
        const column = mixFrom(left, -(x + 1) * dy, y, upLeft);
        v128.store(turned + <usize>x * STRIDE + ((<usize>y) << 1), column);
      }
    }
    turn(turned, STRIDE, fromLeft, STRIDE, high, most, false);
  }
  const places = i16x8(0, 1, 2, 3, 4, 5, 6, 7);
  const isNarrow = wide == 4;
  for (let y = 0; y < high; y++, to += stride) {
    const first = columnsFromLeft(y, dx, wide, upAbove);
    for (let x = 0; x < wide; x += 8) {
      let row = mixFrom(above, -(y + 1) * dx, x, upAbove);
      if (x < first) {
        const isLeft = i16x8.lt_s(places, i16x8.splat(<i16>(first - x)));
        row = v128.bitselect(v128.load(fromLeft + <usize>y * STRIDE + ((<usize>x) << 1)), row, isLeft);
      }
      put(to + ((<usize>x) << 1), row, isNarrow);
    }
  }
}

/** Predicts rows that are copies of the edge above. */
export function predictDown(to: usize, stride: usize, wide: i32, high: i32): void {
  for (let y = 0; y < high; y++, to += stride) {
    if (wide == 4) store<u64>(to, load<u64>(above));
    else for (let x: usize = 0; x < (<usize>wide) << 1; x += 16) v128.store(to + x, v128.load(above + x));
  }
}

/** Predicts columns that are copies of the left edge. */
export function predictAcross(to: usize, stride: usize, wide: i32, high: i32): void {
  for (let y: usize = 0; y < <usize>high; y++, to += stride) {
    const value = v128.load16_splat(left + (y << 1));
    if (wide == 4) v128.store64_lane(to, value, 0);
    else for (let x: usize = 0; x < (<usize>wide) << 1; x += 16) v128.store(to + x, value);
  }
}

/**
 * Predicts along an angle in degrees, neither 90 nor 180.
 * @param insideX columns of the block inside the frame @param aboveCount samples there are above
 */
export function predictDirection(
  to: usize,
  stride: usize,
  angle: i32,
  wide: i32,
  high: i32,
  isSmooth: boolean,
  insideX: i32,
  insideY: i32,
  aboveCount: i32,
  leftCount: i32,
): void {
  const total = wide + high;
  let upAbove = false;
  let upLeft = false;
  if (enableEdgeFilter) {
    if (angle > 90 && angle < 180 && total >= 24) filterCorner();
    if (angle < 180) {
      const size = min(wide, insideX) + (angle < 90 ? high : 0) + 1;
      if (aboveCount > 0) filterEdge(above, size, strengthOf(total, isSmooth, angle - 90));
      // Samples beyond the edge repeat its last one, which may have changed.
      if (angle < 90) padEdge(above, total, total, load<u16>(above + ((<usize>total) << 1) - 2));
      upAbove = isEnlarged(total, isSmooth, angle - 90);
      if (upAbove) enlargeEdge(above, wide + (angle < 90 ? high : 0));
    }
    if (angle > 90) {
      const size = min(high, insideY) + (angle > 180 ? wide : 0) + 1;
      if (leftCount > 0) filterEdge(left, size, strengthOf(total, isSmooth, angle - 180));
      upLeft = isEnlarged(total, isSmooth, angle - 180);
      if (upLeft) enlargeEdge(left, high + (angle > 180 ? wide : 0));
    }
  }
  if (angle < 90) fromEdge(to, stride, above, derivative(angle), wide, high, upAbove);
  else if (angle > 180) {
    fromEdge(turned, STRIDE, left, derivative(270 - angle), high, wide, upLeft);
    turn(turned, STRIDE, to, stride, high, wide, wide == 4);
  } else {
    const dx = derivative(180 - angle);
    fromBoth(to, stride, dx, derivative(angle - 90), wide, high, i32(upAbove), i32(upLeft));
  }
}
