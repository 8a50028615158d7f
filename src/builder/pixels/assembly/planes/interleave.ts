/**
 * Splits interleaved samples into one line per channel, and joins them. The loops handle eight pixels at once and may
 * read or write up to 31 bytes past the end of a buffer.
 */

/** Splits a row: channel c goes to `lines + c * distance`. */
export function splitRow(row: usize, width: i32, channels: i32, lines: usize, distance: usize): void {
  const pixels = <usize>width;
  const second = lines + distance;
  const third = second + distance;
  const fourth = third + distance;
  if (channels == 1) return memory.copy(lines, row, pixels);
  if (channels == 2) {
    for (let x: usize = 0; x < pixels; x += 8) {
      const both = v128.load(row + 2 * x);
      const apart = v128.shuffle<i8>(both, both, 0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15);
      v128.store64_lane(lines + x, apart, 0);
      v128.store64_lane(second + x, apart, 1);
    }
  } else if (channels == 3) {
    for (let x: usize = 0; x < pixels; x += 8) {
      const a = v128.load(row + 3 * x);
      const b = v128.load(row + 3 * x, 8);
      const two = v128.shuffle<i8>(a, b, 0, 3, 6, 9, 12, 15, 26, 29, 1, 4, 7, 10, 13, 24, 27, 30);
      v128.store64_lane(lines + x, two, 0);
      v128.store64_lane(second + x, two, 1);
      const one = v128.shuffle<i8>(a, b, 2, 5, 8, 11, 14, 25, 28, 31, 0, 0, 0, 0, 0, 0, 0, 0);
      v128.store64_lane(third + x, one, 0);
    }
  } else {
    for (let x: usize = 0; x < pixels; x += 8) {
      const a = v128.load(row + 4 * x);
      const b = v128.load(row + 4 * x, 16);
      const two = v128.shuffle<i8>(a, b, 0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29);
      v128.store64_lane(lines + x, two, 0);
      v128.store64_lane(second + x, two, 1);
      const others = v128.shuffle<i8>(a, b, 2, 6, 10, 14, 18, 22, 26, 30, 3, 7, 11, 15, 19, 23, 27, 31);
      v128.store64_lane(third + x, others, 0);
      v128.store64_lane(fourth + x, others, 1);
    }
  }
}

/** Joins a row: channel c comes from `lines + c * distance`. */
export function joinRow(lines: usize, distance: usize, width: i32, channels: i32, row: usize): void {
  const pixels = <usize>width;
  const second = lines + distance;
  const third = second + distance;
  const fourth = third + distance;
  if (channels == 1) return memory.copy(row, lines, pixels);
  if (channels == 2) {
    for (let x: usize = 0; x < pixels; x += 8) {
      const a = v128.load64_zero(lines + x);
      const b = v128.load64_zero(second + x);
      v128.store(row + 2 * x, v128.shuffle<i8>(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23));
    }
    return;
  }
  for (let x: usize = 0; x < pixels; x += 8) {
    const ab = v128.load64_lane(second + x, v128.load64_zero(lines + x), 1);
    const c = v128.load64_zero(third + x);
    if (channels == 3) {
      const to = row + 3 * x;
      v128.store(to, v128.shuffle<i8>(ab, c, 0, 8, 16, 1, 9, 17, 2, 10, 18, 3, 11, 19, 4, 12, 20, 5));
      const tail = v128.shuffle<i8>(ab, c, 13, 21, 6, 14, 22, 7, 15, 23, 0, 0, 0, 0, 0, 0, 0, 0);
      v128.store64_lane(to, tail, 0, 16);
    } else {
      const to = row + 4 * x;
      const cd = v128.load64_lane(fourth + x, c, 1);
      v128.store(to, v128.shuffle<i8>(ab, cd, 0, 8, 16, 24, 1, 9, 17, 25, 2, 10, 18, 26, 3, 11, 19, 27));
      v128.store(
        to,
        v128.shuffle<i8>(ab, cd, 4, 12, 20, 28, 5, 13, 21, 29, 6, 14, 22, 30, 7, 15, 23, 31),
        16,
      );
    }
  }
}
