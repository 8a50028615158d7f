/**
 * Converts rows of pixels to rows of Y, Cb and Cr (JFIF 1.02), as i16 around zero with two fraction bits. With samples
 * that are rounded to whole numbers, a file of the same quality would be 1 to 3 % larger.
 */

/** A sample has 16 bits, of which two are a fraction. */
export const SAMPLE_BYTES: i32 = 2;
const FRACTION_BITS: i32 = 2;
const MIDDLE: i32 = 128 << FRACTION_BITS;

/** Pairs of 16-bit factors with 16 fraction bits. 0.587 is split to stay below one half. */
const Y_RG: i32 = 19595 | (22086 << 16);
const Y_BG: i32 = 7471 | (16384 << 16);
const CB_RG: i32 = (-11059 & 0xffff) | (-21709 << 16);
const CR_BG: i32 = (-5329 & 0xffff) | (-27439 << 16);
/** A factor of one quarter for the first of a pair. The result is doubled, because 16 bits cannot hold one half. */
const QUARTER: i32 = 16384;
const SHIFT: i32 = 16 - FRACTION_BITS;
const HALF: i32 = 1 << (SHIFT - 1);

@inline
function luma(rg: v128, bg: v128): v128 {
  const sum = i32x4.add(i32x4.dot_i16x8_s(rg, i32x4.splat(Y_RG)), i32x4.dot_i16x8_s(bg, i32x4.splat(Y_BG)));
  return i32x4.shr_s(i32x4.add(sum, i32x4.splat(HALF - (128 << 16))), SHIFT);
}

/** Returns half of the first of each pair of `own`, plus the weighted `others`, whose weights are negative. */
@inline
function chroma(own: v128, others: v128, weights: i32): v128 {
  const half = i32x4.shl(i32x4.dot_i16x8_s(own, i32x4.splat(QUARTER)), 1);
  const sum = i32x4.add(half, i32x4.dot_i16x8_s(others, i32x4.splat(weights)));
  return i32x4.shr_s(i32x4.add(sum, i32x4.splat(HALF)), SHIFT);
}

/**
 * Converts a row of RGB, eight pixels at a time. Reads up to 24 bytes past the row, writes up to 14 past its planes.
 */
export function convertColours(rgb: usize, width: i32, y: usize, cb: usize, cr: usize): void {
  const zero = i8x16.splat(0);
  for (let x: usize = 0; x < <usize>width; x += 8) {
    const a = v128.load(rgb + 3 * x);
    const b = v128.load(rgb + 3 * x, 8);
    const rgLow = v128.shuffle<i8>(a, zero, 0, 16, 1, 16, 3, 16, 4, 16, 6, 16, 7, 16, 9, 16, 10, 16);
    const bgLow = v128.shuffle<i8>(a, zero, 2, 16, 1, 16, 5, 16, 4, 16, 8, 16, 7, 16, 11, 16, 10, 16);
    const rgHigh = v128.shuffle<i8>(b, zero, 4, 16, 5, 16, 7, 16, 8, 16, 10, 16, 11, 16, 13, 16, 14, 16);
    const bgHigh = v128.shuffle<i8>(b, zero, 6, 16, 5, 16, 9, 16, 8, 16, 12, 16, 11, 16, 15, 16, 14, 16);
    const at = x * SAMPLE_BYTES;
    v128.store(y + at, i16x8.narrow_i32x4_s(luma(rgLow, bgLow), luma(rgHigh, bgHigh)));
    v128.store(cb + at, i16x8.narrow_i32x4_s(chroma(bgLow, rgLow, CB_RG), chroma(bgHigh, rgHigh, CB_RG)));
    v128.store(cr + at, i16x8.narrow_i32x4_s(chroma(rgLow, bgLow, CR_BG), chroma(rgHigh, bgHigh, CR_BG)));
  }
}

/** Converts a row of gray, eight pixels at a time. Reads up to 7 bytes past the row, writes up to 14 past its plane. */
export function convertGray(gray: usize, width: i32, y: usize): void {
  const middle = i16x8.splat(<i16>MIDDLE);
  for (let x: usize = 0; x < <usize>width; x += 8) {
    const values = i16x8.shl(v128.load8x8_u(gray + x), FRACTION_BITS);
    v128.store(y + x * SAMPLE_BYTES, i16x8.sub(values, middle));
  }
}

/** Repeats the last sample of a row from `width` to `padded`. */
export function extendSamples(row: usize, width: i32, padded: i32): void {
  const last = load<i16>(row + <usize>(width - 1) * SAMPLE_BYTES);
  for (let x = <usize>width; x < <usize>padded; x++) store<i16>(row + x * SAMPLE_BYTES, last);
}

/** Adds each two neighbours of eight samples. */
@inline
function pairs(samples: v128): v128 {
  return i32x4.extadd_pairwise_i16x8_s(samples);
}

/**
 * Makes one row of half the width from two: each sample is the mean of a square of four. `width` is a multiple of 16.
 */
export function halveSamples(upper: usize, lower: usize, width: i32, out: usize): void {
  const bytes = <usize>(width * SAMPLE_BYTES);
  const half = i32x4.splat(2);
  for (let x: usize = 0; x < bytes; x += 32) {
    const left = i32x4.add(pairs(v128.load(upper + x)), pairs(v128.load(lower + x)));
    const right = i32x4.add(pairs(v128.load(upper + x, 16)), pairs(v128.load(lower + x, 16)));
    v128.store(
      out + (x >> 1),
      i16x8.narrow_i32x4_s(i32x4.shr_s(i32x4.add(left, half), 2), i32x4.shr_s(i32x4.add(right, half), 2)),
    );
  }
}

/** Returns the sum of the squared differences between the samples of two rows and the means that replace them. */
export function lostByHalving(upper: usize, lower: usize, width: i32, means: usize): f64 {
  const bytes = <usize>(width * SAMPLE_BYTES);
  let sum = i64x2.splat(0);
  for (let x: usize = 0; x < bytes; x += 16) {
    const four = v128.load64_zero(means + (x >> 1));
    const mean = v128.shuffle<i16>(four, four, 0, 0, 1, 1, 2, 2, 3, 3);
    const above = i16x8.sub(v128.load(upper + x), mean);
    const below = i16x8.sub(v128.load(lower + x), mean);
    const squares = i32x4.add(i32x4.dot_i16x8_s(above, above), i32x4.dot_i16x8_s(below, below));
    sum = i64x2.add(sum, i64x2.extend_low_i32x4_s(squares));
    sum = i64x2.add(sum, i64x2.extend_high_i32x4_s(squares));
  }
  const whole = i64x2.extract_lane(sum, 0) + i64x2.extract_lane(sum, 1);
  return <f64>whole / <f64>(1 << (2 * FRACTION_BITS));
}
