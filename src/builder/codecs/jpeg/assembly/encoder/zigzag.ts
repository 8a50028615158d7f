/** Zigzag order (ITU T.81 figure A.6). */

/** Byte offset in a block of i16, in rows, of each coefficient in zigzag order, as u8. */
export const ZIGZAG_OFFSETS = memory.data<u8>([
  0, 2, 16, 32, 18, 4, 6, 20, 34, 48, 64, 50, 36, 22, 8, 10, 24, 38, 52, 66, 80, 96, 82, 68, 54, 40, 26, 12,
  14, 28, 42, 56, 70, 84, 98, 112, 114, 100, 86, 72, 58, 44, 30, 46, 60, 74, 88, 102, 116, 118, 104, 90, 76,
  62, 78, 92, 106, 120, 122, 108, 94, 110, 124, 126,
]);

/** Returns which coefficients are not 0: bit k is set for the k-th in zigzag order. */
export function nonZero(block: usize): u64 {
  // A value that is not 0 stays so when it is saturated to a byte.
  const a = i8x16.narrow_i16x8_s(v128.load(block), v128.load(block, 16));
  const b = i8x16.narrow_i16x8_s(v128.load(block, 32), v128.load(block, 48));
  const c = i8x16.narrow_i16x8_s(v128.load(block, 64), v128.load(block, 80));
  const d = i8x16.narrow_i16x8_s(v128.load(block, 96), v128.load(block, 112));
  const zero = i8x16.splat(0);
  let zigzag = v128.shuffle<i8>(a, b, 0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 0, 25, 18, 11, 4, 5);
  zigzag = v128.shuffle<i8>(zigzag, c, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 11, 12, 13, 14, 15);
  let mask = <u64>i8x16.bitmask(i8x16.ne(zigzag, zero));
  zigzag = v128.shuffle<i8>(a, b, 12, 19, 26, 0, 0, 0, 0, 0, 27, 20, 13, 6, 7, 14, 21, 28);
  zigzag = v128.shuffle<i8>(zigzag, c, 0, 1, 2, 17, 24, 5, 25, 18, 8, 9, 10, 11, 12, 13, 14, 15);
  zigzag = v128.shuffle<i8>(zigzag, d, 0, 1, 2, 3, 4, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  mask |= (<u64>i8x16.bitmask(i8x16.ne(zigzag, zero))) << 16;
  zigzag = v128.shuffle<i8>(a, b, 0, 0, 0, 0, 0, 0, 0, 0, 29, 22, 15, 23, 30, 0, 0, 0);
  zigzag = v128.shuffle<i8>(zigzag, c, 19, 26, 2, 3, 4, 5, 27, 20, 8, 9, 10, 11, 12, 21, 28, 15);
  zigzag = v128.shuffle<i8>(zigzag, d, 0, 1, 17, 24, 25, 18, 6, 7, 8, 9, 10, 11, 12, 13, 14, 19);
  mask |= (<u64>i8x16.bitmask(i8x16.ne(zigzag, zero))) << 32;
  zigzag = v128.shuffle<i8>(b, c, 0, 0, 0, 29, 22, 15, 23, 30, 0, 0, 0, 0, 31, 0, 0, 0);
  zigzag = v128.shuffle<i8>(zigzag, d, 26, 27, 20, 3, 4, 5, 6, 7, 21, 28, 29, 22, 12, 23, 30, 31);
  mask |= (<u64>i8x16.bitmask(i8x16.ne(zigzag, zero))) << 48;
  return mask;
}
