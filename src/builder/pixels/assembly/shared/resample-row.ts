/**
 * The two passes of a separable resize of one channel. Input samples are bytes. After the vertical pass, samples have
 * 16 bits with 6 fraction bits, which leaves room for the overshoot of Lanczos (up to about ±2x).
 */
import { WEIGHT_BITS } from "./lanczos";

/** Fraction bits of the 16-bit samples after each pass. */
export const FRACTION_BITS: i32 = 6;

const VERTICAL_SHIFT: i32 = WEIGHT_BITS - FRACTION_BITS;

@inline
function multiplyAdd(a: v128, b: v128): v128 {
  return i32x4.dot_i16x8_s(a, b);
}

/** Converts one row of bytes to 16-bit samples. This is the vertical pass if the height does not change. */
export function widenRow(row: usize, width: i32, line: usize): void {
  for (let x: usize = 0; x < <usize>width; x += 16) {
    const bytes = v128.load(row + x);
    const at = line + (x << 1);
    v128.store(at, i16x8.shl(i16x8.extend_low_i8x16_u(bytes), FRACTION_BITS));
    v128.store(at, i16x8.shl(i16x8.extend_high_i8x16_u(bytes), FRACTION_BITS), 16);
  }
}

/**
 * Does the vertical pass: blends `taps` rows, an even number, into one line of 16-bit samples.
 * @param rows addresses (usize) of the rows of bytes, from top to bottom
 * @param weights `taps` i16 weights
 */
export function blendRows(rows: usize, taps: i32, weights: usize, width: i32, line: usize): void {
  const rounding = i32x4.splat(1 << (VERTICAL_SHIFT - 1));
  for (let x: usize = 0; x < <usize>width; x += 16) {
    let sum0 = rounding;
    let sum1 = rounding;
    let sum2 = rounding;
    let sum3 = rounding;
    for (let t: usize = 0; t < <usize>taps; t += 2) {
      const upper = v128.load(load<usize>(rows + (t << 2)) + x);
      const lower = v128.load(load<usize>(rows + (t << 2), 4) + x);
      const pair = v128.load32_splat(weights + (t << 1));
      // Interleaves the samples of both rows, so that one dot product weighs both.
      const low = v128.shuffle<i8>(upper, lower, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
      const high = v128.shuffle<i8>(
        upper,
        lower,
        8,
        24,
        9,
        25,
        10,
        26,
        11,
        27,
        12,
        28,
        13,
        29,
        14,
        30,
        15,
        31,
      );
      sum0 = i32x4.add(sum0, multiplyAdd(i16x8.extend_low_i8x16_u(low), pair));
      sum1 = i32x4.add(sum1, multiplyAdd(i16x8.extend_high_i8x16_u(low), pair));
      sum2 = i32x4.add(sum2, multiplyAdd(i16x8.extend_low_i8x16_u(high), pair));
      sum3 = i32x4.add(sum3, multiplyAdd(i16x8.extend_high_i8x16_u(high), pair));
    }
    const at = line + (x << 1);
    const left = i16x8.narrow_i32x4_s(i32x4.shr_s(sum0, VERTICAL_SHIFT), i32x4.shr_s(sum1, VERTICAL_SHIFT));
    const right = i16x8.narrow_i32x4_s(i32x4.shr_s(sum2, VERTICAL_SHIFT), i32x4.shr_s(sum3, VERTICAL_SHIFT));
    v128.store(at, left);
    v128.store(at, right, 16);
  }
}

/** Computes four partial sums of one output sample. `bytes` is the length of its weights. */
@inline
function weigh(samples: usize, weights: usize, bytes: usize): v128 {
  let sum = multiplyAdd(v128.load(samples), v128.load(weights));
  if (bytes > 16) sum = i32x4.add(sum, multiplyAdd(v128.load(samples, 16), v128.load(weights, 16)));
  for (let t: usize = 32; t < bytes; t += 16) {
    sum = i32x4.add(sum, multiplyAdd(v128.load(samples + t), v128.load(weights + t)));
  }
  return sum;
}

/**
 * Does the horizontal pass: resamples one line to `outputs` samples of the same 16-bit format. `taps` must be a
 * multiple of 8. The line must be readable for `taps` samples past its end; their weights are zero.
 */
export function resampleLine(
  line: usize,
  starts: usize,
  weights: usize,
  taps: i32,
  outputs: i32,
  output: usize,
): void {
  const bytes = (<usize>taps) << 1;
  const rounding = i32x4.splat(1 << (WEIGHT_BITS - 1));
  let w = weights;
  let x = 0;
  for (; x + 4 <= outputs; x += 4) {
    const s = starts + ((<usize>x) << 2);
    const a = weigh(line + (load<usize>(s) << 1), w, bytes);
    const b = weigh(line + (load<usize>(s, 4) << 1), w + bytes, bytes);
    const c = weigh(line + (load<usize>(s, 8) << 1), w + 2 * bytes, bytes);
    const d = weigh(line + (load<usize>(s, 12) << 1), w + 3 * bytes, bytes);
    w += bytes << 2;
    // Transposes 4 x 4 lanes and adds them: lane i of the result is the total of the i-th accumulator.
    const ab = i32x4.add(v128.shuffle<i32>(a, b, 0, 4, 1, 5), v128.shuffle<i32>(a, b, 2, 6, 3, 7));
    const cd = i32x4.add(v128.shuffle<i32>(c, d, 0, 4, 1, 5), v128.shuffle<i32>(c, d, 2, 6, 3, 7));
    const sums = i32x4.add(v128.shuffle<i64>(ab, cd, 0, 2), v128.shuffle<i64>(ab, cd, 1, 3));
    const result = i32x4.shr_s(i32x4.add(sums, rounding), WEIGHT_BITS);
    v128.store64_lane(output + ((<usize>x) << 1), i16x8.narrow_i32x4_s(result, result), 0);
  }
  for (; x < outputs; x++) {
    const a = weigh(line + (load<usize>(starts + ((<usize>x) << 2)) << 1), w, bytes);
    w += bytes;
    const left = i32x4.extract_lane(a, 0) + i32x4.extract_lane(a, 1);
    const right = i32x4.extract_lane(a, 2) + i32x4.extract_lane(a, 3);
    const total = (left + right + (1 << (WEIGHT_BITS - 1))) >> WEIGHT_BITS;
    store<i16>(output + ((<usize>x) << 1), <i16>total);
  }
}
