/**
 * The symbols of one AC scan of one component: how often each occurred, and how many bits each costs. A scan covers a
 * band of the spectrum. Consecutive blocks that end without a further coefficient are coded as one run (ITU T.81
 * G.1.2.2, EOBn).
 */
import { LEVEL_BYTES, LEVEL_VALUE } from "./level-format";
import { sizeOf } from "./bit-writer";

/** The longest run of blocks without a further coefficient. */
export const MOST_END_RUN: i32 = 0x7fff;
/** Before anything is counted, costs follow from expected shares. They weigh as much as this many counted symbols. */
const EXPECTED_SYMBOLS: f32 = 200;
const EXPECTED_ENDS: f32 = 8;
const EXPECTED_END_BITS: f32 = 3;
const LONGEST_CODE: f32 = 16;

/** The expected share of each symbol (f32). The shares add up to 1. */
const expected = memory.data(1024, 16);

@unmanaged
export class Band {
  /** First and last coefficient, in zigzag order. */
  from: i32;
  to: i32;
  /** Length of the present run of blocks that end, which is not counted yet. */
  endRun: i32;
  /** Blocks that have ended so far. */
  endBlocks: i32;
  /** Bits that follow the symbols of the counted runs. */
  endExtra: i32;
  /** Mean number of bits that the end of a block costs. */
  endBits: f32;
  padding: u64;
}

/** A band, then 256 counts (u32), then 256 rates (f32). */
export const BAND_BYTES: usize = 32 + 2048;

@inline
export function countsOf(band: Band): usize {
  return changetype<usize>(band) + 32;
}

@inline
export function ratesOf(band: Band): usize {
  return changetype<usize>(band) + 32 + 1024;
}

@inline
export function addOne(counts: usize, symbol: i32): void {
  const at = counts + ((<usize>symbol) << 2);
  store<u32>(at, load<u32>(at) + 1);
}

/** Fills `expected`: a symbol is rarer with a longer run and a larger value. */
export function prepareExpectation(): void {
  let sum: f32 = 0;
  for (let symbol = 0; symbol < 256; symbol++) {
    const run = <f32>(symbol >> 4);
    const size = symbol & 15;
    const share: f32 =
      size == 0
        ? symbol == 0
          ? 0.5
          : symbol == 0xf0
            ? 0.01
            : 0.05
        : Mathf.exp(-0.3 * run - 1.1 * <f32>(size - 1));
    store<f32>(expected + ((<usize>symbol) << 2), share);
    sum += share;
  }
  for (let at = expected; at < expected + 1024; at += 4) store<f32>(at, load<f32>(at) / sum);
}

/** Counts the levels of one block. */
export function countLevels(band: Band, levels: usize, end: usize): void {
  if (levels == end) {
    if (++band.endRun == MOST_END_RUN) countEndRun(band);
    band.endBlocks++;
    return;
  }
  countEndRun(band);
  const counts = countsOf(band);
  let k = band.from - 1;
  for (; levels < end; levels += LEVEL_BYTES) {
    const next = load<i32>(levels);
    let run = next - k - 1;
    k = next;
    for (; run > 15; run -= 16) addOne(counts, 0xf0);
    addOne(counts, (run << 4) | sizeOf(load<i32>(levels, LEVEL_VALUE)));
  }
  if (k < band.to) {
    band.endRun = 1;
    band.endBlocks++;
  }
}

/** Ends the present run of blocks and counts its symbol. */
export function countEndRun(band: Band): void {
  if (band.endRun == 0) return;
  const size = sizeOf(band.endRun) - 1;
  addOne(countsOf(band), size << 4);
  band.endExtra += size;
  band.endRun = 0;
}

/** Sets the bits that each symbol costs with the value after it, from the counts so far. */
export function updateRates(band: Band): void {
  const counts = countsOf(band);
  const rates = ratesOf(band);
  let total: f32 = EXPECTED_SYMBOLS;
  for (let at: usize = 0; at < 1024; at += 4) total += <f32>load<u32>(counts + at);
  const whole = log2(total);
  let endBits: f32 = EXPECTED_ENDS * EXPECTED_END_BITS + <f32>band.endExtra;
  for (let symbol = 0; symbol < 256; symbol++) {
    const at = (<usize>symbol) << 2;
    const count = <f32>load<u32>(counts + at);
    const share = count + EXPECTED_SYMBOLS * load<f32>(expected + at);
    const bits = min<f32>(LONGEST_CODE, max<f32>(1, whole - log2(share)));
    const size = symbol & 15;
    store<f32>(rates + at, bits + <f32>size);
    if (size == 0 && symbol != 0xf0) endBits += count * bits;
  }
  band.endBits = endBits / (EXPECTED_ENDS + <f32>band.endBlocks);
}

/** Returns the binary logarithm of a positive number, within 0.01. */
function log2(value: f32): f32 {
  const bits = reinterpret<i32>(value);
  const exponent = <f32>((bits >> 23) - 127);
  const m = reinterpret<f32>((bits & 0x7fffff) | 0x3f800000);
  return exponent + ((-0.33582878 * m + 2) * m - 1.65871022);
}
