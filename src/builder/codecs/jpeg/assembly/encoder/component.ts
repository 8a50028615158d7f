/**
 * One component (luma, Cb or Cr) at one resolution. Row by row, its blocks become levels and these become tokens. Their
 * symbols are counted for the scans that will be coded from the tokens.
 */
import { BAND_BYTES, Band, addOne, countLevels, prepareExpectation, updateRates } from "./band";
import { sizeOf } from "./bit-writer";
import { BLOCK_BYTES, forwardDct } from "./dct";
import { chooseLevels } from "./levels";
import { blockMask, chromaMask } from "./masking";
import { DIVISOR_BYTES, prepareDivisors, quantise } from "./quantise";
import { SAMPLE_BYTES } from "./samples";
import { writeBlock } from "./tokens";
import { ZIGZAG_OFFSETS, nonZero } from "./zigzag";

/** AC coefficients are coded in two bands. The first has the two lowest, which are seldom 0. */
const BANDS: i32 = 2;
const FIRST_BAND_END: i32 = 2;

@unmanaged
export class Component {
  blocksWide: i32;
  blocksHigh: i32;
  /** Rows of blocks that are done. */
  rowsDone: i32;
  /** The DC level of the block before: differences are counted. */
  lastDc: i32;
  isLuma: i32;
  /** Whether a block covers four blocks of luma. */
  isHalved: i32;
  /** Price of a bit, before the block's mask. */
  lambda: f32;
  /** Where the tokens of each row of blocks begin (u32). */
  rowStarts: usize;
  /** Address of its quantisation table (TABLE_BYTES). */
  table: usize;
}

/** A component, 256 counts (u32) of DC sizes, and its bands. */
export const COMPONENT_BYTES: usize = 48 + 1024 + BANDS * BAND_BYTES;

/**
 * A quantisation table: 64 steps (u16) in rows; 64 weights of an error of one level (f32) in zigzag order; 64 values
 * 1 / (8 * step) (f32) in zigzag order; and divisors. The caller writes steps and weights.
 */
export const TABLE_BYTES: usize = 128 + 256 + 256 + DIVISOR_BYTES;
const WEIGHTS: usize = 128;
const INVERSES: usize = WEIGHTS + 256;
const DIVISORS: usize = INVERSES + 256;

const block = memory.data(128, 16);
const nearest = memory.data(128, 16);
const levels = memory.data(504, 16);

export function dcCountsOf(component: Component): usize {
  return changetype<usize>(component) + 48;
}

export function bandOf(component: Component, index: i32): Band {
  return changetype<Band>(changetype<usize>(component) + 48 + 1024 + <usize>index * BAND_BYTES);
}

/** Prepares a component, whose memory is zero. The steps and weights of its table have been written. */
export function prepareComponent(component: Component, table: usize): void {
  component.table = table;
  prepareDivisors(table, table + DIVISORS);
  for (let k: usize = 0; k < 64; k++) {
    const step = <f32>load<u16>(table + <usize>load<u8>(ZIGZAG_OFFSETS + k));
    store<f32>(table + INVERSES + (k << 2), 1 / (8 * step));
  }
  prepareExpectation();
  for (let i = 0; i < BANDS; i++) {
    const band = bandOf(component, i);
    band.from = i == 0 ? 1 : FIRST_BAND_END + 1;
    band.to = i == 0 ? FIRST_BAND_END : 63;
    updateRates(band);
  }
}

/**
 * Encodes the next row of blocks.
 * @param stride bytes from one row of samples to the next
 * @returns the address after the last token
 */
export function encodeRow(component: Component, samples: usize, stride: i32, tokens: usize): usize {
  const row = component.rowsDone++;
  store<u32>(component.rowStarts + ((<usize>row) << 2), <u32>tokens);
  const table = component.table;
  const dcCounts = dcCountsOf(component);
  for (let column = 0; column < component.blocksWide; column++) {
    forwardDct(samples + <usize>(8 * column * SAMPLE_BYTES), stride, block);
    memory.copy(nearest, block, BLOCK_BYTES);
    quantise(nearest, table + DIVISORS);
    const mask = nonZero(nearest);
    const maskFactor = component.isLuma
      ? blockMask(block, row, column)
      : chromaMask(row, column, component.isHalved != 0);
    let end = levels;
    for (let i = 0; i < BANDS; i++) {
      const band = bandOf(component, i);
      const begin = end;
      end = chooseLevels(
        block,
        nearest,
        mask & bandMask(band),
        table + INVERSES,
        table + WEIGHTS,
        band,
        component.lambda * maskFactor,
        begin,
      );
      countLevels(band, begin, end);
    }
    const dc = <i32>load<i16>(nearest);
    addOne(dcCounts, sizeOf(dc - component.lastDc));
    component.lastDc = dc;
    tokens = writeBlock(dc, levels, end, tokens);
  }
  return tokens;
}

/** Returns a mask with bit k set for each coefficient of a band. */
@inline
function bandMask(band: Band): u64 {
  return ((<u64>2) << (<u64>band.to)) - ((<u64>1) << (<u64>band.from));
}

/** Updates the cost of symbols from the counts so far. */
export function learnRates(component: Component): void {
  for (let i = 0; i < BANDS; i++) updateRates(bandOf(component, i));
}
