/**
 * Picks the quantiser index of a superblock by the variance of its luma: the eye sees errors best where there is little
 * else to see.
 */
import { isHiddenBlock } from "../block/hidden";
import { codedHeight, codedWidth, sourceAt, sourceRow, SUPERBLOCK } from "../block/planes";
import { isDrawing } from "../palette/tools";
import { AC_STEPS } from "../tables/quantisers";

/** Log2 of the variance that gets the step of the frame. */
const USUAL_VARIANCE_LOG2: f64 = 7;
/** The power of the variance that steps follow, and the smallest and largest step there is, by that of the frame. */
const STRENGTH: f64 = 0.08;
const FINEST: f64 = 0.5;
const COARSEST: f64 = 1.3;
/** The block that stands for a superblock: this part of its blocks varies less. */
const RANK: f64 = 0.6;
/** Indices are coded in units of 1 << DELTA_RESOLUTION. */
export const DELTA_RESOLUTION: i32 = 2;

/** Variances of the blocks of 8 x 8 of a superblock, in ascending order. */
const variances = memory.data(64 * 4, 16);

/** Returns the variance of 8 x 8 samples, times 64 * 64. */
function variance8(at: usize, stride: usize): i32 {
  let sums = i16x8.splat(0);
  let squares = i32x4.splat(0);
  for (let y = 0; y < 8; y++, at += stride) {
    const row = v128.load8x8_u(at);
    sums = i16x8.add(sums, row);
    squares = i32x4.add(squares, i32x4.dot_i16x8_s(row, row));
  }
  const pairs = i32x4.dot_i16x8_s(sums, i16x8.splat(1));
  const sum = sumOf(pairs);
  return 64 * sumOf(squares) - sum * sum;
}

/** Returns the part of that which a slope of the samples makes: the squares of their slopes across and down. */
function slope8(at: usize, stride: usize): i32 {
  const places = i16x8(-7, -5, -3, -1, 1, 3, 5, 7);
  let across = i32x4.splat(0);
  let down = i32x4.splat(0);
  for (let y = 0; y < 8; y++, at += stride) {
    const row = v128.load8x8_u(at);
    across = i32x4.add(across, i32x4.dot_i16x8_s(row, places));
    down = i32x4.add(down, i32x4.dot_i16x8_s(row, i16x8.splat(<i16>(2 * y - 7))));
  }
  const x = <f64>sumOf(across);
  const y = <f64>sumOf(down);
  return <i32>((x * x + y * y) / 21);
}

@inline
function sumOf(lanes: v128): i32 {
  return (
    i32x4.extract_lane(lanes, 0) +
    i32x4.extract_lane(lanes, 1) +
    i32x4.extract_lane(lanes, 2) +
    i32x4.extract_lane(lanes, 3)
  );
}

/** Sorts the variances of the blocks of a superblock that show something. @returns how many there are */
function sortVariances(x: i32, y: i32): i32 {
  const right = min(x + SUPERBLOCK, codedWidth);
  const bottom = min(y + SUPERBLOCK, codedHeight);
  let count = 0;
  for (let row = y; row < bottom; row += 8) {
    for (let column = x; column < right; column += 8) {
      if (isHiddenBlock(column, row)) continue;
      const value = variance8(sourceAt(0, column, row), sourceRow());
      let at = variances + ((<usize>count) << 2);
      count++;
      for (; at > variances && load<i32>(at - 4) > value; at -= 4) store<i32>(at, load<i32>(at - 4));
      store<i32>(at, value);
    }
  }
  return count;
}

/** Returns the index of the superblock at (x, y), a multiple of the unit of deltas away from that of the frame. */
export function superblockIndex(x: i32, y: i32, frameIndex: i32): i32 {
  const count = sortVariances(x, y);
  if (!count) return frameIndex;
  const rank = <usize>(<f64>(count - 1) * RANK);
  const variance = Math.max(1, <f64>load<i32>(variances + (rank << 2)) / 4096);
  const wanted = Math.pow(2, STRENGTH * (Math.log2(variance) - USUAL_VARIANCE_LOG2));
  const factor = Math.min(Math.max(wanted, FINEST), COARSEST);
  const step = <f64>load<u16>(AC_STEPS + ((<usize>frameIndex) << 1)) * factor;
  let index = 1;
  while (index < 255 && <f64>load<u16>(AC_STEPS + ((<usize>index) << 1)) < step) index++;
  const unit = 1 << DELTA_RESOLUTION;
  const steps = <i32>nearest(<f64>(index - frameIndex) / <f64>unit);
  return min(255, max(1, frameIndex + steps * unit));
}

/**
 * Returns the largest variance of blocks of 8 x 8 in a superblock, times 64 * 64; that of a drawing without its slopes,
 * which are gradients there and not noise.
 */
export function mostVariance(x: i32, y: i32): i32 {
  const right = min(x + SUPERBLOCK, codedWidth);
  const bottom = min(y + SUPERBLOCK, codedHeight);
  let most = 0;
  for (let row = y; row < bottom; row += 8) {
    for (let column = x; column < right; column += 8) {
      const at = sourceAt(0, column, row);
      const variance = variance8(at, sourceRow());
      most = max(most, isDrawing ? variance - slope8(at, sourceRow()) : variance);
    }
  }
  return most;
}

/** The most of that in a superblock that is smooth: less than the noise of a photograph's sky. */
export const SMOOTH_VARIANCE: i32 = 7400;
