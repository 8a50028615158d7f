/** The inverse transforms of VP8 (RFC 6386, 14.3 and 14.4), one block of 4 x 4 at a time. */

/** Bytes of 16 coefficients (i16). */
export const COEFFICIENT_BYTES: usize = 32;

// sqrt(2) cos(pi / 8) - 1 and sqrt(2) sin(pi / 8), times 2^16 (14.3).
const COS: i32 = 20091;
const SIN: i32 = 35468;

/** Returns 4 x 4 samples as 16 bytes. */
@inline
export function loadBlock(at: usize, stride: usize): v128 {
  let block = v128.load32_zero(at);
  block = v128.load32_lane(at + stride, block, 1);
  block = v128.load32_lane(at + 2 * stride, block, 2);
  return v128.load32_lane(at + 3 * stride, block, 3);
}

@inline
export function storeBlock(at: usize, stride: usize, block: v128): void {
  v128.store32_lane(at, block, 0);
  v128.store32_lane(at + stride, block, 1);
  v128.store32_lane(at + 2 * stride, block, 2);
  v128.store32_lane(at + 3 * stride, block, 3);
}

@inline
function timesSin(v: v128): v128 {
  return i32x4.shr_s(i32x4.mul(v, i32x4.splat(SIN)), 16);
}

@inline
function timesCos(v: v128): v128 {
  return i32x4.add(v, i32x4.shr_s(i32x4.mul(v, i32x4.splat(COS)), 16));
}

/** Transforms dequantised coefficients (14.3: columns first) and adds the result to a prediction. */
@inline
export function inverseTransform(coefficients: usize, prediction: v128): v128 {
  const i0 = v128.load16x4_s(coefficients);
  const i1 = v128.load16x4_s(coefficients, 8);
  const i2 = v128.load16x4_s(coefficients, 16);
  const i3 = v128.load16x4_s(coefficients, 24);
  let a = i32x4.add(i0, i2);
  let b = i32x4.sub(i0, i2);
  let c = i32x4.sub(timesSin(i1), timesCos(i3));
  let d = i32x4.add(timesCos(i1), timesSin(i3));
  const t0 = i32x4.add(a, d);
  const t1 = i32x4.add(b, c);
  const t2 = i32x4.sub(b, c);
  const t3 = i32x4.sub(a, d);
  const p = v128.shuffle<i32>(t0, t1, 0, 4, 1, 5);
  const q = v128.shuffle<i32>(t2, t3, 0, 4, 1, 5);
  const r = v128.shuffle<i32>(t0, t1, 2, 6, 3, 7);
  const s = v128.shuffle<i32>(t2, t3, 2, 6, 3, 7);
  const k0 = i32x4.add(v128.shuffle<i64>(p, q, 0, 2), i32x4.splat(4));
  const k1 = v128.shuffle<i64>(p, q, 1, 3);
  const k2 = v128.shuffle<i64>(r, s, 0, 2);
  const k3 = v128.shuffle<i64>(r, s, 1, 3);
  a = i32x4.add(k0, k2);
  b = i32x4.sub(k0, k2);
  c = i32x4.sub(timesSin(k1), timesCos(k3));
  d = i32x4.add(timesCos(k1), timesSin(k3));
  const left = i16x8.narrow_i32x4_s(i32x4.shr_s(i32x4.add(a, d), 3), i32x4.shr_s(i32x4.add(b, c), 3));
  const right = i16x8.narrow_i32x4_s(i32x4.shr_s(i32x4.sub(b, c), 3), i32x4.shr_s(i32x4.sub(a, d), 3));
  // Transpose.
  const m = v128.shuffle<i16>(left, right, 0, 4, 8, 12, 1, 5, 9, 13);
  const n = v128.shuffle<i16>(left, right, 2, 6, 10, 14, 3, 7, 11, 15);
  return i8x16.narrow_i16x8_u(
    i16x8.add(m, i16x8.extend_low_i8x16_u(prediction)),
    i16x8.add(n, i16x8.extend_high_i8x16_u(prediction)),
  );
}

/** Transforms the dequantised second-order block (14.3) to the DCs of 16 blocks. */
export function inverseWht(coefficients: usize, blocks: usize): void {
  const t = memory.data(64);
  const i0 = v128.load16x4_s(coefficients);
  const i1 = v128.load16x4_s(coefficients, 8);
  const i2 = v128.load16x4_s(coefficients, 16);
  const i3 = v128.load16x4_s(coefficients, 24);
  const a0 = i32x4.add(i0, i3);
  const a1 = i32x4.add(i1, i2);
  const a2 = i32x4.sub(i1, i2);
  const a3 = i32x4.sub(i0, i3);
  v128.store(t, i32x4.add(a0, a1));
  v128.store(t, i32x4.add(a3, a2), 16);
  v128.store(t, i32x4.sub(a0, a1), 32);
  v128.store(t, i32x4.sub(a3, a2), 48);
  for (let i: usize = 0; i < 4; i++) {
    const row = t + (i << 4);
    const out = blocks + i * 4 * COEFFICIENT_BYTES;
    const dc = load<i32>(row) + 3;
    const e0 = dc + load<i32>(row, 12);
    const e1 = load<i32>(row, 4) + load<i32>(row, 8);
    const e2 = load<i32>(row, 4) - load<i32>(row, 8);
    const e3 = dc - load<i32>(row, 12);
    store<i16>(out, <i16>((e0 + e1) >> 3));
    store<i16>(out, <i16>((e3 + e2) >> 3), COEFFICIENT_BYTES);
    store<i16>(out, <i16>((e0 - e1) >> 3), 2 * COEFFICIENT_BYTES);
    store<i16>(out, <i16>((e3 - e2) >> 3), 3 * COEFFICIENT_BYTES);
  }
}
