/**
 * Adds the predictions of a row of pixels to it: the inverse of the predictor transform (RFC 9649, 4.1). A prediction
 * from pixels of the row above alone is made for four pixels at a time, another one for four channels.
 */
import { average, sum } from "./arithmetic";

const BLACK: u32 = 0xff000000;
const LEFT: i32 = 1;
const ABOVE: i32 = 2;

@inline
function addFour(at: usize, prediction: v128): void {
  v128.store(at, i8x16.add(v128.load(at), prediction));
}

/** Adds to the pixel at `at`, and returns the sum. */
@inline
function addOne(at: usize, prediction: v128): v128 {
  const pixel = i8x16.add(v128.load32_zero(at), prediction);
  v128.store32_lane(at, pixel, 0);
  return pixel;
}

@inline
function one(at: usize): v128 {
  return v128.load32_zero(at);
}

@inline
function wide(pixel: v128): v128 {
  return i16x8.extend_low_i8x16_u(pixel);
}

/** Returns the sum of the four channels' differences. */
@inline
function distance(a: v128, b: v128): i32 {
  const apart = v128.or(i8x16.sub_sat_u(a, b), i8x16.sub_sat_u(b, a));
  const pairs = i16x8.extadd_pairwise_i8x16_u(apart);
  return i32x4.extract_lane(i32x4.extadd_pairwise_i16x8_s(pairs), 0);
}

function addBlack(at: usize, end: usize): void {
  for (; at + 16 <= end; at += 16) addFour(at, i32x4.splat(BLACK));
  for (; at < end; at += 4) addOne(at, i32x4.splat(BLACK));
}

/** Adds the pixel to the left, of which the sums up to four pixels are made at once. */
function addLeft(at: usize, end: usize): void {
  const none = i32x4.splat(0);
  let left = v128.load32_splat(at - 4);
  for (; at + 16 <= end; at += 16) {
    let pixels = v128.load(at);
    pixels = i8x16.add(
      pixels,
      v128.shuffle<i8>(none, pixels, 0, 0, 0, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27),
    );
    pixels = i8x16.add(
      pixels,
      v128.shuffle<i8>(none, pixels, 0, 0, 0, 0, 0, 0, 0, 0, 16, 17, 18, 19, 20, 21, 22, 23),
    );
    pixels = i8x16.add(pixels, left);
    v128.store(at, pixels);
    left = v128.shuffle<i32>(pixels, pixels, 3, 3, 3, 3);
  }
  for (; at < end; at += 4) left = addOne(at, left);
}

/** Adds the pixel `offset` bytes from the one above. */
function addUpper(at: usize, end: usize, above: usize): void {
  for (; at + 16 <= end; at += 16, above += 16) addFour(at, v128.load(above));
  for (; at < end; at += 4, above += 4) addOne(at, one(above));
}

/** Adds the average of two pixels of the row above. */
function addUpperAverage(at: usize, end: usize, first: usize, second: usize): void {
  for (; at + 16 <= end; at += 16, first += 16, second += 16) {
    addFour(at, average(v128.load(first), v128.load(second)));
  }
  for (; at < end; at += 4, first += 4, second += 4) addOne(at, average(one(first), one(second)));
}

/** Adds the average of the pixel to the left and one of the row above. */
function addAverage(at: usize, end: usize, upper: usize): void {
  let left = one(at - 4);
  for (; at < end; at += 4, upper += 4) left = addOne(at, average(left, one(upper)));
}

/** Adds the average of the pixel above with that of the left one and the upper right one. */
function addAverageOfThree(at: usize, end: usize, above: usize): void {
  let left = one(at - 4);
  for (; at < end; at += 4, above += 4) {
    left = addOne(at, average(average(left, one(above + 4)), one(above)));
  }
}

function addAverageOfFour(at: usize, end: usize, above: usize): void {
  let left = one(at - 4);
  for (; at < end; at += 4, above += 4) {
    const upper = average(one(above), one(above + 4));
    left = addOne(at, average(average(left, one(above - 4)), upper));
  }
}

/** Adds the neighbour that is nearer, over all channels, to `left + above - corner`. */
function addNearer(at: usize, end: usize, above: usize): void {
  let left = one(at - 4);
  let corner = one(above - 4);
  for (; at < end; at += 4, above += 4) {
    const upper = one(above);
    const isLeft = distance(upper, corner) < distance(left, corner);
    left = addOne(at, isLeft ? left : upper);
    corner = upper;
  }
}

/** Adds `left + above - corner`, clamped. */
function addSlope(at: usize, end: usize, above: usize): void {
  let left = one(at - 4);
  for (; at < end; at += 4, above += 4) {
    const slope = i16x8.sub(wide(one(above)), wide(one(above - 4)));
    const predicted = i16x8.add(wide(left), slope);
    left = addOne(at, i8x16.narrow_i16x8_u(predicted, predicted));
  }
}

/** Adds the average of the left pixel and the one above, and half of what it is from the corner; clamped. */
function addHalfSlope(at: usize, end: usize, above: usize): void {
  let left = one(at - 4);
  for (; at < end; at += 4, above += 4) {
    const mean = wide(average(left, one(above)));
    const apart = i16x8.sub(mean, wide(one(above - 4)));
    // Half of a negative difference is rounded towards zero.
    const half = i16x8.shr_s(i16x8.sub(apart, i16x8.shr_s(apart, 15)), 1);
    const predicted = i16x8.add(mean, half);
    left = addOne(at, i8x16.narrow_i16x8_u(predicted, predicted));
  }
}

/** Adds the predictions in the way `mode` to the pixels from `at` to `end`. `above` is the pixel above the first. */
function addRun(at: usize, end: usize, above: usize, mode: i32): void {
  switch (mode) {
    case LEFT:
      return addLeft(at, end);
    case ABOVE:
      return addUpper(at, end, above);
    case 3:
      return addUpper(at, end, above + 4);
    case 4:
      return addUpper(at, end, above - 4);
    case 5:
      return addAverageOfThree(at, end, above);
    case 6:
      return addAverage(at, end, above - 4);
    case 7:
      return addAverage(at, end, above);
    case 8:
      return addUpperAverage(at, end, above - 4, above);
    case 9:
      return addUpperAverage(at, end, above, above + 4);
    case 10:
      return addAverageOfFour(at, end, above);
    case 11:
      return addNearer(at, end, above);
    case 12:
      return addSlope(at, end, above);
    case 13:
      return addHalfSlope(at, end, above);
    default:
      return addBlack(at, end);
  }
}

/** Adds the predictions to the first row of an image. */
export function predictFirst(row: usize, width: i32): void {
  store<u32>(row, sum(load<u32>(row), BLACK));
  addLeft(row + 4, row + ((<usize>width) << 2));
}

/**
 * Adds the predictions to another row.
 * @param above the row above it, and room for one pixel more: the upper right one of the last pixel is the first of the
 *   row itself
 * @param modes how each tile of 2^`tileBits` pixels is predicted (u8)
 */
export function predictRow(row: usize, width: i32, above: usize, modes: usize, tileBits: i32): void {
  const first = sum(load<u32>(row), load<u32>(above));
  store<u32>(row, first);
  store<u32>(above + ((<usize>width) << 2), first);
  for (let x = 1; x < width;) {
    const tile = x >> tileBits;
    const end = min(width, (tile + 1) << tileBits);
    const from = (<usize>x) << 2;
    addRun(row + from, row + ((<usize>end) << 2), above + from, load<u8>(modes + tile));
    x = end;
  }
}
