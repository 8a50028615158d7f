/**
 * The transform of idct8.ts for blocks whose coefficients all lie in the top left 4 x 4, which most blocks are.
 * Because the others are zeros, each term of the odd part needs only a pair of factors. The results are
 * bit-identical.
 */
import {
  CONSTANT_BITS,
  F_0_390,
  F_0_541,
  F_0_765,
  F_0_899,
  F_1_175,
  F_1_501,
  F_1_961,
  F_2_562,
  F_3_072,
  SHIFT_1,
  SHIFT_2,
  WORK,
  dot,
  factors,
  interleaveHigh,
  interleaveLow,
  storeRow,
  storeTransposedBytes,
  transposeWork,
} from "./idct8";

/** The largest zigzag index such that all coefficients up to it are in rows and columns 0 to 3. */
export const LAST_IN_CORNER: i32 = 9;

/** Does one dimension of the transform on the eight columns of the work area, whose rows 4 to 7 are zeros. */
@inline
function transformColumns(shift: i32): void {
  const rounding = i32x4.splat(1 << (shift - 1));
  const zero = i16x8.splat(0);
  const r0 = v128.load(WORK, 0);
  const r1 = v128.load(WORK, 16);
  const r2 = v128.load(WORK, 32);
  const r3 = v128.load(WORK, 48);

  const t0l = i32x4.add(i32x4.shr_s(interleaveLow(zero, r0), 16 - CONSTANT_BITS), rounding);
  const t0h = i32x4.add(i32x4.shr_s(interleaveHigh(zero, r0), 16 - CONSTANT_BITS), rounding);
  const by2 = i16x8.splat(<i16>F_0_541);
  const by3 = i16x8.splat(<i16>(F_0_541 + F_0_765));
  const t2l = i32x4.extmul_low_i16x8_s(r2, by2);
  const t2h = i32x4.extmul_high_i16x8_s(r2, by2);
  const t3l = i32x4.extmul_low_i16x8_s(r2, by3);
  const t3h = i32x4.extmul_high_i16x8_s(r2, by3);

  const r31l = interleaveLow(r3, r1);
  const r31h = interleaveHigh(r3, r1);
  const to0 = factors(F_1_175 - F_1_961, F_1_175 - F_0_899);
  const to1 = factors(F_1_175 - F_2_562, F_1_175 - F_0_390);
  const to2 = factors(F_3_072 - F_2_562 + F_1_175 - F_1_961, F_1_175);
  const to3 = factors(F_1_175, F_1_501 - F_0_899 + F_1_175 - F_0_390);
  const o0l = dot(r31l, to0);
  const o0h = dot(r31h, to0);
  const o1l = dot(r31l, to1);
  const o1h = dot(r31h, to1);
  const o2l = dot(r31l, to2);
  const o2h = dot(r31h, to2);
  const o3l = dot(r31l, to3);
  const o3h = dot(r31h, to3);

  const e0l = i32x4.add(t0l, t3l);
  const e0h = i32x4.add(t0h, t3h);
  storeRow(0, i32x4.add(e0l, o3l), i32x4.add(e0h, o3h), shift);
  storeRow(7, i32x4.sub(e0l, o3l), i32x4.sub(e0h, o3h), shift);
  const e1l = i32x4.add(t0l, t2l);
  const e1h = i32x4.add(t0h, t2h);
  storeRow(1, i32x4.add(e1l, o2l), i32x4.add(e1h, o2h), shift);
  storeRow(6, i32x4.sub(e1l, o2l), i32x4.sub(e1h, o2h), shift);
  const e2l = i32x4.sub(t0l, t2l);
  const e2h = i32x4.sub(t0h, t2h);
  storeRow(2, i32x4.add(e2l, o1l), i32x4.add(e2h, o1h), shift);
  storeRow(5, i32x4.sub(e2l, o1l), i32x4.sub(e2h, o1h), shift);
  const e3l = i32x4.sub(t0l, t3l);
  const e3h = i32x4.sub(t0h, t3h);
  storeRow(3, i32x4.add(e3l, o0l), i32x4.add(e3h, o0h), shift);
  storeRow(4, i32x4.sub(e3l, o0l), i32x4.sub(e3h, o0h), shift);
}

/** Does the same as `idct8`, for blocks without a coefficient after LAST_IN_CORNER. */
export function idct8Corner(block: usize, quant: usize, out: usize, stride: usize): void {
  const zero = i16x8.splat(0);
  for (let row: usize = 0; row < 64; row += 16) {
    v128.store(WORK + row, i16x8.mul(v128.load(block + row), v128.load(quant + row)));
    v128.store(block + row, zero);
  }
  transformColumns(SHIFT_1);
  transposeWork();
  transformColumns(SHIFT_2);
  storeTransposedBytes(out, stride);
}
