/**
 * The costs of the symbols of a VP8L image, in parts of a bit: by their counts so far, or at first by usual ones. Alpha
 * has only those below CACHED.
 */
import { allocate } from "../../../../../pixels/assembly/shared/arena";
import { log2 } from "./log2";
import { prefixExtraBits } from "./places";

/**
 * The symbols are samples of green, then prefixes of lengths (RFC 9649, 3.6.2.2), prefixes of places, places of the
 * colour cache, and samples of red, blue and alpha.
 */
export const LENGTHS: i32 = 256;
export const PLACES: i32 = 280;
export const CACHED: i32 = 320;
export const RED: i32 = 1344;
export const BLUE: i32 = 1600;
export const ALPHA: i32 = 1856;
/** The number of symbols: without colour, and with it. */
export const SYMBOLS: i32 = CACHED;
export const ALL_SYMBOLS: i32 = 2112;

/** Parts per bit. */
export const PARTS: i32 = 16;
/** The supposed count of a symbol that did not occur. */
const RARE_COUNT: f32 = 0.3;
/** Costs at first, in bits. */
const USUAL_ZERO_BITS: i32 = 3;
const USUAL_LITERAL_BITS: i32 = 8;
const USUAL_LENGTH_BITS: i32 = 5;
const USUAL_PLACE_BITS: i32 = 4;
const USUAL_CACHED_BITS: i32 = 6;
const USUAL_COLOUR_BITS: i32 = 4;

/** Parts of a bit of each symbol with the bits that follow it (u32). */
let costs: usize = 0;

/** @param inColour whether pixels have other samples than green. @returns false when the memory is at its end */
export function layOutCosts(inColour: boolean): boolean {
  costs = allocate(4 * <u64>(inColour ? ALL_SYMBOLS : SYMBOLS));
  return costs ? true : false;
}

@inline
export function costOf(symbol: i32): u32 {
  return load<u32>(costs + ((<usize>symbol) << 2));
}

function setCost(symbol: i32, parts: i32): void {
  store<u32>(costs + ((<usize>symbol) << 2), parts);
}

/** Returns the bits that follow a symbol. */
function extraOf(symbol: i32): i32 {
  if (symbol < LENGTHS) return 0;
  if (symbol >= CACHED) return 0;
  return prefixExtraBits(symbol - (symbol < PLACES ? LENGTHS : PLACES));
}

export function expectUsual(): void {
  for (let symbol = 0; symbol < SYMBOLS; symbol++) {
    const bits =
      symbol < LENGTHS ? USUAL_LITERAL_BITS : symbol < PLACES ? USUAL_LENGTH_BITS : USUAL_PLACE_BITS;
    setCost(symbol, PARTS * ((symbol == 0 ? USUAL_ZERO_BITS : bits) + extraOf(symbol)));
  }
}

@inline
function countOf(counts: usize, symbol: i32): f32 {
  return <f32>load<u32>(counts + ((<usize>symbol) << 2));
}

function total(counts: usize, from: i32, end: i32): f32 {
  let sum: f32 = 0;
  for (let symbol = from; symbol < end; symbol++) sum += countOf(counts, symbol);
  return sum;
}

/** Takes the costs of a part of a code from the logarithm of the count of all its symbols. */
function expectRange(counts: usize, from: i32, end: i32, all: f32): void {
  for (let symbol = from; symbol < end; symbol++) {
    const bits = max<f32>(all - log2(max(countOf(counts, symbol), RARE_COUNT)), 0.1);
    setCost(symbol, <i32>(<f32>PARTS * bits) + PARTS * extraOf(symbol));
  }
}

function expectCode(counts: usize, from: i32, end: i32): void {
  expectRange(counts, from, end, log2(max<f32>(total(counts, from, end), 1)));
}

/** Takes the costs from counts (u32 each). */
export function expectCounted(counts: usize): void {
  expectCode(counts, 0, PLACES);
  expectCode(counts, PLACES, SYMBOLS);
}

/** Sets the costs of all symbols in the same way. Those of the cache share a code with green and lengths. */
export function expectAllCounted(counts: usize): void {
  const all = log2(max<f32>(total(counts, 0, PLACES) + total(counts, CACHED, RED), 1));
  expectRange(counts, 0, PLACES, all);
  expectRange(counts, CACHED, RED, all);
  expectCode(counts, PLACES, CACHED);
  expectCode(counts, RED, BLUE);
  expectCode(counts, BLUE, ALPHA);
  expectCode(counts, ALPHA, ALL_SYMBOLS);
}

export function expectAllUsual(): void {
  expectUsual();
  for (let symbol = CACHED; symbol < RED; symbol++) setCost(symbol, PARTS * USUAL_CACHED_BITS);
  for (let symbol = RED; symbol < ALPHA; symbol++) setCost(symbol, PARTS * USUAL_COLOUR_BITS);
  for (let symbol = ALPHA; symbol < ALL_SYMBOLS; symbol++) setCost(symbol, 0);
}

/** Returns the bits that symbols with these counts take, their codes not included. */
export function bitsOf(counts: usize): f32 {
  return bitsOfCode(counts, 0, PLACES) + bitsOfCode(counts, PLACES, SYMBOLS);
}

/** Returns the same for all symbols. */
export function bitsOfAll(counts: usize): f32 {
  const shared = total(counts, 0, PLACES) + total(counts, CACHED, RED);
  return (
    bitsOfRange(counts, 0, PLACES) +
    bitsOfRange(counts, CACHED, RED) +
    (shared > 0 ? shared * log2(shared) : 0) +
    bitsOfCode(counts, PLACES, CACHED) +
    bitsOfCode(counts, RED, BLUE) +
    bitsOfCode(counts, BLUE, ALPHA) +
    bitsOfCode(counts, ALPHA, ALL_SYMBOLS)
  );
}

function bitsOfCode(counts: usize, from: i32, end: i32): f32 {
  const all = total(counts, from, end);
  return all > 0 ? bitsOfRange(counts, from, end) + all * log2(all) : 0;
}

/** Returns the rest of the bits when the share of all symbols of the code is taken out. */
function bitsOfRange(counts: usize, from: i32, end: i32): f32 {
  let bits: f32 = 0;
  for (let symbol = from; symbol < end; symbol++) {
    const times = countOf(counts, symbol);
    if (times > 0) bits += times * (<f32>extraOf(symbol) - log2(times));
  }
  return bits;
}
