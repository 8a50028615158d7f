/**
 * Upsamples chroma to full size as libjpeg-turbo does (jdsample.c): by a triangle filter with alternating rounding
 * ("fancy upsampling") for 2:1, by repetition for other ratios. Outputs are i16 with FRACTION_BITS.
 */
import { FRACTION_BITS } from "../../../../pixels/assembly/shared/resample-row";

/** Where samples begin in a line that has one more sample at each edge. Keeps the samples aligned. */
const LINE_OFFSET: usize = 16;

/** Returns 3 * a + b. */
@inline
function threeToOne(a: v128, b: v128): v128 {
  return i16x8.add(i16x8.add(i16x8.shl(a, 1), a), b);
}

/**
 * Converts a row to i16 in `line`, and repeats the first and the last sample once beyond the edges.
 * @param mix whether samples become 3 * current + neighbour (h2v2) or stay as they are (h2v1)
 */
export function widenEdges(current: usize, neighbour: usize, mix: boolean, width: i32, line: usize): void {
  const first = line + LINE_OFFSET;
  for (let x: usize = 0; x < <usize>width; x += 8) {
    let samples = v128.load_ext<u8>(current + x);
    if (mix) samples = threeToOne(samples, v128.load_ext<u8>(neighbour + x));
    v128.store(first + (x << 1), samples);
  }
  const end = first + ((<usize>width) << 1);
  store<i16>(first - 2, load<i16>(first));
  store<i16>(end, load<i16>(end - 2));
}

/**
 * Makes two outputs per sample, each of 3 parts of it and 1 part of the neighbour on that side (h2v1_ and
 * h2v2_fancy_upsample).
 */
export function doubleAcross(line: usize, width: i32, mixed: boolean, output: usize): void {
  const evenBias = i16x8.splat(mixed ? 8 : 1);
  const oddBias = i16x8.splat(mixed ? 7 : 2);
  const shift = mixed ? 4 : 2;
  const first = line + LINE_OFFSET;
  for (let x: usize = 0; x < <usize>width; x += 8) {
    const at = first + (x << 1);
    const samples = v128.load(at);
    let even = i16x8.add(threeToOne(samples, v128.load(at - 2)), evenBias);
    let odd = i16x8.add(threeToOne(samples, v128.load(at + 2)), oddBias);
    even = i16x8.shl(i16x8.shr_u(even, shift), FRACTION_BITS);
    odd = i16x8.shl(i16x8.shr_u(odd, shift), FRACTION_BITS);
    const to = output + (x << 2);
    v128.store(to, v128.shuffle<i16>(even, odd, 0, 8, 1, 9, 2, 10, 3, 11));
    v128.store(to, v128.shuffle<i16>(even, odd, 4, 12, 5, 13, 6, 14, 7, 15), 16);
  }
}

/** Mixes 3 parts of a row and 1 part of its neighbour (h1v2_fancy_upsample). */
export function mixVertically(current: usize, neighbour: usize, bias: i32, width: i32, output: usize): void {
  const rounding = i16x8.splat(<i16>bias);
  for (let x: usize = 0; x < <usize>width; x += 8) {
    const sum = threeToOne(v128.load_ext<u8>(current + x), v128.load_ext<u8>(neighbour + x));
    const mixed = i16x8.shr_u(i16x8.add(sum, rounding), 2);
    v128.store(output + (x << 1), i16x8.shl(mixed, FRACTION_BITS));
  }
}

/** Writes each sample `times` times (int_upsample), but not the first `skipped` of what comes out. */
export function repeatSamples(row: usize, times: i32, skipped: i32, outputs: i32, output: usize): void {
  for (let x = 0; x < outputs; x++) {
    const sample = <i32>load<u8>(row + <usize>((skipped + x) / times));
    store<i16>(output + ((<usize>x) << 1), <i16>(sample << FRACTION_BITS));
  }
}
