/** Predictions of whole planes of a macroblock: 8 x 8 chroma and 16 x 16 luma (RFC 6386, 12.2). */
import { DC, HORIZONTAL, TRUE_MOTION, VERTICAL } from "./predict-block";

export const PLANE_MODES: i32 = 4;

/** Returns the mean of the neighbours that are within the picture; 128 if there are none (12.2). */
export function mean(at: usize, stride: usize, size: i32, hasAbove: boolean, hasLeft: boolean): i32 {
  if (!hasAbove && !hasLeft) return 128;
  let sum = 0;
  for (let i = 0; i < size; i++) {
    if (hasAbove) sum += load<u8>(at - stride + i);
    if (hasLeft) sum += load<u8>(at + <usize>i * stride - 1);
  }
  const count = hasAbove && hasLeft ? 2 * size : size;
  return (sum + (count >> 1)) / count;
}

/**
 * Writes the four predictions of the plane at `at`, by mode, each `size` x `size` (16 or 8) in rows of `size`.
 * The neighbours must be in place, also those outside the picture.
 */
export function predictPlane(
  at: usize,
  stride: usize,
  size: i32,
  hasAbove: boolean,
  hasLeft: boolean,
  out: usize,
): void {
  const area = <usize>(size * size);
  memory.fill(out + <usize>DC * area, <u8>mean(at, stride, size, hasAbove, hasLeft), area);
  const corner = i16x8.splat(load<u8>(at - stride - 1));
  for (let x = 0; x < size; x += 8) {
    const above = v128.load64_zero(at - stride + x);
    const slope = i16x8.sub(i16x8.extend_low_i8x16_u(above), corner);
    for (let y = 0; y < size; y++) {
      const to = out + <usize>(y * size + x);
      const left = load<u8>(at + <usize>y * stride - 1);
      const sum = i16x8.add(slope, i16x8.splat(left));
      v128.store64_lane(to + <usize>TRUE_MOTION * area, i8x16.narrow_i16x8_u(sum, sum), 0);
      v128.store64_lane(to + <usize>VERTICAL * area, above, 0);
      v128.store64_lane(to + <usize>HORIZONTAL * area, i8x16.splat(<i8>left), 0);
    }
  }
}
