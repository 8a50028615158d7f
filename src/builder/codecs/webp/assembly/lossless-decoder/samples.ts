/** Writes rows of pixels (u32 with alpha in the highest byte, then red, green, blue) as samples. */

/** Writes RGB. Touches up to 16 bytes past the end. */
export function writeRgb(row: usize, width: i32, to: usize): void {
  const end = row + ((<usize>width) << 2);
  for (let at = row; at < end; at += 16, to += 12) {
    const pixels = v128.load(at);
    v128.store(to, v128.shuffle<i8>(pixels, pixels, 2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, 0, 0, 0, 0));
  }
}

/** Writes RGBA. Touches up to 12 bytes past the end. */
export function writeRgba(row: usize, width: i32, to: usize): void {
  const end = row + ((<usize>width) << 2);
  for (let at = row; at < end; at += 16, to += 16) {
    const pixels = v128.load(at);
    v128.store(to, v128.shuffle<i8>(pixels, pixels, 2, 1, 0, 3, 6, 5, 4, 7, 10, 9, 8, 11, 14, 13, 12, 15));
  }
}

/** Writes green alone. Touches up to 3 bytes past the end. */
export function writeGreen(row: usize, width: i32, to: usize): void {
  const end = row + ((<usize>width) << 2);
  for (let at = row; at < end; at += 16, to += 4) {
    const pixels = v128.load(at);
    const green = v128.shuffle<i8>(pixels, pixels, 1, 5, 9, 13, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    v128.store32_lane(to, green, 0);
  }
}

/** Writes RGB and alpha as RGBA. Touches up to 12 bytes past the end. */
export function joinAlpha(rgb: usize, alpha: usize, width: i32, to: usize): void {
  for (let x = 0; x < width; x += 4, rgb += 12, alpha += 4, to += 16) {
    const colours = v128.load(rgb);
    const opacity = v128.load32_zero(alpha);
    const pixels = v128.shuffle<i8>(colours, opacity, 0, 1, 2, 16, 3, 4, 5, 17, 6, 7, 8, 18, 9, 10, 11, 19);
    v128.store(to, pixels);
  }
}
