/** Splits interleaved pixels into planes. */

/** Splits three vectors of interleaved samples into one vector per plane. */
@inline
function split16(at: usize, to: usize, plane: usize): void {
  const a = v128.load(at);
  const b = v128.load(at, 16);
  const c = v128.load(at, 32);
  const r = v128.shuffle<i8>(a, b, 0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 0, 0, 0, 0, 0);
  v128.store(to, v128.shuffle<i8>(r, c, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 17, 20, 23, 26, 29));
  const g = v128.shuffle<i8>(a, b, 1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 31, 0, 0, 0, 0, 0);
  v128.store(to + plane, v128.shuffle<i8>(g, c, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 18, 21, 24, 27, 30));
  const d = v128.shuffle<i8>(a, b, 2, 5, 8, 11, 14, 17, 20, 23, 26, 29, 0, 0, 0, 0, 0, 0);
  v128.store(to + 2 * plane, v128.shuffle<i8>(d, c, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 19, 22, 25, 28, 31));
}

/**
 * Splits a row of `width` pixels, each of 3 or 4 samples, into planes that are `plane` bytes apart. Reads up to 48
 * bytes past the end of the row, and writes whole vectors.
 */
export function splitRow(row: usize, width: i32, channels: usize, to: usize, plane: usize): void {
  if (channels == 3) {
    for (let x: usize = 0; x < <usize>width; x += 16) split16(row + 3 * x, to + x, plane);
    return;
  }
  for (let x: usize = 0; x < <usize>width; x++) {
    const pixel = load<u32>(row + (x << 2));
    store<u8>(to + x, <u8>pixel);
    store<u8>(to + x + plane, <u8>(pixel >> 8));
    store<u8>(to + x + 2 * plane, <u8>(pixel >> 16));
    store<u8>(to + x + 3 * plane, <u8>(pixel >> 24));
  }
}
