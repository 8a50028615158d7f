/** Adler-32 (RFC 1950, section 8.2). */

const MODULUS: u32 = 65_521;
/** Most bytes before the sums must be reduced: zlib's number, rounded down to whole vectors. */
const BLOCK_BYTES: usize = 5_536;

@inline
function total(lanes: v128): u32 {
  const halves = i32x4.add(lanes, v128.shuffle<i32>(lanes, lanes, 2, 3, 0, 1));
  return i32x4.extract_lane(halves, 0) + i32x4.extract_lane(halves, 1);
}

/** Continues a checksum over `length` bytes; start with 1. */
export function updateAdler(adler: u32, at: usize, length: usize): u32 {
  let a = adler & 0xffff;
  let b = adler >> 16;
  const end = at + length;
  const lowWeights = i16x8(16, 15, 14, 13, 12, 11, 10, 9);
  const highWeights = i16x8(8, 7, 6, 5, 4, 3, 2, 1);
  while (at + 16 <= end) {
    const stop = at + (min<usize>(end - at, BLOCK_BYTES) & ~15);
    b += a * <u32>(stop - at);
    let sums = i32x4.splat(0);
    let before = i32x4.splat(0);
    let weighed = i32x4.splat(0);
    for (; at < stop; at += 16) {
      const bytes = v128.load(at);
      // For each vector, every earlier sum is added 16 times.
      before = i32x4.add(before, sums);
      sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(bytes)));
      weighed = i32x4.add(weighed, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(bytes), lowWeights));
      weighed = i32x4.add(weighed, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(bytes), highWeights));
    }
    a = (a + total(sums)) % MODULUS;
    b = (b + (total(before) << 4) + total(weighed)) % MODULUS;
  }
  for (; at < end; at++) {
    a += load<u8>(at);
    b += a;
  }
  return ((b % MODULUS) << 16) | (a % MODULUS);
}
