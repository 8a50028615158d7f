/** The prediction by a recursive filter (AV1 specification section 7.11.2.3). */
import { bitDepth } from "../headers/sequence";
import { above, left } from "./edges";

/** Intra_Filter_Taps by mode: for each of seven neighbours, its factors (i8) in the eight samples of 4 x 2. */
const TAPS = memory.data<i8>([
  -6, -5, -3, -3, -4, -3, -3, -3, 10, 2, 1, 1, 6, 2, 2, 1, 0, 10, 1, 1, 0, 6, 2, 2, 0, 0, 10, 2, 0, 0, 6, 2,
  0, 0, 0, 10, 0, 0, 0, 6, 12, 9, 7, 5, 2, 2, 2, 3, 0, 0, 0, 0, 12, 9, 7, 5, -10, -6, -4, -2, -10, -6, -4, -2,
  16, 0, 0, 0, 16, 0, 0, 0, 0, 16, 0, 0, 0, 16, 0, 0, 0, 0, 16, 0, 0, 0, 16, 0, 0, 0, 0, 16, 0, 0, 0, 16, 10,
  6, 4, 2, 0, 0, 0, 0, 0, 0, 0, 0, 10, 6, 4, 2, -8, -8, -8, -8, -4, -4, -4, -4, 8, 0, 0, 0, 4, 0, 0, 0, 0, 8,
  0, 0, 0, 4, 0, 0, 0, 0, 8, 0, 0, 0, 4, 0, 0, 0, 0, 8, 0, 0, 0, 4, 16, 16, 16, 16, 0, 0, 0, 0, 0, 0, 0, 0,
  16, 16, 16, 16, -2, -1, -1, 0, -1, -1, -1, -1, 8, 3, 2, 1, 4, 3, 2, 2, 0, 8, 3, 2, 0, 4, 3, 2, 0, 0, 8, 3,
  0, 0, 4, 3, 0, 0, 0, 8, 0, 0, 0, 4, 10, 6, 4, 2, 3, 4, 4, 3, 0, 0, 0, 0, 10, 6, 4, 3, -12, -10, -9, -8, -10,
  -9, -8, -7, 14, 0, 0, 0, 12, 1, 0, 0, 0, 14, 0, 0, 0, 12, 0, 0, 0, 0, 14, 0, 0, 0, 12, 1, 0, 0, 0, 14, 0, 0,
  0, 12, 14, 12, 11, 10, 0, 0, 1, 1, 0, 0, 0, 0, 14, 12, 11, 9,
]);
const MODE_BYTES: usize = 56;

/** Adds a neighbour to the sums of four samples. */
@inline
function weighed(sum: v128, taps: v128, value: i32, isHigh: boolean): v128 {
  const factors = isHigh ? i32x4.extend_high_i16x8_s(taps) : i32x4.extend_low_i16x8_s(taps);
  return i32x4.add(sum, i32x4.mul(factors, i32x4.splat(value)));
}

/** Predicts a block of `wide` x `high` samples, 4 x 2 at a time. */
export function predictRecursive(to: usize, stride: usize, wide: i32, high: i32, mode: i32): void {
  const taps = TAPS + <usize>mode * MODE_BYTES;
  const most = i16x8.splat(<i16>(((<i32>1) << bitDepth) - 1));
  const least = i16x8.splat(0);
  for (let y = 0; y < high; y += 2) {
    const row = to + <usize>y * stride;
    for (let x: usize = 0; x < <usize>wide; x += 4) {
      const at = row + (x << 1);
      const up = y == 0 ? above + (x << 1) : at - stride;
      const corner = y > 0 && x == 0 ? load<u16>(left + ((<usize>y) << 1) - 2) : load<u16>(up - 2);
      const beside = left + ((<usize>y) << 1);
      const first = x == 0 ? load<u16>(beside) : load<u16>(at - 2);
      const second = x == 0 ? load<u16>(beside, 2) : load<u16>(at + stride - 2);
      let low = i32x4.splat(8);
      let upper = low;
      for (let i: usize = 0; i < 7; i++) {
        let value = <i32>corner;
        if (i == 5) value = first;
        else if (i == 6) value = second;
        else if (i > 0) value = load<u16>(up + (i << 1) - 2);
        const factors = v128.load8x8_s(taps + (i << 3));
        low = weighed(low, factors, value, false);
        upper = weighed(upper, factors, value, true);
      }
      const values = i16x8.narrow_i32x4_s(i32x4.shr_s(low, 4), i32x4.shr_s(upper, 4));
      const limited = i16x8.min_s(i16x8.max_s(values, least), most);
      v128.store64_lane(at, limited, 0);
      v128.store64_lane(at + stride, limited, 1);
    }
  }
}
