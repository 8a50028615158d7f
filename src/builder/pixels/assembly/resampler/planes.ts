/** Splits interleaved lines into one plane per channel, and joins planes. Samples have 16 bits, 6 of them fraction. */
import { FRACTION_BITS } from "../shared/resample-row";

/** One half, with 6 fraction bits. */
export const HALF: i16 = 32;

/** Splits a line of `width` pixels. `stride` is the distance in bytes between planes. */
export function splitPlanes(line: usize, width: i32, channels: i32, planes: usize, stride: usize): void {
  const length = (<usize>width) << 1;
  if (channels == 2) {
    for (let x: usize = 0; x < length; x += 16) {
      const a = v128.load(line + (x << 1));
      const b = v128.load(line + (x << 1), 16);
      v128.store(planes + x, v128.shuffle<i16>(a, b, 0, 2, 4, 6, 8, 10, 12, 14));
      v128.store(planes + stride + x, v128.shuffle<i16>(a, b, 1, 3, 5, 7, 9, 11, 13, 15));
    }
  } else if (channels == 3) {
    for (let x: usize = 0; x < length; x += 16) {
      const a = v128.load(line + 3 * x);
      const b = v128.load(line + 3 * x, 16);
      const c = v128.load(line + 3 * x, 32);
      const r = v128.shuffle<i16>(a, b, 0, 3, 6, 9, 12, 15, 0, 0);
      const g = v128.shuffle<i16>(a, b, 1, 4, 7, 10, 13, 0, 0, 0);
      const v = v128.shuffle<i16>(a, b, 2, 5, 8, 11, 14, 0, 0, 0);
      v128.store(planes + x, v128.shuffle<i16>(r, c, 0, 1, 2, 3, 4, 5, 10, 13));
      v128.store(planes + stride + x, v128.shuffle<i16>(g, c, 0, 1, 2, 3, 4, 8, 11, 14));
      v128.store(planes + 2 * stride + x, v128.shuffle<i16>(v, c, 0, 1, 2, 3, 4, 9, 12, 15));
    }
  } else {
    for (let x: usize = 0; x < length; x += 8) {
      const a = v128.load(line + (x << 2));
      const b = v128.load(line + (x << 2), 16);
      const even = v128.shuffle<i16>(a, b, 0, 4, 8, 12, 1, 5, 9, 13);
      const odd = v128.shuffle<i16>(a, b, 2, 6, 10, 14, 3, 7, 11, 15);
      v128.store64_lane(planes + x, even, 0);
      v128.store64_lane(planes + stride + x, even, 1);
      v128.store64_lane(planes + 2 * stride + x, odd, 0);
      v128.store64_lane(planes + 3 * stride + x, odd, 1);
    }
  }
}

/** Loads eight samples and rounds them to whole numbers, which may still exceed a byte. */
@inline
function rounded(at: usize): v128 {
  return i16x8.shr_s(i16x8.add_sat_s(v128.load(at), i16x8.splat(HALF)), FRACTION_BITS);
}

/** Joins planes to an interleaved row of bytes. Writes up to 32 bytes past the end of the row. */
export function joinPlanes(planes: usize, stride: usize, width: i32, channels: i32, row: usize): void {
  for (let x: usize = 0; x < <usize>width; x += 8) {
    const at = planes + (x << 1);
    const first = rounded(at);
    if (channels == 1) {
      v128.store64_lane(row + x, i8x16.narrow_i16x8_u(first, first), 0);
      continue;
    }
    const front = i8x16.narrow_i16x8_u(first, rounded(at + stride));
    if (channels == 2) {
      v128.store(
        row + (x << 1),
        v128.shuffle<i8>(front, front, 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15),
      );
      continue;
    }
    const third = rounded(at + 2 * stride);
    const back = i8x16.narrow_i16x8_u(third, channels == 4 ? rounded(at + 3 * stride) : third);
    if (channels == 3) {
      const out = row + 3 * x;
      v128.store(out, v128.shuffle<i8>(front, back, 0, 8, 16, 1, 9, 17, 2, 10, 18, 3, 11, 19, 4, 12, 20, 5));
      const rest = v128.shuffle<i8>(front, back, 13, 21, 6, 14, 22, 7, 15, 23, 0, 0, 0, 0, 0, 0, 0, 0);
      v128.store64_lane(out, rest, 0, 16);
    } else {
      const out = row + (x << 2);
      const low = v128.shuffle<i8>(front, back, 0, 8, 16, 24, 1, 9, 17, 25, 2, 10, 18, 26, 3, 11, 19, 27);
      v128.store(out, low);
      const high = v128.shuffle<i8>(front, back, 4, 12, 20, 28, 5, 13, 21, 29, 6, 14, 22, 30, 7, 15, 23, 31);
      v128.store(out, high, 16);
    }
  }
}
