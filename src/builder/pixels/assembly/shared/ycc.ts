/** Converts rows of pixels to rows of Y, Cb and Cr samples (JFIF 1.02), with libjpeg's fixed point arithmetic. */

/** Pairs of 16-bit factors with 16 fraction bits. The factor 0.587 is split, because each must be below one half. */
const Y_RG: i32 = 19595 | (22086 << 16);
const Y_BG: i32 = 7471 | (16384 << 16);
const CB_RG: i32 = (-11059 & 0xffff) | (-21709 << 16);
const CR_BG: i32 = (-5329 & 0xffff) | (-27439 << 16);
/** A quarter, as the first factor of a pair. Its product is doubled, because 16 bits cannot hold one half. */
const QUARTER: i32 = 16384;
const HALF: i32 = 1 << 15;
const CENTRE: i32 = (128 << 16) + HALF - 1;

@inline
function luma(rg: v128, bg: v128): v128 {
  const sum = i32x4.add(i32x4.dot_i16x8_s(rg, i32x4.splat(Y_RG)), i32x4.dot_i16x8_s(bg, i32x4.splat(Y_BG)));
  return i32x4.shr_u(i32x4.add(sum, i32x4.splat(HALF)), 16);
}

/** Returns half of the first sample of `own` minus the weighted `others`. */
@inline
function chroma(own: v128, others: v128, weights: i32): v128 {
  const half = i32x4.shl(i32x4.dot_i16x8_s(own, i32x4.splat(QUARTER)), 1);
  const sum = i32x4.add(half, i32x4.dot_i16x8_s(others, i32x4.splat(weights)));
  return i32x4.shr_u(i32x4.add(sum, i32x4.splat(CENTRE)), 16);
}

@inline
function storeEight(at: usize, low: v128, high: v128): void {
  const words = i16x8.narrow_i32x4_s(low, high);
  v128.store64_lane(at, i8x16.narrow_i16x8_u(words, words), 0);
}

/** Converts eight pixels at once. Reads up to 24 bytes past the end of the row, writes up to 7 past each plane. */
export function convertRow(rgb: usize, width: i32, y: usize, cb: usize, cr: usize): void {
  const zero = i8x16.splat(0);
  for (let x: usize = 0; x < <usize>width; x += 8) {
    const a = v128.load(rgb + 3 * x);
    const b = v128.load(rgb + 3 * x, 8);
    const rgLow = v128.shuffle<i8>(a, zero, 0, 16, 1, 16, 3, 16, 4, 16, 6, 16, 7, 16, 9, 16, 10, 16);
    const bgLow = v128.shuffle<i8>(a, zero, 2, 16, 1, 16, 5, 16, 4, 16, 8, 16, 7, 16, 11, 16, 10, 16);
    const rgHigh = v128.shuffle<i8>(b, zero, 4, 16, 5, 16, 7, 16, 8, 16, 10, 16, 11, 16, 13, 16, 14, 16);
    const bgHigh = v128.shuffle<i8>(b, zero, 6, 16, 5, 16, 9, 16, 8, 16, 12, 16, 11, 16, 15, 16, 14, 16);
    storeEight(y + x, luma(rgLow, bgLow), luma(rgHigh, bgHigh));
    storeEight(cb + x, chroma(bgLow, rgLow, CB_RG), chroma(bgHigh, rgHigh, CB_RG));
    storeEight(cr + x, chroma(rgLow, bgLow, CR_BG), chroma(rgHigh, bgHigh, CR_BG));
  }
}

/** Averages two rows to one of half the width. The bias alternates, as in libjpeg, so that rounding does not drift. */
export function halveRows(upper: usize, lower: usize, width: i32, out: usize): void {
  const bias = i32x4.splat(1 | (2 << 16));
  for (let x: usize = 0; x < <usize>width; x += 16) {
    const sums = i16x8.add(
      i16x8.extadd_pairwise_i8x16_u(v128.load(upper + x)),
      i16x8.extadd_pairwise_i8x16_u(v128.load(lower + x)),
    );
    const average = i16x8.shr_u(i16x8.add(sums, bias), 2);
    v128.store64_lane(out + (x >> 1), i8x16.narrow_i16x8_u(average, average), 0);
  }
}

/** Repeats the last sample of a row from `width` to `padded`. */
export function extendRow(row: usize, width: i32, padded: i32): void {
  memory.fill(row + width, load<u8>(row + width - 1), padded - width);
}
