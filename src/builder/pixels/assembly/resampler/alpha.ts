/**
 * Multiplies colours by alpha before the filter, and divides them by alpha after it. The colour of a transparent pixel,
 * which is arbitrary, then has no weight and causes no fringe.
 */
import { FRACTION_BITS } from "../shared/resample-row";
import { HALF } from "./planes";

/** Computes round(product / 255) of eight 16-bit lanes. Exact for products of bytes. */
@inline
function divideBy255(product: v128): v128 {
  const t = i16x8.add(product, i16x8.splat(128));
  return i16x8.shr_u(i16x8.add(t, i16x8.shr_u(t, 8)), 8);
}

@inline
function multiplyVector(at: usize, factors: v128): void {
  const pixels = v128.load(at);
  const low = divideBy255(i16x8.extmul_low_i8x16_u(pixels, factors));
  const high = divideBy255(i16x8.extmul_high_i8x16_u(pixels, factors));
  v128.store(at, i8x16.narrow_i16x8_u(low, high));
}

/** Multiplies the colours of `samples` bytes of gray-alpha (2 channels) or RGBA (4) in place, 16 bytes at once. */
export function premultiply(row: usize, samples: i32, channels: i32): void {
  const full = i8x16.splat(-1);
  for (let x: usize = 0; x < <usize>samples; x += 16) {
    const pixels = v128.load(row + x);
    // The factor of a colour is the alpha of its pixel. The factor of an alpha is 255.
    const factors =
      channels == 2
        ? v128.shuffle<i8>(pixels, full, 1, 16, 3, 16, 5, 16, 7, 16, 9, 16, 11, 16, 13, 16, 15, 16)
        : v128.shuffle<i8>(pixels, full, 3, 3, 3, 16, 7, 7, 7, 16, 11, 11, 11, 16, 15, 15, 15, 16);
    multiplyVector(row + x, factors);
  }
}

@inline
function divideFour(colour: v128, ratio: v128): v128 {
  return i32x4.trunc_sat_f32x4_s(f32x4.mul(f32x4.convert_i32x4_s(colour), ratio));
}

/**
 * Divides a plane of colour by the plane of alpha, in place. Both have 16-bit samples with 6 fraction bits. Where alpha
 * rounds to 0, the colour becomes 0.
 */
export function unpremultiply(colour: usize, alpha: usize, samples: i32): void {
  const opaque = f32x4.splat(<f32>(255 << FRACTION_BITS));
  const least = i16x8.splat(HALF);
  for (let x: usize = 0; x < (<usize>samples) << 1; x += 16) {
    const a = v128.load(alpha + x);
    const c = v128.load(colour + x);
    const kept = v128.and(c, i16x8.ge_s(a, least));
    const safe = i16x8.max_s(a, least);
    const low = f32x4.div(opaque, f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(safe)));
    const high = f32x4.div(opaque, f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(safe)));
    const left = divideFour(i32x4.extend_low_i16x8_s(kept), low);
    const right = divideFour(i32x4.extend_high_i16x8_s(kept), high);
    v128.store(colour + x, i16x8.narrow_i32x4_s(left, right));
  }
}
