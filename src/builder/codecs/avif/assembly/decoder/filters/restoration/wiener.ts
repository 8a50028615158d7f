/** The Wiener filter of loop restoration (AV1 specification section 7.17.4), from the window into the picture. */
import { allocate } from "../../../../../../pixels/assembly/shared/arena";
import { highestSample } from "../samples";
import { WINDOW_SIZE, WINDOW_STRIDE, windowAt } from "../window";

const TAPS = 7;
const ROW: usize = WINDOW_SIZE * 2;
/** Intermediate samples have up to 15 bits. With this taken off, the sum of two of them fits 16 bits. */
const BIAS = 8192;
const GAIN = 128;

export const WIENER_BYTES: u64 = (WINDOW_SIZE + TAPS - 1) * ROW;

let intermediate: usize = 0;

/** Allocates the intermediate samples. @returns false when the memory is at its end */
export function layOutWiener(): boolean {
  intermediate = allocate(WIENER_BYTES);
  return intermediate != 0;
}

/** Returns two coefficients beside each other, for products of interleaved samples. */
@inline
function pair(first: i32, second: i32): v128 {
  return i32x4.splat((second << 16) | (first & 0xffff));
}

@inline
function middleOf(coefficients: usize): i32 {
  return GAIN - 2 * (load<i8>(coefficients) + load<i8>(coefficients, 1) + load<i8>(coefficients, 2));
}

/** Filters along the rows of the window. */
function filterAcross(width: i32, height: i32, coefficients: usize, bitDepth: i32): void {
  const bits = bitDepth == 12 ? 5 : 3;
  const half = i32x4.splat(1 << (bits - 1));
  const offset = 1 << (bitDepth + 7 - bits - 1);
  const least = i32x4.splat(-offset);
  const most = i32x4.splat((1 << (bitDepth + 8 - bits)) - 1 - offset);
  const bias = i32x4.splat(BIAS);
  const outer = pair(load<i8>(coefficients), load<i8>(coefficients, 1));
  const inner = pair(load<i8>(coefficients, 2), middleOf(coefficients));
  let from = windowAt - 3 * WINDOW_STRIDE;
  let to = intermediate;
  for (let row = 0; row < height + TAPS - 1; row++, from += WINDOW_STRIDE, to += ROW) {
    for (let x: usize = 0; x < <usize>(width << 1); x += 16) {
      const at = from + x;
      const a = i16x8.add(v128.load(at - 6), v128.load(at + 6));
      const b = i16x8.add(v128.load(at - 4), v128.load(at + 4));
      const c = i16x8.add(v128.load(at - 2), v128.load(at + 2));
      const d = v128.load(at);
      let low = i32x4.add(
        i32x4.dot_i16x8_s(v128.shuffle<i16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11), outer),
        i32x4.dot_i16x8_s(v128.shuffle<i16>(c, d, 0, 8, 1, 9, 2, 10, 3, 11), inner),
      );
      let high = i32x4.add(
        i32x4.dot_i16x8_s(v128.shuffle<i16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15), outer),
        i32x4.dot_i16x8_s(v128.shuffle<i16>(c, d, 4, 12, 5, 13, 6, 14, 7, 15), inner),
      );
      low = i32x4.max_s(least, i32x4.min_s(most, i32x4.shr_s(i32x4.add(low, half), bits)));
      high = i32x4.max_s(least, i32x4.min_s(most, i32x4.shr_s(i32x4.add(high, half), bits)));
      v128.store(to + x, i16x8.narrow_i32x4_s(i32x4.sub(low, bias), i32x4.sub(high, bias)));
    }
  }
}

/** Filters down the columns of the intermediate samples. */
function filterDown(
  width: i32,
  height: i32,
  coefficients: usize,
  to: usize,
  stride: usize,
  bitDepth: i32,
): void {
  const bits = bitDepth == 12 ? 9 : 11;
  const added = i32x4.splat((1 << (bits - 1)) + GAIN * BIAS);
  const highest = highestSample(bitDepth);
  const outer = pair(load<i8>(coefficients), load<i8>(coefficients, 1));
  const inner = pair(load<i8>(coefficients, 2), middleOf(coefficients));
  let from = intermediate;
  for (let row = 0; row < height; row++, from += ROW, to += stride) {
    for (let x: usize = 0; x < <usize>(width << 1); x += 16) {
      const at = from + x;
      const a = i16x8.add(v128.load(at), v128.load(at, 6 * ROW));
      const b = i16x8.add(v128.load(at, ROW), v128.load(at, 5 * ROW));
      const c = i16x8.add(v128.load(at, 2 * ROW), v128.load(at, 4 * ROW));
      const d = v128.load(at, 3 * ROW);
      const low = i32x4.add(
        i32x4.dot_i16x8_s(v128.shuffle<i16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11), outer),
        i32x4.dot_i16x8_s(v128.shuffle<i16>(c, d, 0, 8, 1, 9, 2, 10, 3, 11), inner),
      );
      const high = i32x4.add(
        i32x4.dot_i16x8_s(v128.shuffle<i16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15), outer),
        i32x4.dot_i16x8_s(v128.shuffle<i16>(c, d, 4, 12, 5, 13, 6, 14, 7, 15), inner),
      );
      const samples = i16x8.narrow_i32x4_u(
        i32x4.shr_s(i32x4.add(low, added), bits),
        i32x4.shr_s(i32x4.add(high, added), bits),
      );
      v128.store(to + x, i16x8.min_u(samples, highest));
    }
  }
}

/**
 * Filters the window. It writes up to seven samples past a width that is no multiple of eight.
 * @param coefficients three i8 of the vertical filter, then three of the horizontal one
 */
export function filterWiener(
  width: i32,
  height: i32,
  coefficients: usize,
  to: usize,
  stride: usize,
  bitDepth: i32,
): void {
  filterAcross(width, height, coefficients + 3, bitDepth);
  filterDown(width, height, coefficients, to, stride, bitDepth);
}
