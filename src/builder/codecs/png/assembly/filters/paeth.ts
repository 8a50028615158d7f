/** The Paeth predictor (PNG specification, clause 9.4) on eight 16-bit lanes that hold bytes. */

/**
 * Returns the one of left, above and upper left that is nearest to left + above - upper left; among equals, in that
 * order.
 */
@inline
export function paethVector(left: v128, above: v128, upperLeft: v128): v128 {
  const toLeft = i16x8.sub(above, upperLeft);
  const toAbove = i16x8.sub(left, upperLeft);
  const distanceLeft = i16x8.abs(toLeft);
  const distanceAbove = i16x8.abs(toAbove);
  const distanceUpperLeft = i16x8.abs(i16x8.add(toLeft, toAbove));
  const least = i16x8.min_s(distanceUpperLeft, i16x8.min_s(distanceLeft, distanceAbove));
  const aboveOrCorner = v128.bitselect(above, upperLeft, i16x8.eq(least, distanceAbove));
  return v128.bitselect(left, aboveOrCorner, i16x8.eq(least, distanceLeft));
}

/** Returns the prediction of a single byte. */
@inline
export function paethByte(left: i32, above: i32, upperLeft: i32): i32 {
  const distanceLeft = abs(above - upperLeft);
  const distanceAbove = abs(left - upperLeft);
  const distanceUpperLeft = abs(left + above - 2 * upperLeft);
  if (distanceLeft <= distanceAbove && distanceLeft <= distanceUpperLeft) return left;
  return distanceAbove <= distanceUpperLeft ? above : upperLeft;
}
