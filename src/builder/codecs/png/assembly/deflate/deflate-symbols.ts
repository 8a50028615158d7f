/** The symbols of deflate and their extra bits (RFC 1951, section 3.2.5). */

export const LEAST_LENGTH: i32 = 3;
export const MOST_LENGTH: i32 = 258;
export const END_OF_BLOCK: i32 = 256;
/** The number of symbols of literals and lengths, and of distances. A fixed code has a few more, which do not occur. */
export const LENGTH_SYMBOLS: i32 = 286;
export const DISTANCE_SYMBOLS: i32 = 30;
export const FIXED_LENGTH_SYMBOLS: i32 = 288;
export const FIXED_DISTANCE_SYMBOLS: i32 = 32;
/** The symbol of the longest length, 258. */
const MOST_LENGTH_SYMBOL: i32 = 285;

@inline
export function lengthSymbol(length: i32): i32 {
  const over = length - LEAST_LENGTH;
  if (length == MOST_LENGTH) return MOST_LENGTH_SYMBOL;
  if (over < 8) return 257 + over;
  const top = 31 - clz(over);
  return 257 + 4 * (top - 1) + ((over >> (top - 2)) & 3);
}

/**
 * Returns the number of extra bits of a literal or length. The extra bits are the lowest bits of the length minus 3.
 */
@inline
export function lengthExtraBits(symbol: i32): i32 {
  return symbol < 265 || symbol == MOST_LENGTH_SYMBOL ? 0 : (symbol - 261) >> 2;
}

@inline
export function distanceSymbol(distance: i32): i32 {
  const over = distance - 1;
  if (over < 4) return over;
  const top = 31 - clz(over);
  return 2 * top + ((over >> (top - 1)) & 1);
}

/** Returns the number of extra bits of a distance. The extra bits are the lowest bits of the distance minus 1. */
@inline
export function distanceExtraBits(symbol: i32): i32 {
  return symbol < 4 ? 0 : (symbol >> 1) - 1;
}
