/**
 * Blocks of levels as a compact stream of bytes, which the second pass codes; and counts of each token in each context
 * (RFC 6386, 13). A level that is not 0 takes one byte in most cases, with the zeros before it:
 *
 *     0          no more levels; left out when the 16th was coded
 *     1 ...      NARROW + 14 * run + i for levels -7 ... 7 without 0, run up to 14
 *     BYTE       + run, and the level as 8 bits
 *     WORD       + run, and the level as 16 bits
 */

export const NARROW: i32 = 1;
export const NARROW_VALUES: i32 = 14;
export const NARROW_RUNS: i32 = 15;
export const BYTE: i32 = NARROW + NARROW_RUNS * NARROW_VALUES;
export const WORD: i32 = BYTE + 16;
export const MOST_BLOCK_TOKENS: i32 = 16 * 3;

/** Kinds of blocks (13.3): luma without its DC, the block of those DCs, chroma, luma with its DC. */
export const LUMA_AC: i32 = 0;
export const LUMA_DC: i32 = 1;
export const CHROMA: i32 = 2;
export const LUMA: i32 = 3;

/** The band of each coefficient (13.3), and of one more place after the last. */
const BANDS = memory.data<u8>([0, 1, 2, 3, 6, 4, 5, 6, 6, 6, 6, 6, 6, 6, 6, 7, 0]);

/** The counts (u32) of a context: tokens 0 to 4, six categories, the end, and how many tokens followed a zero. */
export const END_TOKEN: i32 = 11;
export const AFTER_ZERO: i32 = 12;
export const COUNTS_BYTES: usize = 64;
export const CONTEXTS: i32 = 4 * 8 * 3;

/** All counts, as [kind][band][context], COUNTS_BYTES each. */
export const counts = memory.data(96 * 64);

/** Returns the index of [kind][band][context 0]. */
@inline
export function rowOf(kind: i32, coefficient: i32): i32 {
  return 24 * kind + 3 * <i32>load<u8>(BANDS + coefficient);
}

/** Returns the token of a level of at least 0 (13.2). */
@inline
export function tokenOf(size: i32): i32 {
  if (size <= 4) return size;
  if (size <= 10) return size <= 6 ? 5 : 6;
  // 11, 19, 35 and 67 begin categories 3 to 6.
  return min(35 - <i32>clz<i32>(size - 3), 10);
}

@inline
function count(row: i32, token: i32): void {
  const at = counts + <usize>row * COUNTS_BYTES + ((<usize>token) << 2);
  store<u32>(at, load<u32>(at) + 1);
}

/** Returns which levels of a block are not 0: bit k is set for the k-th. */
@inline
export function nonZero(levels: usize): i32 {
  // A value that is not 0 stays so when it is saturated to a byte.
  const bytes = i8x16.narrow_i16x8_s(v128.load(levels), v128.load(levels, 16));
  return i8x16.bitmask(i8x16.ne(bytes, i8x16.splat(0)));
}

/**
 * Appends one block.
 * @param first 1 where the DC is coded elsewhere, else 0
 * @param context how many of the blocks above and to the left have levels
 * @returns the address after the block's last token
 */
export function writeBlock(levels: usize, kind: i32, first: i32, context: i32, at: usize): usize {
  let mask = nonZero(levels);
  let row = rowOf(kind, first) + context;
  let position = first;
  while (mask) {
    const next = <i32>ctz(mask);
    mask &= mask - 1;
    const run = next - position;
    for (; position < next; position++) {
      count(row, 0);
      row = rowOf(kind, position + 1);
      count(row, AFTER_ZERO);
    }
    const level = <i32>load<i16>(levels + ((<usize>next) << 1));
    const size = abs<i32>(level);
    count(row, tokenOf(size));
    position = next + 1;
    row = rowOf(kind, position) + (size == 1 ? 1 : 2);
    if (size <= 7 && run < NARROW_RUNS) {
      store<u8>(at++, <u8>(NARROW + NARROW_VALUES * run + level + (level < 0 ? 7 : 6)));
    } else if (level == <i32>(<i8>level)) {
      store<u8>(at, <u8>(BYTE + run));
      store<i8>(at, <i8>level, 1);
      at += 2;
    } else {
      store<u8>(at, <u8>(WORD + run));
      store<i16>(at, <i16>level, 1);
      at += 3;
    }
  }
  if (position < 16) {
    count(row, END_TOKEN);
    store<u8>(at++, 0);
  }
  return at;
}
