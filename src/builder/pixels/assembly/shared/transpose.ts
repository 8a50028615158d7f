/** Transposes blocks of 8 x 8 bytes. */

/** Stores the columns of eight rows as rows that are `stride` bytes apart. Each vector holds two of the eight rows. */
@inline
export function storeColumns(a: v128, b: v128, c: v128, d: v128, out: usize, stride: usize): void {
  const upperLeft = v128.shuffle<i8>(a, b, 0, 8, 16, 24, 1, 9, 17, 25, 2, 10, 18, 26, 3, 11, 19, 27);
  const upperRight = v128.shuffle<i8>(a, b, 4, 12, 20, 28, 5, 13, 21, 29, 6, 14, 22, 30, 7, 15, 23, 31);
  const lowerLeft = v128.shuffle<i8>(c, d, 0, 8, 16, 24, 1, 9, 17, 25, 2, 10, 18, 26, 3, 11, 19, 27);
  const lowerRight = v128.shuffle<i8>(c, d, 4, 12, 20, 28, 5, 13, 21, 29, 6, 14, 22, 30, 7, 15, 23, 31);
  storeFour(upperLeft, lowerLeft, out, stride);
  storeFour(upperRight, lowerRight, out + 4 * stride, stride);
}

/** Stores four rows of eight samples. `left` has the first four samples of each row, `right` the last four. */
@inline
function storeFour(left: v128, right: v128, out: usize, stride: usize): void {
  const first = v128.shuffle<i32>(left, right, 0, 4, 1, 5);
  const second = v128.shuffle<i32>(left, right, 2, 6, 3, 7);
  v128.store64_lane(out, first, 0);
  v128.store64_lane(out + stride, first, 1);
  v128.store64_lane(out + 2 * stride, second, 0);
  v128.store64_lane(out + 3 * stride, second, 1);
}
