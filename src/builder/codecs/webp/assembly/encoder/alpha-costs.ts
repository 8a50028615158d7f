/** What the symbols of alpha take, in parts of a bit: by their counts so far, or at first by what is usual. */
import { prefixExtraBits } from "./alpha-places";

/** The symbols are literals, then prefixes of lengths (RFC 9649, 3.6.2.2), then prefixes of places. */
export const LENGTHS: i32 = 256;
export const PLACES: i32 = 280;
export const SYMBOLS: i32 = 320;

/** Parts per bit. */
export const PARTS: i32 = 16;
/** What a symbol is taken to have occurred that did not, of this many times. */
const RARE_COUNT: f32 = 0.3;
/** Costs at first, in bits. */
const USUAL_ZERO_BITS: i32 = 3;
const USUAL_LITERAL_BITS: i32 = 8;
const USUAL_LENGTH_BITS: i32 = 5;
const USUAL_PLACE_BITS: i32 = 4;

/** Parts of a bit of each symbol with the bits that follow it (u32). */
const costs = memory.data(320 * 4);

@inline
export function costOf(symbol: i32): u32 {
  return load<u32>(costs + ((<usize>symbol) << 2));
}

function setCost(symbol: i32, parts: i32): void {
  store<u32>(costs + ((<usize>symbol) << 2), parts);
}

/** Bits that follow a symbol. */
function extraOf(symbol: i32): i32 {
  if (symbol < LENGTHS) return 0;
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

/** The base-2 logarithm, in a straight line between powers of two: at most 0.09 less. */
@inline
function log2(value: f32): f32 {
  const bits = reinterpret<u32>(value);
  return <f32>(<i32>(bits >> 23) - 127) + <f32>(bits & 0x7fffff) * <f32>(1.0 / 8388608.0);
}

function expectRange(counts: usize, from: i32, end: i32): void {
  let total: f32 = 0;
  for (let symbol = from; symbol < end; symbol++) total += countOf(counts, symbol);
  const all = log2(max<f32>(total, 1));
  for (let symbol = from; symbol < end; symbol++) {
    const bits = max<f32>(all - log2(max(countOf(counts, symbol), RARE_COUNT)), 0.1);
    setCost(symbol, <i32>(<f32>PARTS * bits) + PARTS * extraOf(symbol));
  }
}

/** Takes the costs from counts (u32 each). */
export function expectCounted(counts: usize): void {
  expectRange(counts, 0, PLACES);
  expectRange(counts, PLACES, SYMBOLS);
}

/** Bits that symbols take which occur so often, their codes not included. */
export function bitsOf(counts: usize): f32 {
  return bitsOfRange(counts, 0, PLACES) + bitsOfRange(counts, PLACES, SYMBOLS);
}

function bitsOfRange(counts: usize, from: i32, end: i32): f32 {
  let total: f32 = 0;
  let bits: f32 = 0;
  for (let symbol = from; symbol < end; symbol++) {
    const times = countOf(counts, symbol);
    if (times == 0) continue;
    total += times;
    bits += times * (<f32>extraOf(symbol) - log2(times));
  }
  return total > 0 ? bits + total * log2(total) : 0;
}
