/** Arithmetic on pixels (u32) and on vectors of four of them, channel by channel. */

/** Returns the sums of all four channels, each modulo 256. */
@inline
export function sum(a: u32, b: u32): u32 {
  const high = (a & 0xff00ff00) + (b & 0xff00ff00);
  const low = (a & 0x00ff00ff) + (b & 0x00ff00ff);
  return (high & 0xff00ff00) | (low & 0x00ff00ff);
}

/** Returns half the sum in each channel, rounded down. */
@inline
export function average(a: v128, b: v128): v128 {
  return i8x16.sub(i8x16.avgr_u(a, b), v128.and(v128.xor(a, b), i8x16.splat(1)));
}
