/**
 * Transposes 16 rows of 8 samples to 8 rows of 16, so that the samples across an edge are in separate vectors; and
 * back.
 */

/** 8 rows of 16 samples. */
export const across = memory.data(8 * 16);

@inline
function low8(a: v128, b: v128): v128 {
  return v128.shuffle<i8>(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
}
@inline
function high8(a: v128, b: v128): v128 {
  return v128.shuffle<i8>(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}
@inline
function low16(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}
@inline
function high16(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}
@inline
function low32(a: v128, b: v128): v128 {
  return v128.shuffle<i32>(a, b, 0, 4, 1, 5);
}
@inline
function high32(a: v128, b: v128): v128 {
  return v128.shuffle<i32>(a, b, 2, 6, 3, 7);
}

/** Interleaves two rows to pairs of samples. */
@inline
function pair(row: usize, stride: usize): v128 {
  return low8(v128.load64_zero(row), v128.load64_zero(row + stride));
}

/** Reads 8 rows at `first` and 8 at `second` into `across`. */
export function transposeIn(first: usize, second: usize, stride: usize): void {
  const b0 = pair(first, stride);
  const b1 = pair(first + 2 * stride, stride);
  const b2 = pair(first + 4 * stride, stride);
  const b3 = pair(first + 6 * stride, stride);
  const b4 = pair(second, stride);
  const b5 = pair(second + 2 * stride, stride);
  const b6 = pair(second + 4 * stride, stride);
  const b7 = pair(second + 6 * stride, stride);
  // These have columns 0 to 3 of four rows each, then 4 to 7.
  const c0 = low16(b0, b1);
  const c1 = low16(b2, b3);
  const c2 = low16(b4, b5);
  const c3 = low16(b6, b7);
  const c4 = high16(b0, b1);
  const c5 = high16(b2, b3);
  const c6 = high16(b4, b5);
  const c7 = high16(b6, b7);
  putColumns(across, low32(c0, c1), low32(c2, c3));
  putColumns(across + 32, high32(c0, c1), high32(c2, c3));
  putColumns(across + 64, low32(c4, c5), low32(c6, c7));
  putColumns(across + 96, high32(c4, c5), high32(c6, c7));
}

/** Writes two columns. `upper` has their rows 0 to 7 and `lower` rows 8 to 15. */
@inline
function putColumns(to: usize, upper: v128, lower: v128): void {
  v128.store(to, v128.shuffle<i64>(upper, lower, 0, 2));
  v128.store(to, v128.shuffle<i64>(upper, lower, 1, 3), 16);
}

/** Writes `across` back to where it was read. */
export function transposeOut(first: usize, second: usize, stride: usize): void {
  const e0 = v128.load(across);
  const e1 = v128.load(across, 16);
  const e2 = v128.load(across, 32);
  const e3 = v128.load(across, 48);
  const e4 = v128.load(across, 64);
  const e5 = v128.load(across, 80);
  const e6 = v128.load(across, 96);
  const e7 = v128.load(across, 112);
  putRows(first, stride, low8(e0, e1), low8(e2, e3), low8(e4, e5), low8(e6, e7));
  putRows(second, stride, high8(e0, e1), high8(e2, e3), high8(e4, e5), high8(e6, e7));
}

/** Writes eight rows, from pairs of columns. */
@inline
function putRows(to: usize, stride: usize, f01: v128, f23: v128, f45: v128, f67: v128): void {
  putFour(to, stride, low16(f01, f23), low16(f45, f67));
  putFour(to + 4 * stride, stride, high16(f01, f23), high16(f45, f67));
}

@inline
function putFour(to: usize, stride: usize, left: v128, right: v128): void {
  const upper = low32(left, right);
  const lower = high32(left, right);
  v128.store64_lane(to, upper, 0);
  v128.store64_lane(to + stride, upper, 1);
  v128.store64_lane(to + 2 * stride, lower, 0);
  v128.store64_lane(to + 3 * stride, lower, 1);
}
