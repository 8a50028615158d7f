/** Quantisation (RFC 6386, 9.6 and 14.1) of blocks of 16 coefficients. */
import { COEFFICIENT_BYTES } from "../shared/inverse-transform";
import { AC_STEPS, DC_STEPS } from "../shared/steps";

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
}import { COEFFICIENT_BYTES } from "../shared/inverse-transform";
import { AC_STEPS, DC_STEPS } from "../shared/steps";

