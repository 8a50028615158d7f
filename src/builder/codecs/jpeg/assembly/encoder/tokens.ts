/**
 * Blocks of quantised coefficients as a compact stream of bytes, counted for the Huffman tables on the way
 * (ITU T.81 F.1.2): the second pass codes tokens, not pixels. A token is most often one byte.
 *
 * A block begins with its DC difference d: `d + 60` for |d| up to 60, or DC_WIDE and 16 bits; DC_ALONE more
 * when the block has no AC coefficient. AC coefficients follow, each with the zeros before it:
 *
 *     0          end of block; left out when coefficient 63 is coded
 *     1 ...      NARROW + 14 * run + i for values -7 ... 7 without 0, run up to 14
 *     BYTE       + run, and the value as 8 bits
 *     WORD       + run, and the value as 16 bits
 *     ZEROS      16 zeros
 */

export const DC_NARROW: i32 = 60;
export const DC_WIDE: i32 = 2 * DC_NARROW + 1;
export const DC_ALONE: i32 = DC_WIDE + 1;
export const NARROW: i32 = 1;
export const NARROW_RUNS: i32 = 15;
export const NARROW_VALUES: i32 = 14;
export const BYTE: i32 = NARROW + NARROW_RUNS * NARROW_VALUES;
export const WORD: i32 = BYTE + 16;
export const ZEROS: i32 = WORD + 16;
/** A wide DC difference, and 63 coefficients of a byte and 16 bits. */
export const MOST_BLOCK_TOKENS: i32 = 3 + 63 * 3;

/** Byte offset in a block of each coefficient in zigzag order (figure A.6), as u8. */
export const ZIGZAG_OFFSETS = memory.data<u8>([
  0, 2, 16, 32, 18, 4, 6, 20, 34, 48, 64, 50, 36, 22, 8, 10, 24, 38, 52, 66, 80, 96, 82, 68, 54, 40, 26, 12, 14, 28, 42, 56, 70, 84, 98, 112, 114, 100, 86, 72, 58, 44, 30, 46, 60, 74, 88, 102, 116, 118, 104, 90, 76, 62, 78, 92, 106, 120, 122, 108, 94, 110, 124, 126,
]);

/** Which coefficients are not 0: bit k for the k-th in zigzag order. */
// @ts-ignore: decorator
@inline
function nonZero(block: usize): u64 {
  // Saturation to a byte keeps what is not 0 so.
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
  mask |= <u64>i8x16.bitmask(i8x16.ne(zigzag, zero)) << 16;
  zigzag = v128.shuffle<i8>(a, b, 0, 0, 0, 0, 0, 0, 0, 0, 29, 22, 15, 23, 30, 0, 0, 0);
  zigzag = v128.shuffle<i8>(zigzag, c, 19, 26, 2, 3, 4, 5, 27, 20, 8, 9, 10, 11, 12, 21, 28, 15);
  zigzag = v128.shuffle<i8>(zigzag, d, 0, 1, 17, 24, 25, 18, 6, 7, 8, 9, 10, 11, 12, 13, 14, 19);
  mask |= <u64>i8x16.bitmask(i8x16.ne(zigzag, zero)) << 32;
  zigzag = v128.shuffle<i8>(b, c, 0, 0, 0, 29, 22, 15, 23, 30, 0, 0, 0, 0, 31, 0, 0, 0);
  zigzag = v128.shuffle<i8>(zigzag, d, 26, 27, 20, 3, 4, 5, 6, 7, 21, 28, 29, 22, 12, 23, 30, 31);
  mask |= <u64>i8x16.bitmask(i8x16.ne(zigzag, zero)) << 48;
  return mask;
}

/** Bits of a magnitude: the category of tables F.1 and F.2. */
// @ts-ignore: decorator
@inline
function sizeOf(value: i32): i32 {
  return 32 - <i32>clz<i32>(abs<i32>(value));
}

// @ts-ignore: decorator
@inline
function count(frequencies: usize, symbol: i32): void {
  const at = frequencies + (<usize>symbol << 2);
  store<u32>(at, load<u32>(at) + 1);
}

/**
 * Appends one block.
 * @param prediction DC of the block before it in the component
 * @param dc, ac counters (u32) of the component's symbols
 * @returns where the next block's tokens go
 */
export function writeBlock(block: usize, prediction: i32, dc: usize, ac: usize, at: usize): usize {
  const difference = <i32>load<i16>(block) - prediction;
  let mask = nonZero(block) & ~1;
  const alone = mask ? 0 : DC_ALONE;
  count(dc, sizeOf(difference));
  if (abs<i32>(difference) <= DC_NARROW) store<u8>(at++, <u8>(difference + DC_NARROW + alone));
  else {
    store<u8>(at, <u8>(DC_WIDE + alone));
    store<i16>(at, <i16>difference, 1);
    at += 3;
  }
  if (!mask) {
    count(ac, 0);
    return at;
  }
  let k = 0;
  while (mask) {
    const next = <i32>ctz(mask);
    mask &= mask - 1;
    let run = next - k - 1;
    k = next;
    for (; run > 15; run -= 16) {
      store<u8>(at++, <u8>ZEROS);
      count(ac, 0xf0);
    }
    const value = <i32>load<i16>(block + <usize>load<u8>(ZIGZAG_OFFSETS + k));
    count(ac, (run << 4) | sizeOf(value));
    if (abs<i32>(value) <= 7 && run < NARROW_RUNS) {
      store<u8>(at++, <u8>(NARROW + NARROW_VALUES * run + value + (value < 0 ? 7 : 6)));
    } else if (value == <i32>(<i8>value)) {
      store<u8>(at, <u8>(BYTE + run));
      store<i8>(at, <i8>value, 1);
      at += 2;
    } else {
      store<u8>(at, <u8>(WORD + run));
      store<i16>(at, <i16>value, 1);
      at += 3;
    }
  }
  if (k < 63) {
    store<u8>(at++, 0);
    count(ac, 0);
  }
  return at;
}
