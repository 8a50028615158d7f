/**
 * Reverses the row filters (PNG specification, clause 9.2). A pixel depends on the one before it, so a vector holds the
 * bytes of one pixel. Only the filter Up, without that dependency, is reversed in whole vectors along the row.
 */
import { paethByte, paethVector } from "./paeth";

/**
 * Reverses the filter of one row.
 * @param filter filter type 0 to 4
 * @param source filtered bytes, without the filter type
 * @param prior the unfiltered row above; zeros for the first row of a picture or an Adam7 pass
 * @param row where the unfiltered row is written; up to 8 bytes past its end are overwritten
 * @param length bytes of the row
 * @param pixel bytes of a whole pixel, at least 1 (clause 9.2: bpp)
 * @returns false for a filter type that does not exist
 */
export function unfilterRow(
  filter: i32,
  source: usize,
  prior: usize,
  row: usize,
  length: usize,
  pixel: usize,
): boolean {
  if (filter == 0) memory.copy(row, source, length);
  else if (filter == 1) sub(source, row, length, pixel);
  else if (filter == 2) up(source, prior, row, length);
  else if (filter == 3) average(source, prior, row, length, pixel);
  else if (filter == 4) paeth(source, prior, row, length, pixel);
  else return false;
  return true;
}

function sub(source: usize, row: usize, length: usize, pixel: usize): void {
  if (pixel < 3) {
    for (let i: usize = 0; i < length; i++) {
      const left = i < pixel ? 0 : <i32>load<u8>(row + i - pixel);
      store<u8>(row + i, <u8>(<i32>load<u8>(source + i) + left));
    }
    return;
  }
  let left = i64x2.splat(0);
  for (let i: usize = 0; i < length; i += pixel) {
    left = i8x16.add(left, v128.load64_zero(source + i));
    v128.store64_lane(row + i, left, 0);
  }
}

function up(source: usize, prior: usize, row: usize, length: usize): void {
  let i: usize = 0;
  for (; i + 16 <= length; i += 16) {
    v128.store(row + i, i8x16.add(v128.load(source + i), v128.load(prior + i)));
  }
  for (; i < length; i++) store<u8>(row + i, load<u8>(source + i) + load<u8>(prior + i));
}

function average(source: usize, prior: usize, row: usize, length: usize, pixel: usize): void {
  if (pixel < 3) {
    for (let i: usize = 0; i < length; i++) {
      const left = i < pixel ? 0 : <i32>load<u8>(row + i - pixel);
      const mean = (left + <i32>load<u8>(prior + i)) >> 1;
      store<u8>(row + i, <u8>(<i32>load<u8>(source + i) + mean));
    }
    return;
  }
  const one = i8x16.splat(1);
  let left = i64x2.splat(0);
  for (let i: usize = 0; i < length; i += pixel) {
    const above = v128.load64_zero(prior + i);
    // The mean of vectors rounds up, that of the filter rounds down. The difference is the odd bit.
    const odd = v128.and(v128.xor(left, above), one);
    const mean = i8x16.sub(i8x16.avgr_u(left, above), odd);
    left = i8x16.add(v128.load64_zero(source + i), mean);
    v128.store64_lane(row + i, left, 0);
  }
}

function paeth(source: usize, prior: usize, row: usize, length: usize, pixel: usize): void {
  if (pixel < 3) {
    for (let i: usize = 0; i < length; i++) {
      const inside = i >= pixel;
      const left = inside ? <i32>load<u8>(row + i - pixel) : 0;
      const corner = inside ? <i32>load<u8>(prior + i - pixel) : 0;
      const guess = paethByte(left, <i32>load<u8>(prior + i), corner);
      store<u8>(row + i, <u8>(<i32>load<u8>(source + i) + guess));
    }
    return;
  }
  const byteMask = i16x8.splat(255);
  let left = i64x2.splat(0);
  let corner = i64x2.splat(0);
  for (let i: usize = 0; i < length; i += pixel) {
    const above = v128.load8x8_u(prior + i);
    const delta = v128.load8x8_u(source + i);
    left = v128.and(i16x8.add(delta, paethVector(left, above, corner)), byteMask);
    corner = above;
    v128.store64_lane(row + i, i8x16.narrow_i16x8_u(left, left), 0);
  }
}
