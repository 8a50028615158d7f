/**
 * Computes the weights of a separable Lanczos3 filter on one axis. Output sample `o` is made of the inputs around
 * `phase + (o + 0.5) * step - 0.5`. Beyond the edges, the outermost sample is repeated.
 */
import { LOBES } from "../../../../image/memory/filter-constants";
import { allocate } from "./arena";

/** Fraction bits of the weights. The weights of one output sample add up to exactly WEIGHT_ONE. */
export const WEIGHT_BITS: i32 = 14;
export const WEIGHT_ONE: i32 = 1 << WEIGHT_BITS;

/** One axis of a resize: per output sample, `taps` weights (i16) and the index of the first input sample (i32). */
@unmanaged
export class FilterBank {
  weights: usize;
  starts: usize;
  taps: i32;
}

/**
 * Returns sin(pi * x) by its Taylor series around the nearest integer. The error is below 1e-7, the unit of a weight
 * 6e-5.
 */
function sinPi(x: f64): f64 {
  const whole = nearest(x);
  const t = (x - whole) * Math.PI;
  const sign = (<i64>whole) & 1 ? -1.0 : 1.0;
  const u = t * t;
  const series =
    1 + u * (-1 / 6.0 + u * (1 / 120.0 + u * (-1 / 5040.0 + u * (1 / 362880.0 - u / 39916800.0))));
  return sign * t * series;
}

function kernel(x: f64): f64 {
  const distance = abs(x);
  if (distance < 1e-8) return 1;
  if (distance >= LOBES) return 0;
  const p = Math.PI * distance;
  return (LOBES * sinPi(distance) * sinPi(distance / LOBES)) / (p * p);
}

/** Returns whether an axis keeps its length. It then has one tap of WEIGHT_ONE, so callers may copy samples. */
export function isCopy(step: f64, phase: f64): boolean {
  return step == 1 && phase == 0;
}

export function tapsFor(step: f64, phase: f64, multiple: i32): i32 {
  if (isCopy(step, phase)) return 1;
  const reach = 2 * LOBES * max<f64>(step, 1);
  const taps = <i32>Math.ceil(reach) + 1;
  return ((taps + multiple - 1) / multiple) * multiple;
}

/** Returns the first input sample of output sample `o`, clamped to the picture. */
export function firstInput(o: i32, step: f64, phase: f64, inputs: i32): i32 {
  if (isCopy(step, phase)) return min<i32>(o, inputs - 1);
  const low = <i32>Math.ceil(phase + (<f64>o + 0.5) * step - 0.5 - LOBES * max<f64>(step, 1));
  return min<i32>(max<i32>(low, 0), inputs - 1);
}

/**
 * Computes the weights of an axis and stores them in new blocks of the arena.
 * @param step input samples per output sample; a step below 1 enlarges
 * @param phase where in the first input sample the picture begins, from 0 to below 1
 * @param multiple the number of taps is rounded up to it with zero weights, so that loops need no tail
 * @returns false when the memory is full
 */
export function buildFilterBank(
  bank: FilterBank,
  outputs: i32,
  inputs: i32,
  step: f64,
  phase: f64,
  multiple: i32,
): boolean {
  const taps = tapsFor(step, phase, multiple);
  bank.taps = taps;
  bank.starts = allocate(<u64>outputs * sizeof<i32>());
  bank.weights = allocate(<u64>outputs * <u64>taps * sizeof<i16>());
  const exact = allocate(<u64>taps * sizeof<f64>());
  if (!bank.starts || !bank.weights || !exact) return false;
  const stretch = max<f64>(step, 1);
  for (let o = 0; o < outputs; o++) {
    const centre = phase + (<f64>o + 0.5) * step - 0.5;
    const start = firstInput(o, step, phase, inputs);
    store<i32>(bank.starts + ((<usize>o) << 2), start);
    const row = bank.weights + <usize>o * <usize>taps * sizeof<i16>();
    if (taps == 1) store<i16>(row, <i16>WEIGHT_ONE);
    else quantise(exact, taps, row, sumWeights(exact, taps, start, centre, stretch, inputs));
  }
  return true;
}

/** Writes the weights of one output sample to `exact` as floating point numbers, and returns their sum. */
function sumWeights(exact: usize, taps: i32, start: i32, centre: f64, stretch: f64, inputs: i32): f64 {
  memory.fill(exact, 0, <usize>taps * sizeof<f64>());
  const low = <i32>Math.ceil(centre - LOBES * stretch);
  const high = <i32>Math.floor(centre + LOBES * stretch);
  let sum: f64 = 0;
  for (let i = low; i <= high; i++) {
    const weight = kernel((<f64>i - centre) / stretch);
    const tap = min<i32>(max<i32>(i, 0), inputs - 1) - start;
    if (tap < 0 || tap >= taps) continue;
    const at = exact + ((<usize>tap) << 3);
    store<f64>(at, load<f64>(at) + weight);
    sum += weight;
  }
  return sum;
}

/**
 * Converts weights to fixed point. It rounds the running sum, not each weight, so that the total is exact and long
 * filters with tiny weights keep their shape.
 */
function quantise(exact: usize, taps: i32, row: usize, sum: f64): void {
  let running: f64 = 0;
  let given = 0;
  for (let tap = 0; tap < taps; tap++) {
    running += load<f64>(exact + ((<usize>tap) << 3));
    const upTo = <i32>nearest((running / sum) * <f64>WEIGHT_ONE);
    store<i16>(row + ((<usize>tap) << 1), <i16>(upTo - given));
    given = upTo;
  }
}
