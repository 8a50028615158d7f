/** Super-resolution: rows enlarged from left to right (AV1 specification section 7.16). */
import { highestSample } from "../samples";
import { UPSCALE_FILTERS } from "./taps";

const SCALE_BITS = 14;
const MASK: i32 = (1 << SCALE_BITS) - 1;
const FRACTION_BITS = 8;
/** Samples before the one at the position that the filter begins with. */
const LEAD = 3;
/** Bytes of a filter, as a shift. */
const FILTER_SHIFT = 4;
const AT_ONCE = 4;

/** Returns the distance between enlarged samples, in 1 / 16384 samples. */
export function upscaleStep(width: i32, upscaledWidth: i32): i32 {
  return ((width << SCALE_BITS) + upscaledWidth / 2) / upscaledWidth;
}

/** Returns the fraction of a sample that the first enlarged one is at. */
export function upscaleStart(width: i32, upscaledWidth: i32): i32 {
  const error = upscaledWidth * upscaleStep(width, upscaledWidth) - (width << SCALE_BITS);
  const middle = (-((upscaledWidth - width) << (SCALE_BITS - 1)) + upscaledWidth / 2) / upscaledWidth;
  return (middle + (1 << (FRACTION_BITS - 1)) - error / 2) & MASK;
}

/** Repeats the first and the last of `width` samples eight times beside them. */
function extendRow(row: usize, width: i32): void {
  const end = row + (width << 1);
  v128.store(row - 16, i16x8.splat(load<i16>(row)));
  v128.store(end, i16x8.splat(load<i16>(end - 2)));
}

/** Adds the lanes of each of four vectors. */
@inline
function sums(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = i32x4.add(v128.shuffle<i32>(a, b, 0, 4, 1, 5), v128.shuffle<i32>(a, b, 2, 6, 3, 7));
  const cd = i32x4.add(v128.shuffle<i32>(c, d, 0, 4, 1, 5), v128.shuffle<i32>(c, d, 2, 6, 3, 7));
  return i32x4.add(v128.shuffle<i64>(ab, cd, 0, 2), v128.shuffle<i64>(ab, cd, 1, 3));
}

/**
 * Enlarges rows. It writes eight samples beside each row at `from`.
 * @param width samples of a row at `from`, with those that blocks have past the picture's edge
 * @param step from `upscaleStep`, `start` from `upscaleStart`
 */
export function upscaleRows(
  from: usize,
  stride: usize,
  width: i32,
  to: usize,
  toStride: usize,
  upscaledWidth: i32,
  rows: i32,
  step: i32,
  start: i32,
  bitDepth: i32,
): void {
  const highest = highestSample(bitDepth);
  const half = i32x4.splat(64);
  for (let row = 0; row < rows; row += AT_ONCE) {
    const count = min(AT_ONCE, rows - row);
    for (let i = 0; i < count; i++) extendRow(from + i * stride, width);
    const from1 = from + (count > 1 ? stride : 0);
    const from2 = from1 + (count > 2 ? stride : 0);
    const from3 = from2 + (count > 3 ? stride : 0);
    let position = start - (1 << SCALE_BITS);
    for (let x = 0; x < upscaledWidth; x++, position += step) {
      const at = (max(-5, min(width + 3, position >> SCALE_BITS)) - LEAD) << 1;
      const filter = v128.load(UPSCALE_FILTERS + (((position & MASK) >> FRACTION_BITS) << FILTER_SHIFT));
      const sum = sums(
        i32x4.dot_i16x8_s(v128.load(from + at), filter),
        i32x4.dot_i16x8_s(v128.load(from1 + at), filter),
        i32x4.dot_i16x8_s(v128.load(from2 + at), filter),
        i32x4.dot_i16x8_s(v128.load(from3 + at), filter),
      );
      const rounded = i32x4.shr_s(i32x4.add(sum, half), 7);
      const samples = i16x8.min_u(i16x8.narrow_i32x4_u(rounded, rounded), highest);
      const place = to + (x << 1);
      v128.store16_lane(place, samples, 0);
      if (count > 1) v128.store16_lane(place + toStride, samples, 1);
      if (count > 2) v128.store16_lane(place + 2 * toStride, samples, 2);
      if (count > 3) v128.store16_lane(place + 3 * toStride, samples, 3);
    }
    from += AT_ONCE * stride;
    to += AT_ONCE * toStride;
  }
}
