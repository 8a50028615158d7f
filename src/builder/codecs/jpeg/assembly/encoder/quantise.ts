/**
 * Division by the quantisation table (ITU T.81 A.3.4), rounded to the nearest, halves away from zero. Multiplications
 * do it: x / d = x * r >> (16 + s) with r = 2^(16 + s) / d rounded up is exact for 16-bit x when 2^s <= d < 2^(s +
 * 1). The shift by s is a multiplication too, because lanes have different shifts.
 */

/** Divisors in the form that `quantise` uses: 64 halves, 64 reciprocals and 64 scales (u16), each in rows. */
export const DIVISOR_BYTES: i32 = 3 * 128;

/**
 * Prepares the divisors of a table.
 * @param table 64 steps (u16) in rows, 1 to 255
 */
export function prepareDivisors(table: usize, divisors: usize): void {
  for (let i: usize = 0; i < 128; i += 2) {
    // The DCT leaves coefficients 8 times as large.
    const divisor = (<u32>load<u16>(table + i)) << 3;
    let shift: u32 = 31 - <u32>clz(divisor);
    // A power of two would need a reciprocal of 2^16.
    if (popcnt(divisor) == 1) shift--;
    store<u16>(divisors + i, <u16>(divisor >> 1));
    store<u16>(divisors + i, <u16>((((<u32>1) << (16 + shift)) + divisor - 1) / divisor), 128);
    store<u16>(divisors + i, <u16>((<u32>1) << (16 - shift)), 256);
  }
}

/** Returns the upper halves of the 32-bit products of unsigned 16-bit lanes. */
@inline
function multiplyHigh(a: v128, b: v128): v128 {
  const low = i32x4.extmul_low_i16x8_u(a, b);
  const high = i32x4.extmul_high_i16x8_u(a, b);
  return v128.shuffle<i16>(low, high, 1, 3, 5, 7, 9, 11, 13, 15);
}

/** Divides the 64 coefficients of a block in place. */
export function quantise(block: usize, divisors: usize): void {
  for (let i: usize = 0; i < 128; i += 16) {
    const value = v128.load(block + i);
    const sign = i16x8.shr_s(value, 15);
    const rounded = i16x8.add(i16x8.abs(value), v128.load(divisors + i));
    const quotient = multiplyHigh(
      multiplyHigh(rounded, v128.load(divisors + i, 128)),
      v128.load(divisors + i, 256),
    );
    v128.store(block + i, i16x8.sub(v128.xor(quotient, sign), sign));
  }
}
