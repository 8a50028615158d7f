/** Vectors that several filters need. */

/** Returns eight times the highest sample of a bit depth. */
@inline
export function highestSample(bitDepth: i32): v128 {
  const highest: i32 = (1 << bitDepth) - 1;
  return i16x8.splat(<i16>highest);
}
