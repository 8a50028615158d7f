/** The self-guided filter of loop restoration (AV1 specification section 7.17.2), from the window into the picture. */
import { allocate } from "../../../../../../pixels/assembly/shared/arena";
import { highestSample } from "../samples";
import { WINDOW_STRIDE, windowAt } from "../window";
import { fillBoxRow, LINE_BYTES, LINE_LEAD, shareOfMean, shareOfSample } from "./boxes";

/** Radius and epsilon of both filters of each set; radius 0 is no filter. */
const SETS = memory.data<u8>([
  2, 12, 1, 4, 2, 15, 1, 6, 2, 18, 1, 8, 2, 21, 1, 9, 2, 24, 1, 10, 2, 29, 1, 11, 2, 36, 1, 12, 2, 45, 1, 13,
  2, 56, 1, 14, 2, 68, 1, 15, 0, 0, 1, 5, 0, 0, 1, 8, 0, 0, 1, 11, 0, 0, 1, 14, 2, 30, 0, 0, 2, 75, 0, 0,
]);

/** Rows of weighted sums that are kept, a power of two. */
const RING = 4;
/** Lines of a kept row: sums with the weights of a row above or below, and with those of the row itself. */
const KINDS = 4;
const RING_BYTES: usize = RING * KINDS * LINE_BYTES;
const FIRST_RADIUS = 2;
const SECOND_RADIUS = 1;

export const SELF_GUIDED_BYTES: u64 = 2 * RING_BYTES;

let wideRing: usize = 0;
let narrowRing: usize = 0;

/** Allocates the kept rows. @returns false when the memory is at its end */
export function layOutSelfGuided(): boolean {
  wideRing = allocate(SELF_GUIDED_BYTES);
  narrowRing = wideRing + RING_BYTES;
  return wideRing != 0;
}

@inline
function keptRow(ring: usize, row: i32): usize {
  return ring + (row & (RING - 1)) * (KINDS * LINE_BYTES) + LINE_LEAD;
}

/** Returns the scale of variances of boxes of `count` samples. */
@inline
function strengthOf(count: i32, epsilon: i32): i32 {
  const divisor = count * count * epsilon;
  return ((1 << 20) + divisor / 2) / divisor;
}

/** Weighs a line by 5, 6, 5. */
@inline
function weighWide(from: usize, to: usize, width: i32): void {
  for (let x: usize = 0; x < <usize>(width << 2); x += 16) {
    const middle = v128.load(from + x);
    const all = i32x4.add(i32x4.add(v128.load(from + x - 4), v128.load(from + x + 4)), middle);
    v128.store(to + x, i32x4.add(i32x4.add(i32x4.shl(all, 2), all), middle));
  }
}

/** Weighs a line by 3, 4, 3 for the rows above and below it, and by 4, 4, 4 for its own. */
@inline
function weighNarrow(from: usize, to: usize, own: usize, width: i32): void {
  for (let x: usize = 0; x < <usize>(width << 2); x += 16) {
    const middle = v128.load(from + x);
    const all = i32x4.add(i32x4.add(v128.load(from + x - 4), v128.load(from + x + 4)), middle);
    const four = i32x4.shl(all, 2);
    v128.store(to + x, i32x4.add(i32x4.sub(four, all), middle));
    v128.store(own + x, four);
  }
}

function keepWide(row: i32, width: i32, strength: i32, bitDepth: i32): void {
  fillBoxRow(row, width, FIRST_RADIUS, strength, bitDepth);
  const to = keptRow(wideRing, row);
  weighWide(shareOfSample + LINE_LEAD, to, width);
  weighWide(shareOfMean + LINE_LEAD, to + LINE_BYTES, width);
}

function keepNarrow(row: i32, width: i32, strength: i32, bitDepth: i32): void {
  fillBoxRow(row, width, SECOND_RADIUS, strength, bitDepth);
  const to = keptRow(narrowRing, row);
  weighNarrow(shareOfSample + LINE_LEAD, to, to + 2 * LINE_BYTES, width);
  weighNarrow(shareOfMean + LINE_LEAD, to + LINE_BYTES, to + 3 * LINE_BYTES, width);
}

/** Returns products of the low 16 bits of lanes, which are cheaper than those of 32. The high bits of `a` are 0. */
@inline
function product16(a: v128, b: v128): v128 {
  return i32x4.dot_i16x8_s(a, b);
}

@inline
function rounded(sum: v128, bits: i32): v128 {
  return i32x4.shr_s(i32x4.add(sum, i32x4.splat(1 << (bits - 1))), bits);
}

/** Returns four samples of the wide filter, scaled by 16. */
@inline
function wideSamples(x: usize, row: i32, samples: v128): v128 {
  if (row & 1) {
    const own = keptRow(wideRing, row) + x;
    return rounded(i32x4.add(product16(v128.load(own), samples), v128.load(own, LINE_BYTES)), 8);
  }
  const above = keptRow(wideRing, row - 1) + x;
  const below = keptRow(wideRing, row + 1) + x;
  const a = i32x4.add(v128.load(above), v128.load(below));
  const b = i32x4.add(v128.load(above, LINE_BYTES), v128.load(below, LINE_BYTES));
  return rounded(i32x4.add(product16(a, samples), b), 9);
}

/** Returns four samples of the narrow filter, scaled by 16. */
@inline
function narrowSamples(x: usize, row: i32, samples: v128): v128 {
  const above = keptRow(narrowRing, row - 1) + x;
  const own = keptRow(narrowRing, row) + x;
  const below = keptRow(narrowRing, row + 1) + x;
  const a = i32x4.add(i32x4.add(v128.load(above), v128.load(below)), v128.load(own, 2 * LINE_BYTES));
  const b = i32x4.add(
    i32x4.add(v128.load(above, LINE_BYTES), v128.load(below, LINE_BYTES)),
    v128.load(own, 3 * LINE_BYTES),
  );
  return rounded(i32x4.add(product16(a, samples), b), 9);
}

/** Weighs the values of a filter, which have 17 bits if samples have 12, and 15 at most otherwise. */
@inline
function weighed(values: v128, weights: v128, isDeep: boolean): v128 {
  return isDeep ? i32x4.mul(values, weights) : product16(values, weights);
}

/** Writes a row: the picture and both filters of it, weighed. */
@inline
function writeRow(
  row: i32,
  width: i32,
  to: usize,
  wideWeight: i32,
  narrowWeight: i32,
  highest: v128,
  isDeep: boolean,
): void {
  const from = windowAt + row * WINDOW_STRIDE;
  const own = i32x4.splat((128 - wideWeight - narrowWeight) << 4);
  const wides = i32x4.splat(wideWeight);
  const narrows = i32x4.splat(narrowWeight);
  for (let x: usize = 0; x < <usize>(width << 1); x += 8) {
    const samples = v128.load16x4_u(from + x);
    let sum = product16(samples, own);
    if (wideWeight) sum = i32x4.add(sum, weighed(wideSamples(2 * x, row, samples), wides, isDeep));
    if (narrowWeight) sum = i32x4.add(sum, weighed(narrowSamples(2 * x, row, samples), narrows, isDeep));
    const result = rounded(sum, 11);
    v128.store64_lane(to + x, i16x8.min_u(i16x8.narrow_i32x4_u(result, result), highest), 0);
  }
}

/**
 * Filters the window. It writes up to three samples past a width that is no multiple of four.
 * @param set index of the parameters; `first` and `second` are the weights in the bitstream
 */
export function filterSelfGuided(
  width: i32,
  height: i32,
  set: i32,
  first: i32,
  second: i32,
  to: usize,
  stride: usize,
  bitDepth: i32,
): void {
  const parameters = SETS + (set << 2);
  const hasWide = load<u8>(parameters) != 0;
  const hasNarrow = load<u8>(parameters, 2) != 0;
  const wideStrength = hasWide ? strengthOf(25, load<u8>(parameters, 1)) : 0;
  const narrowStrength = hasNarrow ? strengthOf(9, load<u8>(parameters, 3)) : 0;
  const wideWeight = hasWide ? first : 0;
  const narrowWeight = hasNarrow ? 128 - first - second : 0;
  const highest = highestSample(bitDepth);
  if (wideWeight) keepWide(-1, width, wideStrength, bitDepth);
  if (narrowWeight) {
    keepNarrow(-1, width, narrowStrength, bitDepth);
    keepNarrow(0, width, narrowStrength, bitDepth);
  }
  for (let row = 0; row < height; row++, to += stride) {
    // Boxes of the wide filter are around every other row.
    if (wideWeight && (row & 1) == 0) keepWide(row + 1, width, wideStrength, bitDepth);
    if (narrowWeight) keepNarrow(row + 1, width, narrowStrength, bitDepth);
    if (bitDepth == 12) writeRow(row, width, to, wideWeight, narrowWeight, highest, true);
    else writeRow(row, width, to, wideWeight, narrowWeight, highest, false);
  }
}
