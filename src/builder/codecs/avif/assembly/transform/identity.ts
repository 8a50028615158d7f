/** The transform that leaves samples where they are, IDTX (AV1 specification section 7.13.2.15), up to 16 x 16. */
import { isTwice, rowShift, strideOf } from "./transform";

export const IDTX: i32 = 9;

/** Puts residue at the scale of coefficients. */
export function forwardIdentity(residue: usize, block: usize, wide: i32, high: i32): void {
  const end = (<usize>(strideOf(wide) << high)) << 1;
  for (let at: usize = 0; at < end; at += 16) v128.store(block + at, i16x8.shl(v128.load(residue + at), 3));
}

/** Returns the factor of a pass, in 4096ths: square roots of 2, 4 and 8. */
@inline
export function factorOf(log2: i32): i32 {
  return log2 == 2 ? 5793 : log2 == 3 ? 8192 : 11586;
}

/** Returns Round2(value * factor, bits). */
@inline
export function scaled(value: v128, factor: v128, half: v128, bits: i32): v128 {
  const low = i32x4.shr_s(i32x4.add(i32x4.mul(i32x4.extend_low_i16x8_s(value), factor), half), bits);
  const high = i32x4.shr_s(i32x4.add(i32x4.mul(i32x4.extend_high_i16x8_s(value), factor), half), bits);
  return i16x8.narrow_i32x4_s(low, high);
}

/** Implements the inverse, in place. */
export function inverseIdentity(block: usize, wide: i32, high: i32): void {
  const across = i32x4.splat(factorOf(wide));
  const down = i32x4.splat(factorOf(high));
  const rectangular = i32x4.splat(2896);
  const half = i32x4.splat(2048);
  const one = i32x4.splat(1);
  const shift = rowShift(wide, high);
  const rounding = i32x4.splat((1 << shift) >> 1);
  const end = block + ((<usize>(strideOf(wide) << high)) << 1);
  for (let at = block; at < end; at += 16) {
    let value = v128.load(at);
    if (isTwice(wide, high)) value = scaled(value, rectangular, half, 12);
    value = scaled(value, across, half, 12);
    value = scaled(value, one, rounding, shift);
    value = scaled(value, down, half, 12);
    v128.store(at, scaled(value, one, i32x4.splat(8), 4));
  }
}
