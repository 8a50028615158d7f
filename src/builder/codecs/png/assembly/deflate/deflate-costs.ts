/**
 * The costs of symbols, by which the way through a piece is chosen: from how often they occurred, in parts of a bit.
 */
import {
  DISTANCE_SYMBOLS,
  distanceExtraBits,
  END_OF_BLOCK,
  LEAST_LENGTH,
  LENGTH_SYMBOLS,
  lengthExtraBits,
  lengthSymbol,
  MOST_LENGTH,
} from "./deflate-symbols";

/** Parts of a bit, as a power of two. */
export const PART_BITS: u32 = 4;
/** The most that a symbol costs without its extra bits: the longest code has 15 bits. */
const MOST_COST: u32 = 14 << PART_BITS;
/** Assumed before anything is known. */
const FIRST_LENGTH_COST: u32 = 6 << PART_BITS;
const FIRST_DISTANCE_COST: u32 = 5 << PART_BITS;

/** Costs by byte, and by symbol of distance with its extra bits (u16). */
const literalCosts = memory.data(2 * 256);
const distanceCosts = memory.data(2 * DISTANCE_SYMBOLS);

/** The low bits of a key, which are a length. The cost of the length is above them. */
export const LENGTH_BITS: u32 = 9;
export const LENGTH_MASK: u32 = (1 << LENGTH_BITS) - 1;
/** The keys of all lengths (u32), extra bits included in their costs. */
export const lengthKeys = memory.data(4 * (MOST_LENGTH + 1));

@inline
export function literalCost(byte: u8): u32 {
  return load<u16>(literalCosts + ((<usize>byte) << 1));
}

@inline
export function distanceCost(symbol: i32): u32 {
  return load<u16>(distanceCosts + ((<usize>symbol) << 1));
}

@inline
export function lengthCost(length: i32): u32 {
  return load<u32>(lengthKeys + ((<usize>length) << 2)) >> LENGTH_BITS;
}

/** Sets the costs before any symbols are known, from how often bytes occur. */
export function assumeCosts(bytes: usize): void {
  const total = logOf(sumOf(bytes, END_OF_BLOCK));
  for (let byte = 0; byte < END_OF_BLOCK; byte++) {
    setCost(literalCosts, byte, costOf(total, timesOf(bytes, byte)));
  }
  for (let length = LEAST_LENGTH; length <= MOST_LENGTH; length++) {
    setKey(length, FIRST_LENGTH_COST + (lengthExtraBits(lengthSymbol(length)) << PART_BITS));
  }
  for (let symbol = 0; symbol < DISTANCE_SYMBOLS; symbol++) {
    setCost(distanceCosts, symbol, FIRST_DISTANCE_COST + (distanceExtraBits(symbol) << PART_BITS));
  }
}

/** Sets the costs from how often symbols occurred. */
export function setCosts(lengths: usize, distances: usize): void {
  const total = logOf(sumOf(lengths, LENGTH_SYMBOLS));
  for (let byte = 0; byte < END_OF_BLOCK; byte++) {
    setCost(literalCosts, byte, costOf(total, timesOf(lengths, byte)));
  }
  for (let length = LEAST_LENGTH; length <= MOST_LENGTH; length++) {
    const symbol = lengthSymbol(length);
    const cost = costOf(total, timesOf(lengths, symbol));
    setKey(length, cost + (lengthExtraBits(symbol) << PART_BITS));
  }
  const distanceTotal = logOf(sumOf(distances, DISTANCE_SYMBOLS));
  for (let symbol = 0; symbol < DISTANCE_SYMBOLS; symbol++) {
    const cost = costOf(distanceTotal, timesOf(distances, symbol));
    setCost(distanceCosts, symbol, cost + (distanceExtraBits(symbol) << PART_BITS));
  }
}

@inline
function setCost(table: usize, index: i32, cost: u32): void {
  store<u16>(table + ((<usize>index) << 1), <u16>cost);
}

@inline
function setKey(length: i32, cost: u32): void {
  store<u32>(lengthKeys + ((<usize>length) << 2), (cost << LENGTH_BITS) | (<u32>length));
}

@inline
function timesOf(table: usize, symbol: i32): u32 {
  return load<u32>(table + ((<usize>symbol) << 2));
}

function sumOf(table: usize, symbols: i32): u32 {
  let sum: u32 = 1;
  for (let symbol = 0; symbol < symbols; symbol++) sum += timesOf(table, symbol);
  return sum;
}

/** Returns the cost of a symbol. One that did not occur costs as if it had occurred half a time. */
@inline
function costOf(total: u32, times: u32): u32 {
  const cost = total - (times ? logOf(times) : 0) + (times ? 0 : 1 << PART_BITS);
  return max<u32>(1 << PART_BITS, min(cost, MOST_COST));
}

/**
 * Returns the logarithm to base 2 of a number above 0, in parts of a bit; straight between powers of two, at most 0.09
 * less.
 */
@inline
function logOf(value: u32): u32 {
  const top = 31 - clz(value);
  return (top << PART_BITS) + ((<u32>(((<u64>value) << PART_BITS) >> top)) & ((1 << PART_BITS) - 1));
}
