/** Smooth predictions (AV1 specification section 7.11.2.6). */
import { above, left } from "./edges";

/** Sm_Weights_Tx of 4, 8, 16, 32 and 64 samples; those of n begin at n - 4. */
const WEIGHTS = memory.data<u8>([
  255, 149, 85, 64, 255, 197, 146, 105, 73, 50, 37, 32, 255, 225, 196, 170, 145, 123, 102, 84, 68, 54, 43, 33,
  26, 20, 17, 16, 255, 240, 225, 210, 196, 182, 169, 157, 145, 133, 122, 111, 101, 92, 83, 74, 66, 59, 52, 45,
  39, 34, 29, 25, 21, 17, 14, 12, 10, 9, 8, 8, 255, 248, 240, 233, 225, 218, 210, 203, 196, 189, 182, 176,
  169, 163, 156, 150, 144, 138, 133, 127, 121, 116, 111, 106, 101, 96, 91, 86, 82, 77, 73, 69, 65, 61, 57, 54,
  50, 47, 44, 41, 38, 35, 32, 29, 27, 25, 22, 20, 18, 16, 15, 13, 12, 10, 9, 8, 7, 6, 6, 5, 5, 4, 4, 4,
]);

/** Returns a weight and its difference to 256, as factors of a pair. */
@inline
function pairOf(weight: u32): v128 {
  return i32x4.splat(weight | ((256 - weight) << 16));
}

@inline
function put(to: usize, low: v128, high: v128, isNarrow: boolean): void {
  const values = i16x8.narrow_i32x4_s(low, high);
  if (isNarrow) v128.store64_lane(to, values, 0);
  else v128.store(to, values);
}

@inline
function rounded(sum: v128, bits: i32): v128 {
  return i32x4.shr_s(i32x4.add(sum, i32x4.splat((1 << bits) >> 1)), bits);
}

/** Returns eight weights and their differences to 256, interleaved: the lower four, or the upper four. */
@inline
function pairsOf(at: usize, isHigh: boolean): v128 {
  const weights = v128.load8x8_u(at);
  const rest = i16x8.sub(i16x8.splat(256), weights);
  return isHigh
    ? v128.shuffle<i16>(weights, rest, 4, 12, 5, 13, 6, 14, 7, 15)
    : v128.shuffle<i16>(weights, rest, 0, 8, 1, 9, 2, 10, 3, 11);
}

/**
 * Predicts by SMOOTH_PRED, SMOOTH_V_PRED and SMOOTH_H_PRED.
 * @param isDown whether rows are weighed @param isAcross whether columns are
 */
export function predictSmooth(
  to: usize,
  stride: usize,
  wide: i32,
  high: i32,
  isDown: boolean,
  isAcross: boolean,
): void {
  const rowWeights = WEIGHTS + high - 4;
  const columnWeights = WEIGHTS + wide - 4;
  const bits = isDown && isAcross ? 9 : 8;
  const bottom = v128.load16_splat(left + ((<usize>high) << 1) - 2);
  const right = (<u32>load<u16>(above + ((<usize>wide) << 1) - 2)) << 16;
  const isNarrow = wide == 4;
  for (let y: usize = 0; y < <usize>high; y++, to += stride) {
    const rowPair = pairOf(load<u8>(rowWeights + y));
    const side = i32x4.splat((<u32>load<u16>(left + (y << 1))) | right);
    for (let x: usize = 0; x < <usize>wide; x += 8) {
      let low = i32x4.splat(0);
      let upper = low;
      if (isDown) {
        const top = v128.load(above + (x << 1));
        low = i32x4.dot_i16x8_s(v128.shuffle<i16>(top, bottom, 0, 8, 1, 9, 2, 10, 3, 11), rowPair);
        upper = i32x4.dot_i16x8_s(v128.shuffle<i16>(top, bottom, 4, 12, 5, 13, 6, 14, 7, 15), rowPair);
      }
      if (isAcross) {
        low = i32x4.add(low, i32x4.dot_i16x8_s(side, pairsOf(columnWeights + x, false)));
        upper = i32x4.add(upper, i32x4.dot_i16x8_s(side, pairsOf(columnWeights + x, true)));
      }
      put(to + (x << 1), rounded(low, bits), rounded(upper, bits), isNarrow);
    }
  }
}
