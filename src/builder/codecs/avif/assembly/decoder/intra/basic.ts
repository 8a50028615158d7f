/** Predictions by a mean, and by the neighbour that is nearest (AV1 specification sections 7.11.2.2 and 7.11.2.5). */
import { bitDepth } from "../headers/sequence";
import { above, left } from "./edges";

function fill(to: usize, stride: usize, value: i32, wide: i32, high: i32): void {
  const values = i16x8.splat(<i16>value);
  for (let y = 0; y < high; y++, to += stride) {
    if (wide == 4) v128.store64_lane(to, values, 0);
    else for (let x: usize = 0; x < (<usize>wide) << 1; x += 16) v128.store(to + x, values);
  }
}

/** Returns the sum of `count` samples, a multiple of 4. */
function sumOf(at: usize, count: i32): i32 {
  if (count == 4) {
    return <i32>load<u16>(at) + <i32>load<u16>(at, 2) + <i32>load<u16>(at, 4) + <i32>load<u16>(at, 6);
  }
  let sums = i32x4.splat(0);
  for (let i: usize = 0; i < (<usize>count) << 1; i += 16) {
    sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_u(v128.load(at + i)));
  }
  return (
    i32x4.extract_lane(sums, 0) +
    i32x4.extract_lane(sums, 1) +
    i32x4.extract_lane(sums, 2) +
    i32x4.extract_lane(sums, 3)
  );
}

/** Predicts by DC_PRED. */
export function predictMean(
  to: usize,
  stride: usize,
  wide: i32,
  high: i32,
  hasAbove: boolean,
  hasLeft: boolean,
): void {
  let mean = 1 << (bitDepth - 1);
  if (hasAbove && hasLeft) {
    const count = wide + high;
    mean = (sumOf(above, wide) + sumOf(left, high) + (count >> 1)) / count;
  } else if (hasAbove) mean = (sumOf(above, wide) + (wide >> 1)) / wide;
  else if (hasLeft) mean = (sumOf(left, high) + (high >> 1)) / high;
  fill(to, stride, mean, wide, high);
}

/** Predicts by PAETH_PRED. */
export function predictPaeth(to: usize, stride: usize, wide: i32, high: i32): void {
  const corner = v128.load16_splat(above - 2);
  for (let y: usize = 0; y < <usize>high; y++, to += stride) {
    const side = v128.load16_splat(left + (y << 1));
    const down = i16x8.sub(side, corner);
    for (let x: usize = 0; x < (<usize>wide) << 1; x += 16) {
      const top = v128.load(above + x);
      const across = i16x8.sub(top, corner);
      const toLeft = i16x8.abs(across);
      const toTop = i16x8.abs(down);
      const toCorner = i16x8.abs(i16x8.add(across, down));
      const isLeft = v128.and(i16x8.le_s(toLeft, toTop), i16x8.le_s(toLeft, toCorner));
      const other = v128.bitselect(top, corner, i16x8.le_s(toTop, toCorner));
      const values = v128.bitselect(side, other, isLeft);
      if (wide == 4) v128.store64_lane(to, values, 0);
      else v128.store(to + x, values);
    }
  }
}
