/** Quantisation (RFC 6386, 9.6 and 14.1) of blocks of 16 coefficients. */
import { COEFFICIENT_BYTES } from "./transform";

/** Steps of DC and AC coefficients by quantiser index (14.1). */
const DC_STEPS = memory.data<u16>([
  4, 5, 6, 7, 8, 9, 10, 10, 11, 12, 13, 14, 15, 16, 17, 17, 18, 19, 20, 20, 21, 21, 22, 22, 23, 23, 24, 25, 25, 26, 27,
  28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 46, 47, 48, 49, 50, 51, 52, 53, 54,
  55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 76, 77, 78, 79, 80, 81, 82,
  83, 84, 85, 86, 87, 88, 89, 91, 93, 95, 96, 98, 100, 101, 102, 104, 106, 108, 110, 112, 114, 116, 118, 122, 124, 126,
  128, 130, 132, 134, 136, 138, 140, 143, 145, 148, 151, 154, 157,
]);
const AC_STEPS = memory.data<u16>([
  4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34,
  35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 60, 62, 64, 66, 68,
  70, 72, 74, 76, 78, 80, 82, 84, 86, 88, 90, 92, 94, 96, 98, 100, 102, 104, 106, 108, 110, 112, 114, 116, 119, 122,
  125, 128, 131, 134, 137, 140, 143, 146, 149, 152, 155, 158, 161, 164, 167, 170, 173, 177, 181, 185, 189, 193, 197,
  201, 205, 209, 213, 217, 221, 225, 229, 234, 239, 245, 249, 254, 259, 264, 269, 274, 279, 284,
]);

/** Largest level: the last category has 11 extra bits from 67 on (13.2), of which no encoder uses the end. */
const MOST_LEVEL: i16 = 2047;
const FRACTION_BITS: i32 = 17;

// A quantiser: steps, their inverses (i16 each) and what is added before the fraction is cut off (i32).
const INVERSES: usize = COEFFICIENT_BYTES;
const BIASES: usize = 2 * COEFFICIENT_BYTES;
export const QUANTISER_BYTES: usize = 4 * COEFFICIENT_BYTES;

/** Rounding in 1/256: below half, as smaller levels cost less and most coefficients lie nearer to 0. */
function prepare(quantiser: usize, dcStep: i32, acStep: i32, dcRounding: i32, acRounding: i32): void {
  for (let i: usize = 0; i < 16; i++) {
    const step = i == 0 ? dcStep : acStep;
    store<u16>(quantiser + (i << 1), <u16>step);
    store<u16>(quantiser + (i << 1) + INVERSES, <u16>(<i32>(1 << FRACTION_BITS) / step));
    const rounding = i == 0 ? dcRounding : acRounding;
    store<i32>(quantiser + (i << 2) + BIASES, rounding << (FRACTION_BITS - 8));
  }
}

/** @returns the step of luma's AC coefficients */
export function prepareQuantisers(index: i32, luma: usize, second: usize, chroma: usize): i32 {
  const dc = <i32>load<u16>(DC_STEPS + (<usize>index << 1));
  const ac = <i32>load<u16>(AC_STEPS + (<usize>index << 1));
  prepare(luma, dc, ac, 96, 110);
  prepare(second, 2 * dc, max((ac * 155) / 100, 8), 96, 108);
  prepare(chroma, min(dc, 132), ac, 110, 115);
  return ac;
}

// @ts-ignore: decorator
@inline
function divide(coefficients: v128, inverses: usize, biases: usize): v128 {
  const size = i16x8.abs(coefficients);
  const inverse = v128.load(inverses);
  const low = i32x4.add(i32x4.extmul_low_i16x8_u(size, inverse), v128.load(biases));
  const high = i32x4.add(i32x4.extmul_high_i16x8_u(size, inverse), v128.load(biases, 16));
  const levels = i16x8.narrow_i32x4_s(
    i32x4.shr_u(low, FRACTION_BITS),
    i32x4.shr_u(high, FRACTION_BITS),
  );
  return i16x8.min_s(levels, i16x8.splat(MOST_LEVEL));
}

// @ts-ignore: decorator
@inline
function withSign(size: v128, coefficients: v128): v128 {
  const sign = i16x8.shr_s(coefficients, 15);
  return i16x8.sub(v128.xor(size, sign), sign);
}

/**
 * Turns coefficients in rows into what the decoder dequantises them to.
 * @param levels 16 levels in zigzag order (13)
 * @param skipsDc whether the DC is coded elsewhere: its level is then 0, and its coefficient is left alone
 */
// @ts-ignore: decorator
@inline
export function quantise(coefficients: usize, quantiser: usize, levels: usize, skipsDc: bool): void {
  const low = v128.load(coefficients);
  const high = v128.load(coefficients, 16);
  let a = withSign(divide(low, quantiser + INVERSES, quantiser + BIASES), low);
  const b = withSign(divide(high, quantiser + INVERSES + 16, quantiser + BIASES + 32), high);
  if (skipsDc) a = i16x8.replace_lane(a, 0, 0);
  v128.store(levels, v128.shuffle<i16>(a, b, 0, 1, 4, 8, 5, 2, 3, 6));
  v128.store(levels, v128.shuffle<i16>(a, b, 9, 12, 13, 10, 7, 11, 14, 15), 16);
  v128.store(coefficients, i16x8.mul(a, v128.load(quantiser)));
  v128.store(coefficients, i16x8.mul(b, v128.load(quantiser, 16)), 16);
}
