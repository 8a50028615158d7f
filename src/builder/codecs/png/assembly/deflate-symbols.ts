/** The symbols of deflate, and what each one's extra bits say (RFC 1951, section 3.2.5). */

export const LEAST_LENGTH: i32 = 3;
export const MOST_LENGTH: i32 = 258;
export const END_OF_BLOCK: i32 = 256;
/** Symbols of literals and lengths, and of distances; a fixed code has some more, which do not occur. */
export const LENGTH_SYMBOLS: i32 = 286;
export const DISTANCE_SYMBOLS: i32 = 30;
export const FIXED_LENGTH_SYMBOLS: i32 = 288;
export const FIXED_DISTANCE_SYMBOLS: i32 = 32;
/** The longest length has a symbol of its own. */
const MOST_LENGTH_SYMBOL: i32 = 285;

@inline
export function lengthSymbol(length: i32): i32 {
  const over = length - LEAST_LENGTH;
  if (length == MOST_LENGTH) return MOST_LENGTH_SYMBOL;
  if (over < 8) return 257 + over;
  const top = 31 - clz(over);
  return 257 + 4 * (top - 1) + ((over >> (top - 2)) & 3);
}

/** Of a literal or length; they are the lowest bits of a length less 3. */
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

/** They are the lowest bits of a distance less 1. */
@inline
export function distanceExtraBits(symbol: i32): i32 {
  return symbol < 4 ? 0 : (symbol >> 1) - 1;
}
