/**
 * Four segments with quantisers of their own (RFC 6386, 9.3). Macroblocks with much texture, which hides errors, are
 * quantised more coarsely than smooth ones. The quantisers depend on the quality alone, so that rows can be coded as
 * they arrive.
 */
import { allocate } from "../../../../../pixels/assembly/shared/arena";
import { chooseDeltas, prepareQuantisers, QUANTISER_BYTES } from "./quantise";
import { prepareWeights } from "./weights";

export const SEGMENTS: i32 = 4;
/**
 * Upper bounds of the segments, as sums of differences between neighbours; and their exponents on the curve of
 * quality.
 */
const FLAT: i32 = 700;
const SOFT: i32 = 2000;
const DETAILED: i32 = 5000;
const EXPONENTS = memory.data<f64>([0.65, 0.9, 1.1, 1.26]);
/**
 * The price of a bit in squared differences of coefficients, relative to the square of the step; lower at the highest
 * quality.
 */
const LAMBDA: f64 = 0.105;
const CHROMA_LAMBDA: f64 = 0.063;
const FINEST_LAMBDA: f64 = 0.02;
const FINEST_QUALITY: f64 = 100;
/** Strength of the loop filter relative to a quarter of the step, in parts of 384. */
const FILTER_PARTS: i32 = 220;
const ALL_FILTER_PARTS: i32 = 384;

/** The current segment: the addresses of its quantisers. The prices of a 1/256 bit follow. */
export let lumaQuantiser: usize = 0;
export let secondQuantiser: usize = 0;
export let chromaQuantiser: usize = 0;
/** The price of a 1/256 bit in weighted squared differences of coefficients, of luma and of chroma. */
export let lambda: f32 = 0;
export let chromaLambda: f32 = 0;
/** The price of a 1/256 bit in sums of absolute Hadamard coefficients, times 256. */
export let satdLambda: i32 = 0;

let lambdaOfStep: f32 = 0;
let chromaLambdaOfStep: f32 = 0;
let quantisers: usize = 0;
/** Per segment: quantiser index, loop filter, step of luma's AC coefficients, and number of macroblocks. */
const indices = memory.data(16);
const filters = memory.data(16);
const steps = memory.data(16);
const sizes = memory.data(16);

@inline
function entry(table: usize, segment: i32): usize {
  return table + ((<usize>segment) << 2);
}

/**
 * Returns the quantiser index by libwebp's curve. Files grow about as the cube of the inverse step; quality 75 is the
 * middle.
 */
function indexOf(quality: f64, exponent: f64): i32 {
  const c = quality / 100;
  const linear = c < 0.75 ? (c * 2) / 3 : 2 * c - 1;
  const compression = Math.pow(linear, exponent / 3);
  return max(0, min(127, <i32>(127 * (1 - compression))));
}

/** Allocates and prepares the quantisers. @returns false when the memory is at its end */
export function layOutSegments(quality: f64): boolean {
  const isFinest = quality >= FINEST_QUALITY;
  lambdaOfStep = <f32>((isFinest ? FINEST_LAMBDA : LAMBDA) / 256);
  chromaLambdaOfStep = <f32>((isFinest ? FINEST_LAMBDA : CHROMA_LAMBDA) / 256);
  chooseDeltas(isFinest);
  prepareWeights();
  quantisers = allocate(3 * <u64>SEGMENTS * QUANTISER_BYTES);
  if (!quantisers) return false;
  for (let i = 0; i < SEGMENTS; i++) {
    const index = indexOf(quality, load<f64>(EXPONENTS + ((<usize>i) << 3)));
    const at = quantisers + 3 * <usize>i * QUANTISER_BYTES;
    const step = prepareQuantisers(index, at, at + QUANTISER_BYTES, at + 2 * QUANTISER_BYTES);
    store<i32>(entry(indices, i), index);
    store<i32>(entry(steps, i), step);
    const filter = (step * FILTER_PARTS) / (4 * ALL_FILTER_PARTS);
    store<i32>(entry(filters, i), filter < 2 ? 0 : min(63, filter));
  }
  return true;
}

/** Makes a segment the current one. */
export function useSegment(segment: i32): void {
  lumaQuantiser = quantisers + 3 * <usize>segment * QUANTISER_BYTES;
  secondQuantiser = lumaQuantiser + QUANTISER_BYTES;
  chromaQuantiser = secondQuantiser + QUANTISER_BYTES;
  const step = load<i32>(entry(steps, segment));
  lambda = lambdaOfStep * <f32>(step * step);
  chromaLambda = chromaLambdaOfStep * <f32>(step * step);
  satdLambda = step;
  const size = entry(sizes, segment);
  store<i32>(size, load<i32>(size) + 1);
}

export function segmentQuantiserIndex(segment: i32): i32 {
  return load<i32>(entry(indices, segment));
}

export function segmentFilterLevel(segment: i32): i32 {
  return load<i32>(entry(filters, segment));
}

/**
 * Returns the probability of a 0 at a node of the tree of segments (9.3): 0 or 1 against 2 or 3, 0 against 1, 2 against
 * 3.
 */
export function segmentTree(node: i32): i32 {
  const s0 = load<i32>(sizes);
  const s1 = load<i32>(sizes, 4);
  const s2 = load<i32>(sizes, 8);
  const s3 = load<i32>(sizes, 12);
  const zeros = node == 0 ? s0 + s1 : node == 1 ? s0 : s2;
  const all = node == 0 ? s0 + s1 + s2 + s3 : node == 1 ? s0 + s1 : s2 + s3;
  if (all == 0) return 255;
  return max(1, min(255, <i32>((<i64>zeros * 256 + (all >> 1)) / all)));
}

/** Chooses the segment of a macroblock of 16 x 16 samples. */
export function classify(samples: usize, stride: usize): i32 {
  // Sum the differences between neighbours.
  let sum = i32x4.splat(0);
  for (let y = 0; y < 15; y++) {
    const row = v128.load(samples);
    const below = v128.load(samples + stride);
    const right = v128.load(samples + 1);
    const down = v128.or(i8x16.sub_sat_u(row, below), i8x16.sub_sat_u(below, row));
    const across = v128.and(
      v128.or(i8x16.sub_sat_u(row, right), i8x16.sub_sat_u(right, row)),
      i64x2(-1, 0x00ffffffffffffff),
    );
    const words = i16x8.add(i16x8.extadd_pairwise_i8x16_u(down), i16x8.extadd_pairwise_i8x16_u(across));
    sum = i32x4.add(sum, i32x4.extadd_pairwise_i16x8_u(words));
    samples += stride;
  }
  const total =
    i32x4.extract_lane(sum, 0) +
    i32x4.extract_lane(sum, 1) +
    i32x4.extract_lane(sum, 2) +
    i32x4.extract_lane(sum, 3);
  if (total < FLAT) return 0;
  if (total < SOFT) return 1;
  return total < DETAILED ? 2 : 3;
}
