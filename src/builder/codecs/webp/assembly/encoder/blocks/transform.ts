/** The forward transforms that VP8's inverse transforms undo (RFC 6386, 14.3, 14.4), one block of 4 x 4 at a time. */
import { COEFFICIENT_BYTES } from "../../shared/inverse-transform";

// sin(pi / 8) and cos(pi / 8), times 4096 and sqrt(2).
const FORWARD_SIN: i32 = 2217;
const FORWARD_COS: i32 = 5352;

/** Transforms the residue of a prediction. Coefficients are in rows, at twice the orthonormal scale. */
@inline
export function forwardTransform(source: v128, prediction: v128, out: usize): void {
  const low = i16x8.sub(i16x8.extend_low_i8x16_u(source), i16x8.extend_low_i8x16_u(prediction));
  const high = i16x8.sub(i16x8.extend_high_i8x16_u(source), i16x8.extend_high_i8x16_u(prediction));
  // Transpose, so that each lane is a row.
  const c0 = v128.shuffle<i16>(low, high, 0, 4, 8, 12, 1, 5, 9, 13);
  const c2 = v128.shuffle<i16>(low, high, 2, 6, 10, 14, 3, 7, 11, 15);
  const swapped = v128.shuffle<i64>(c2, c2, 1, 0);
  // (d0 + d3 | d1 + d2) and (d0 - d3 | d1 - d2).
  const sums = i16x8.add(c0, swapped);
  const differences = i16x8.sub(c0, swapped);
  const a0 = i32x4.extend_low_i16x8_s(sums);
  const a1 = i32x4.extend_high_i16x8_s(sums);
  const a3 = i32x4.extend_low_i16x8_s(differences);
  const a2 = i32x4.extend_high_i16x8_s(differences);
  const sin = i32x4.splat(FORWARD_SIN);
  const cos = i32x4.splat(FORWARD_COS);
  const t0 = i32x4.shl(i32x4.add(a0, a1), 3);
  const t2 = i32x4.shl(i32x4.sub(a0, a1), 3);
  const t1 = i32x4.shr_s(i32x4.add(i32x4.add(i32x4.mul(a2, sin), i32x4.mul(a3, cos)), i32x4.splat(1812)), 9);
  const t3 = i32x4.shr_s(i32x4.add(i32x4.sub(i32x4.mul(a3, sin), i32x4.mul(a2, cos)), i32x4.splat(937)), 9);
  // Transpose back.
  const p = v128.shuffle<i32>(t0, t1, 0, 4, 1, 5);
  const q = v128.shuffle<i32>(t2, t3, 0, 4, 1, 5);
  const r = v128.shuffle<i32>(t0, t1, 2, 6, 3, 7);
  const s = v128.shuffle<i32>(t2, t3, 2, 6, 3, 7);
  const r0 = v128.shuffle<i64>(p, q, 0, 2);
  const r1 = v128.shuffle<i64>(p, q, 1, 3);
  const r2 = v128.shuffle<i64>(r, s, 0, 2);
  const r3 = v128.shuffle<i64>(r, s, 1, 3);
  const b0 = i32x4.add(r0, r3);
  const b1 = i32x4.add(r1, r2);
  const b2 = i32x4.sub(r1, r2);
  const b3 = i32x4.sub(r0, r3);
  const seven = i32x4.splat(7);
  const out0 = i32x4.shr_s(i32x4.add(i32x4.add(b0, b1), seven), 4);
  const out2 = i32x4.shr_s(i32x4.add(i32x4.sub(b0, b1), seven), 4);
  const rounded = i32x4.shr_s(
    i32x4.add(i32x4.add(i32x4.mul(b2, sin), i32x4.mul(b3, cos)), i32x4.splat(12000)),
    16,
  );
  // Adding one where b3 is not 0 cancels the bias of rounding.
  const out1 = i32x4.sub(rounded, i32x4.ne(b3, i32x4.splat(0)));
  const out3 = i32x4.shr_s(
    i32x4.add(i32x4.sub(i32x4.mul(b3, sin), i32x4.mul(b2, cos)), i32x4.splat(51000)),
    16,
  );
  v128.store(out, i16x8.narrow_i32x4_s(out0, out1));
  v128.store(out, i16x8.narrow_i32x4_s(out2, out3), 16);
}

/**
 * Implements the forward Walsh-Hadamard transform of the DC coefficients of 16 blocks (i16, every COEFFICIENT_BYTES).
 */
export function forwardWht(blocks: usize, out: usize): void {
  const t = memory.data(64);
  for (let i: usize = 0; i < 4; i++) {
    const row = blocks + i * 4 * COEFFICIENT_BYTES;
    const d0 = <i32>load<i16>(row);
    const d1 = <i32>load<i16>(row, COEFFICIENT_BYTES);
    const d2 = <i32>load<i16>(row, 2 * COEFFICIENT_BYTES);
    const d3 = <i32>load<i16>(row, 3 * COEFFICIENT_BYTES);
    const a0 = d0 + d2;
    const a1 = d1 + d3;
    const a2 = d1 - d3;
    const a3 = d0 - d2;
    v128.store(t + (i << 4), i32x4(a0 + a1, a3 + a2, a3 - a2, a0 - a1));
  }
  const r0 = v128.load(t);
  const r1 = v128.load(t, 16);
  const r2 = v128.load(t, 32);
  const r3 = v128.load(t, 48);
  const b0 = i32x4.add(r0, r2);
  const b1 = i32x4.add(r1, r3);
  const b2 = i32x4.sub(r1, r3);
  const b3 = i32x4.sub(r0, r2);
  const o0 = i32x4.shr_s(i32x4.add(b0, b1), 1);
  const o1 = i32x4.shr_s(i32x4.add(b3, b2), 1);
  const o2 = i32x4.shr_s(i32x4.sub(b3, b2), 1);
  const o3 = i32x4.shr_s(i32x4.sub(b0, b1), 1);
  v128.store(out, i16x8.narrow_i32x4_s(o0, o1));
  v128.store(out, i16x8.narrow_i32x4_s(o2, o3), 16);
}
