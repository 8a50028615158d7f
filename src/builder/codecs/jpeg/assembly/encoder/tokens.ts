/**
 * Blocks of quantised coefficients as a compact stream of bytes, which every scan reads again. Most tokens have one
 * byte.
 *
 * A block begins with its DC coefficient in 16 bits. AC coefficients follow, each with the number of zeros before it:
 *
 *     0          end of block; left out when coefficient 63 is coded
 *     1 ...      NARROW + 14 * run + i for values -7 ... 7 without 0, run up to 14
 *     BYTE       + run, and the value as 8 bits
 *     WORD       + run, and the value as 16 bits
 *     ZEROS      16 zeros
 */
import { LEVEL_BYTES, LEVEL_VALUE } from "./level-format";

export const NARROW: i32 = 1;
export const NARROW_RUNS: i32 = 15;
export const NARROW_VALUES: i32 = 14;
export const BYTE: i32 = NARROW + NARROW_RUNS * NARROW_VALUES;
export const WORD: i32 = BYTE + 16;
export const ZEROS: i32 = WORD + 16;
/** Upper bound of a block's bytes: 2 for the DC coefficient, 3 for each of 63 others. */
export const MOST_BLOCK_TOKENS: i32 = 2 + 63 * 3;

/**
 * The token that `readToken` read: the zeros before the coefficient, and the coefficient. A coefficient of 0 means 16
 * zeros.
 */
export let tokenRun = 0;
export let tokenValue = 0;

/** Run and value of each narrow token, as two i8. */
const narrow = memory.data(512, 16);

/** Fills the table of narrow tokens. Must be called once before any token is read. */
export function prepareTokens(): void {
  for (let run = 0; run < NARROW_RUNS; run++) {
    for (let i = 0; i < NARROW_VALUES; i++) {
      const at = narrow + ((<usize>(NARROW + NARROW_VALUES * run + i)) << 1);
      store<i8>(at, <i8>run);
      store<i8>(at, <i8>(i < 7 ? i - 7 : i - 6), 1);
    }
  }
}

/** Reads one token, which must not be the end of a block. @returns the address of the next one */
@inline
export function readToken(at: usize): usize {
  const token = <i32>load<u8>(at);
  if (token < BYTE) {
    const entry = narrow + ((<usize>token) << 1);
    tokenRun = load<i8>(entry);
    tokenValue = load<i8>(entry, 1);
    return at + 1;
  }
  if (token == ZEROS) {
    tokenRun = 15;
    tokenValue = 0;
    return at + 1;
  }
  if (token < WORD) {
    tokenRun = token - BYTE;
    tokenValue = load<i8>(at, 1);
    return at + 2;
  }
  tokenRun = token - WORD;
  tokenValue = load<i16>(at, 1);
  return at + 3;
}

/**
 * Appends one block.
 * @param levels, end the AC levels, as `chooseLevels` writes them
 * @returns the address after the block's last token
 */
export function writeBlock(dc: i32, levels: usize, end: usize, at: usize): usize {
  store<i16>(at, <i16>dc);
  at += 2;
  let k = 0;
  for (; levels < end; levels += LEVEL_BYTES) {
    const next = load<i32>(levels);
    const value = load<i32>(levels, LEVEL_VALUE);
    let run = next - k - 1;
    k = next;
    for (; run > 15; run -= 16) store<u8>(at++, <u8>ZEROS);
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
  if (k < 63) store<u8>(at++, 0);
  return at;
}
