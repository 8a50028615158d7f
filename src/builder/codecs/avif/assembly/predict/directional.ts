/** Predictions along a direction, without the filter of edges (AV1 specification section 7.11.2.4). */
import { above, left, PREDICTION_STRIDE } from "./edges";

/** Dr_Intra_Derivative by angle / 2, for the angles that occur below 90 degrees. */
const DERIVATIVES = memory.data<u16>([
  0, 1023, 0, 547, 372, 0, 0, 273, 215, 0, 178, 151, 0, 132, 116, 0, 102, 0, 90, 80, 0, 71, 64, 0, 57, 51, 0,
  45, 0, 40, 35, 0, 31, 27, 0, 23, 19, 0, 15, 0, 11, 0, 7, 3, 0,
]);

/** The prediction from the left, as rows and turned to columns, with room for whole groups of eight. */
const turned = memory.data(64 * 64, 16);
const fromLeft = memory.data(64 * 64, 16);

/** Returns the samples per 64ths of a row or column. */
@inline
function derivative(angle: i32): i32 {
  return <i32>load<u16>(DERIVATIVES + (((<usize>angle) >> 1) << 1));
}

/** Mixes eight neighbours of an edge: `shift` 32nds of the second ones. */
@inline
function mix(edge: usize, shift: i32): v128 {
  const first = i16x8.mul(v128.load8x8_u(edge), i16x8.splat(<i16>(32 - shift)));
  const second = i16x8.mul(v128.load8x8_u(edge, 1), i16x8.splat(<i16>shift));
  return i16x8.shr_u(i16x8.add(i16x8.add(first, second), i16x8.splat(16)), 5);
}

/** @param angle in degrees; neither 90 nor 180 */
export function predictDirection(out: usize, angle: i32, width: i32, height: i32): void {
  if (angle < 90) {
    fromEdge(out, above, derivative(angle), width, height);
  } else if (angle > 180) {
    fromEdge(turned, left, derivative(270 - angle), height, width);
    turn(turned, out, height, width);
  } else {
    fromBoth(out, derivative(180 - angle), derivative(angle - 90), width, height);
  }
}

/** Predicts rows that each begin `step` 64ths further along an edge. */
function fromEdge(out: usize, edge: usize, step: i32, width: i32, height: i32): void {
  const last = width + height - 1;
  for (let y = 0, at = step; y < height; y++, at += step, out += PREDICTION_STRIDE) {
    const base = min(at >> 6, last);
    const shift = (at >> 1) & 31;
    for (let x = 0; x < width; x += 8) {
      const row = mix(edge + min(base + x, last), shift);
      v128.store64_lane(out + x, i8x16.narrow_i16x8_u(row, row), 0);
    }
  }
}

/** Turns rows of `width` samples to columns. All reach up to the next multiple of eight. */
function turn(from: usize, to: usize, width: i32, height: i32): void {
  for (let y = 0; y < height; y += 8) {
    for (let x = 0; x < width; x += 8) {
      turn8(from + <usize>y * PREDICTION_STRIDE + x, to + <usize>x * PREDICTION_STRIDE + y);
    }
  }
}

@inline
function pairOfRows(at: usize): v128 {
  const first = v128.load64_zero(at);
  const second = v128.load64_zero(at, PREDICTION_STRIDE);
  return v128.shuffle<u8>(first, second, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}

@inline
function storeRows(to: usize, rows: v128): void {
  v128.store64_lane(to, rows, 0);
  v128.store64_lane(to, rows, 1, PREDICTION_STRIDE);
}

@inline
function turn8(from: usize, to: usize): void {
  const a = pairOfRows(from);
  const b = pairOfRows(from + 2 * PREDICTION_STRIDE);
  const c = pairOfRows(from + 4 * PREDICTION_STRIDE);
  const d = pairOfRows(from + 6 * PREDICTION_STRIDE);
  const abLow = v128.shuffle<u16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
  const abHigh = v128.shuffle<u16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
  const cdLow = v128.shuffle<u16>(c, d, 0, 8, 1, 9, 2, 10, 3, 11);
  const cdHigh = v128.shuffle<u16>(c, d, 4, 12, 5, 13, 6, 14, 7, 15);
  storeRows(to, v128.shuffle<u32>(abLow, cdLow, 0, 4, 1, 5));
  storeRows(to + 2 * PREDICTION_STRIDE, v128.shuffle<u32>(abLow, cdLow, 2, 6, 3, 7));
  storeRows(to + 4 * PREDICTION_STRIDE, v128.shuffle<u32>(abHigh, cdHigh, 0, 4, 1, 5));
  storeRows(to + 6 * PREDICTION_STRIDE, v128.shuffle<u32>(abHigh, cdHigh, 2, 6, 3, 7));
}

/**
 * Returns eight samples of a row or column that begins `start` 64ths along an edge. Samples before the corner have no
 * meaning.
 */
@inline
function mixFrom(edge: usize, start: i32, offset: i32): v128 {
  const row = mix(edge + max((start >> 6) + offset, -9), (start >> 1) & 31);
  return i8x16.narrow_i16x8_u(row, row);
}

/** Returns the columns of row y that lie beyond the corner, and so are predicted from the left. */
@inline
function columnsFromLeft(y: i32, dx: i32, width: i32): i32 {
  return min(max(-1 - ((-(y + 1) * dx) >> 6), 0), width);
}

/** Predicts samples from the edge above where the direction meets it, and from the left one elsewhere. */
function fromBoth(out: usize, dx: i32, dy: i32, width: i32, height: i32): void {
  const most = columnsFromLeft(height - 1, dx, width);
  if (most > 0) {
    for (let x = 0; x < most; x++) {
      for (let y = 0; y < height; y += 8) {
        const column = mixFrom(left, -(x + 1) * dy, y);
        v128.store64_lane(turned + <usize>x * PREDICTION_STRIDE + y, column, 0);
      }
    }
    turn(turned, fromLeft, height, most);
  }
  const places = i8x16(0, 1, 2, 3, 4, 5, 6, 7, 0, 0, 0, 0, 0, 0, 0, 0);
  for (let y = 0; y < height; y++) {
    const at = <usize>y * PREDICTION_STRIDE;
    const first = columnsFromLeft(y, dx, width);
    for (let x = 0; x < width; x += 8) {
      let row = mixFrom(above, -(y + 1) * dx, x);
      if (x < first) {
        const isLeft = i8x16.lt_s(places, i8x16.splat(<i8>(first - x)));
        row = v128.bitselect(v128.load64_zero(fromLeft + at + x), row, isLeft);
      }
      v128.store64_lane(out + at + x, row, 0);
    }
  }
}
