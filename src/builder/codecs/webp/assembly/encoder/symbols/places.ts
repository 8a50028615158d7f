/**
 * How VP8L names the place where a match begins (RFC 9649, 3.6.2.2): the 120 nearest pixels have numbers by their
 * distance in two dimensions; all others are named by how many pixels they lie before.
 */

/** Numbers of near places, by rows above (in 16s) and 8 minus the pixels to the left; 255 for none. */
const NEAR_NUMBERS = memory.data<u8>([
  96, 73, 55, 39, 23, 13, 5, 1, 255, 255, 255, 255, 255, 255, 255, 255, 101, 78, 58, 42, 26, 16, 8, 2, 0, 3,
  9, 17, 27, 43, 59, 79, 102, 86, 62, 46, 32, 20, 10, 6, 4, 7, 11, 21, 33, 47, 63, 87, 105, 90, 70, 52, 37,
  28, 18, 14, 12, 15, 19, 29, 38, 53, 71, 91, 110, 99, 82, 66, 48, 35, 30, 24, 22, 25, 31, 36, 49, 67, 83,
  100, 115, 108, 94, 76, 64, 50, 44, 40, 34, 41, 45, 51, 65, 77, 95, 109, 118, 113, 103, 92, 80, 68, 60, 56,
  54, 57, 61, 69, 81, 93, 104, 114, 119, 116, 111, 106, 97, 88, 84, 74, 72, 75, 85, 89, 98, 107, 112, 117,
]);
const NEAR_PLACES: i32 = 120;
/** Near places have less than these: pixels to the left (one more than to the right), rows above. */
const NEAR_LEFT: i32 = 9;
const NEAR_ABOVE: i32 = 8;

/** Returns the number of the place `distance` pixels before, from 0. */
export function placeNumber(distance: i32, width: i32): i32 {
  const above = distance / width;
  const left = distance - above * width;
  if (above < NEAR_ABOVE && left < NEAR_LEFT) {
    return <i32>load<u8>(NEAR_NUMBERS + <usize>(above * 16 + 8 - left));
  }
  if (above < NEAR_ABOVE - 1 && left > width - 8) {
    return <i32>load<u8>(NEAR_NUMBERS + <usize>((above + 1) * 16 + 8 + width - left));
  }
  return distance + NEAR_PLACES - 1;
}

/**
 * Returns the prefix symbol of a length or a place (3.6.2.2). `value` is the length minus one, or the number of the
 * place.
 */
@inline
export function prefixSymbol(value: i32): i32 {
  if (value < 4) return value;
  const highest = 31 - <i32>clz(value);
  return 2 * highest + ((value >> (highest - 1)) & 1);
}

/** Returns the bits that follow a prefix symbol. */
@inline
export function prefixExtraBits(symbol: i32): i32 {
  return symbol < 4 ? 0 : (symbol - 2) >> 1;
}
