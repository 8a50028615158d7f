/** The prediction of chroma from luma (AV1 specification section 7.11.5), on top of that by a mean. */
import { bitDepth, subX, subY } from "../headers/sequence";

/** Luma at the resolution of chroma, in eighths (i16). */
const STRIDE: usize = 64;
const luma = memory.data(32 * 64, 16);

/** Fills a row of `luma` from the samples at `from`. @param inside columns there are */
function fillRow(to: usize, from: usize, stride: usize, inside: i32, wide: i32): void {
  for (let x: usize = 0; x < <usize>inside; x++) {
    const at = from + (x << (1 + subX));
    let sum = <i32>load<u16>(at);
    if (subX) sum += load<u16>(at, 2);
    if (subY) {
      sum += load<u16>(at + stride);
      if (subX) sum += load<u16>(at + stride, 2);
    }
    store<i16>(to + (x << 1), <i16>(sum << (3 - subX - subY)));
  }
  const last = load<i16>(to + ((<usize>inside) << 1) - 2);
  for (let x = inside; x < wide; x++) store<i16>(to + ((<usize>x) << 1), last);
}

/**
 * Collects luma for a block of chroma.
 * @param from the sample of luma at its first sample
 * @param insideX columns of chroma that luma was reconstructed for
 */
export function collectLuma(
  from: usize,
  stride: usize,
  insideX: i32,
  insideY: i32,
  wide: i32,
  high: i32,
): void {
  const rows = min(insideY, high);
  const columns = min(insideX, wide);
  for (let y = 0; y < high; y++) {
    const to = luma + <usize>y * STRIDE;
    if (y < rows) fillRow(to, from + <usize>(y << subY) * stride, stride, columns, wide);
    else memory.copy(to, to - STRIDE, (<usize>wide) << 1);
  }
  subtractMean(wide, high);
}

function subtractMean(wide: i32, high: i32): void {
  let sum = 0;
  for (let y = 0; y < high; y++) {
    const row = luma + <usize>y * STRIDE;
    for (let x: usize = 0; x < (<usize>wide) << 1; x += 2) sum += load<i16>(row + x);
  }
  const bits = ctz<i32>(wide) + ctz<i32>(high);
  const mean = i16x8.splat(<i16>((sum + ((1 << bits) >> 1)) >> bits));
  for (let y = 0; y < high; y++) {
    const row = luma + <usize>y * STRIDE;
    for (let x: usize = 0; x < (<usize>wide) << 1; x += 16)
      v128.store(row + x, i16x8.sub(v128.load(row + x), mean));
  }
}

/** Returns Round2Signed(alpha * value, 6) of four values. */
@inline
function scaled(values: v128, alpha: v128): v128 {
  const product = i32x4.mul(values, alpha);
  const size = i32x4.shr_u(i32x4.add(i32x4.abs(product), i32x4.splat(32)), 6);
  const sign = i32x4.shr_s(product, 31);
  return i32x4.sub(v128.xor(size, sign), sign);
}

/** Adds what luma says to a block of chroma. */
export function addLuma(to: usize, stride: usize, alpha: i32, wide: i32, high: i32): void {
  const factor = i32x4.splat(alpha);
  const most = i16x8.splat(<i16>(((<i32>1) << bitDepth) - 1));
  const least = i16x8.splat(0);
  for (let y: usize = 0; y < <usize>high; y++, to += stride) {
    for (let x: usize = 0; x < (<usize>wide) << 1; x += 16) {
      const values = v128.load(luma + y * STRIDE + x);
      const low = scaled(i32x4.extend_low_i16x8_s(values), factor);
      const change = i16x8.narrow_i32x4_s(low, scaled(i32x4.extend_high_i16x8_s(values), factor));
      const sum = i16x8.add_sat_s(v128.load(to + x), change);
      const limited = i16x8.min_s(i16x8.max_s(sum, least), most);
      if (wide == 4) v128.store64_lane(to, limited, 0);
      else v128.store(to + x, limited);
    }
  }
}
