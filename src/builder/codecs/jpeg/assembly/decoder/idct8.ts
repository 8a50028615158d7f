/**
 * The inverse DCT at full size: libjpeg's "islow" integer transform (jidctint.c, after Loeffler, Ligtenberg
 * and Moschytz) with the 16-bit steps of its SIMD versions. Full-size decodes are bit-identical to libjpeg-turbo's.
 */

/** cos and sin terms of jidctint.c, times 2^13. */
const F_0_298: i32 = 2446;
export const F_0_390: i32 = 3196;
export const F_0_541: i32 = 4433;
export const F_0_765: i32 = 6270;
export const F_0_899: i32 = 7373;
export const F_1_175: i32 = 9633;
export const F_1_501: i32 = 12299;
const F_1_847: i32 = 15137;
export const F_1_961: i32 = 16069;
const F_2_053: i32 = 16819;
export const F_2_562: i32 = 20995;
export const F_3_072: i32 = 25172;
export const CONSTANT_BITS: i32 = 13;
/** Fraction bits kept between the passes. */
const PASS_1_BITS: i32 = 2;
export const SHIFT_1: i32 = CONSTANT_BITS - PASS_1_BITS;
export const SHIFT_2: i32 = CONSTANT_BITS + PASS_1_BITS + 3;

/** The work area: eight rows of eight i16 between the steps of idct8. */
export const WORK: usize = memory.data(128, 16);

@inline
export function interleaveLow(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}
@inline
export function interleaveHigh(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}
@inline
function interleaveBytesLow(a: v128, b: v128): v128 {
  return v128.shuffle<i8>(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}
@inline
function interleaveBytesHigh(a: v128, b: v128): v128 {
  return v128.shuffle<i8>(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}
@inline
export function dot(a: v128, b: v128): v128 {
  return i32x4.dot_i16x8_s(a, b);
}
/** Returns two factors, repeated, for a dot product over interleaved rows. */
@inline
export function factors(a: i32, b: i32): v128 {
  return i32x4.splat((a & 0xffff) | (b << 16));
}
/** Writes one row of the work area from two halves of 32-bit lanes. */
@inline
export function storeRow(row: usize, low: v128, high: v128, shift: i32): void {
  v128.store(WORK + row * 16, i16x8.narrow_i32x4_s(i32x4.shr_s(low, shift), i32x4.shr_s(high, shift)));
}

/** Does one dimension of the transform on the eight columns of the work area at once. */
@inline
function transformColumns(shift: i32): void {
  const rounding = i32x4.splat(1 << (shift - 1));
  const zero = i16x8.splat(0);
  const r0 = v128.load(WORK, 0);
  const r1 = v128.load(WORK, 16);
  const r2 = v128.load(WORK, 32);
  const r3 = v128.load(WORK, 48);
  const r4 = v128.load(WORK, 64);
  const r5 = v128.load(WORK, 80);
  const r6 = v128.load(WORK, 96);
  const r7 = v128.load(WORK, 112);

  // Even part. Interleaving with zeros as the low halves, then shifting right by 16 - 13, multiplies by 2^13 in 32
  // bits.
  const r26l = interleaveLow(r2, r6);
  const r26h = interleaveHigh(r2, r6);
  const by3 = factors(F_0_541 + F_0_765, F_0_541);
  const by2 = factors(F_0_541, F_0_541 - F_1_847);
  const sum = i16x8.add(r0, r4);
  const difference = i16x8.sub(r0, r4);
  const t0l = i32x4.add(i32x4.shr_s(interleaveLow(zero, sum), 16 - CONSTANT_BITS), rounding);
  const t0h = i32x4.add(i32x4.shr_s(interleaveHigh(zero, sum), 16 - CONSTANT_BITS), rounding);
  const t1l = i32x4.add(i32x4.shr_s(interleaveLow(zero, difference), 16 - CONSTANT_BITS), rounding);
  const t1h = i32x4.add(i32x4.shr_s(interleaveHigh(zero, difference), 16 - CONSTANT_BITS), rounding);
  const t2l = dot(r26l, by2);
  const t2h = dot(r26h, by2);
  const t3l = dot(r26l, by3);
  const t3h = dot(r26h, by3);

  // Odd part: the products z1 to z5 of jidctint.c are combined into pairs of factors.
  const z3 = i16x8.add(r3, r7);
  const z4 = i16x8.add(r1, r5);
  const z34l = interleaveLow(z3, z4);
  const z34h = interleaveHigh(z3, z4);
  const z3l = dot(z34l, factors(F_1_175 - F_1_961, F_1_175));
  const z3h = dot(z34h, factors(F_1_175 - F_1_961, F_1_175));
  const z4l = dot(z34l, factors(F_1_175, F_1_175 - F_0_390));
  const z4h = dot(z34h, factors(F_1_175, F_1_175 - F_0_390));
  const r71l = interleaveLow(r7, r1);
  const r71h = interleaveHigh(r7, r1);
  const r53l = interleaveLow(r5, r3);
  const r53h = interleaveHigh(r5, r3);
  const o0l = i32x4.add(dot(r71l, factors(F_0_298 - F_0_899, -F_0_899)), z3l);
  const o0h = i32x4.add(dot(r71h, factors(F_0_298 - F_0_899, -F_0_899)), z3h);
  const o1l = i32x4.add(dot(r53l, factors(F_2_053 - F_2_562, -F_2_562)), z4l);
  const o1h = i32x4.add(dot(r53h, factors(F_2_053 - F_2_562, -F_2_562)), z4h);
  const o2l = i32x4.add(dot(r53l, factors(-F_2_562, F_3_072 - F_2_562)), z3l);
  const o2h = i32x4.add(dot(r53h, factors(-F_2_562, F_3_072 - F_2_562)), z3h);
  const o3l = i32x4.add(dot(r71l, factors(-F_0_899, F_1_501 - F_0_899)), z4l);
  const o3h = i32x4.add(dot(r71h, factors(-F_0_899, F_1_501 - F_0_899)), z4h);

  const e0l = i32x4.add(t0l, t3l);
  const e0h = i32x4.add(t0h, t3h);
  storeRow(0, i32x4.add(e0l, o3l), i32x4.add(e0h, o3h), shift);
  storeRow(7, i32x4.sub(e0l, o3l), i32x4.sub(e0h, o3h), shift);
  const e1l = i32x4.add(t1l, t2l);
  const e1h = i32x4.add(t1h, t2h);
  storeRow(1, i32x4.add(e1l, o2l), i32x4.add(e1h, o2h), shift);
  storeRow(6, i32x4.sub(e1l, o2l), i32x4.sub(e1h, o2h), shift);
  const e2l = i32x4.sub(t1l, t2l);
  const e2h = i32x4.sub(t1h, t2h);
  storeRow(2, i32x4.add(e2l, o1l), i32x4.add(e2h, o1h), shift);
  storeRow(5, i32x4.sub(e2l, o1l), i32x4.sub(e2h, o1h), shift);
  const e3l = i32x4.sub(t0l, t3l);
  const e3h = i32x4.sub(t0h, t3h);
  storeRow(3, i32x4.add(e3l, o0l), i32x4.add(e3h, o0h), shift);
  storeRow(4, i32x4.sub(e3l, o0l), i32x4.sub(e3h, o0h), shift);
}

/** Transposes 8 x 8: interleaves the first half with the second, three times. */
@inline
export function transposeWork(): void {
  const r0 = v128.load(WORK, 0);
  const r1 = v128.load(WORK, 16);
  const r2 = v128.load(WORK, 32);
  const r3 = v128.load(WORK, 48);
  const r4 = v128.load(WORK, 64);
  const r5 = v128.load(WORK, 80);
  const r6 = v128.load(WORK, 96);
  const r7 = v128.load(WORK, 112);
  const a0 = interleaveLow(r0, r4);
  const a1 = interleaveHigh(r0, r4);
  const a2 = interleaveLow(r1, r5);
  const a3 = interleaveHigh(r1, r5);
  const a4 = interleaveLow(r2, r6);
  const a5 = interleaveHigh(r2, r6);
  const a6 = interleaveLow(r3, r7);
  const a7 = interleaveHigh(r3, r7);
  const b0 = interleaveLow(a0, a4);
  const b1 = interleaveHigh(a0, a4);
  const b2 = interleaveLow(a1, a5);
  const b3 = interleaveHigh(a1, a5);
  const b4 = interleaveLow(a2, a6);
  const b5 = interleaveHigh(a2, a6);
  const b6 = interleaveLow(a3, a7);
  const b7 = interleaveHigh(a3, a7);
  v128.store(WORK, interleaveLow(b0, b4), 0);
  v128.store(WORK, interleaveHigh(b0, b4), 16);
  v128.store(WORK, interleaveLow(b1, b5), 32);
  v128.store(WORK, interleaveHigh(b1, b5), 48);
  v128.store(WORK, interleaveLow(b2, b6), 64);
  v128.store(WORK, interleaveHigh(b2, b6), 80);
  v128.store(WORK, interleaveLow(b3, b7), 96);
  v128.store(WORK, interleaveHigh(b3, b7), 112);
}

/**
 * Writes the work area, whose rows hold columns, as 8 rows of bytes. The level shift of 128 is a flip of the sign
 * bit.
 */
@inline
export function storeTransposedBytes(out: usize, stride: usize): void {
  const sign = i8x16.splat(-128);
  const c01 = v128.xor(i8x16.narrow_i16x8_s(v128.load(WORK, 0), v128.load(WORK, 16)), sign);
  const c23 = v128.xor(i8x16.narrow_i16x8_s(v128.load(WORK, 32), v128.load(WORK, 48)), sign);
  const c45 = v128.xor(i8x16.narrow_i16x8_s(v128.load(WORK, 64), v128.load(WORK, 80)), sign);
  const c67 = v128.xor(i8x16.narrow_i16x8_s(v128.load(WORK, 96), v128.load(WORK, 112)), sign);
  const a0 = interleaveBytesLow(c01, c45);
  const a1 = interleaveBytesHigh(c01, c45);
  const a2 = interleaveBytesLow(c23, c67);
  const a3 = interleaveBytesHigh(c23, c67);
  const b0 = interleaveBytesLow(a0, a2);
  const b1 = interleaveBytesHigh(a0, a2);
  const b2 = interleaveBytesLow(a1, a3);
  const b3 = interleaveBytesHigh(a1, a3);
  storeTwoRows(out, stride, interleaveBytesLow(b0, b2));
  storeTwoRows(out + 2 * stride, stride, interleaveBytesHigh(b0, b2));
  storeTwoRows(out + 4 * stride, stride, interleaveBytesLow(b1, b3));
  storeTwoRows(out + 6 * stride, stride, interleaveBytesHigh(b1, b3));
}
@inline
function storeTwoRows(out: usize, stride: usize, rows: v128): void {
  v128.store64_lane(out, rows, 0);
  v128.store64_lane(out + stride, rows, 1);
}

/**
 * Transforms one block.
 * @param block 64 i16 coefficients in rows; set to zeros
 * @param quant 64 i16 steps in rows
 * @param out the block's first byte; its rows are `stride` bytes apart
 */
export function idct8(block: usize, quant: usize, out: usize, stride: usize): void {
  const zero = i16x8.splat(0);
  for (let row: usize = 0; row < 128; row += 16) {
    v128.store(WORK + row, i16x8.mul(v128.load(block + row), v128.load(quant + row)));
    v128.store(block + row, zero);
  }
  transformColumns(SHIFT_1);
  transposeWork();
  transformColumns(SHIFT_2);
  storeTransposedBytes(out, stride);
}
