/**
 * The symbol decoder of a tile (AV1 specification section 8.2). `window` holds the bits to come, inverted, below a bit that
 * is zero: its upper 16 bits are SymbolValue.
 */
import { adaptsCdfs } from "../headers/frame";

let window: u64 = 0;
let range: u32 = 0;
/** Bits of `window` that have been read from the stream, beyond the upper 16. */
let ready: i32 = 0;
let next: usize = 0;
let limit: usize = 0;
/** Zero bits that were read beyond the end. */
let beyond: i32 = 0;

/** Where the distributions of the tile lie, in the layout of tables/cdf-layout.ts. */
export let cdfs: usize = 0;

/** Bytes of the state of a decoder that waits. */
export const DECODER_BYTES: usize = 32;

/** Starts the decoder of a tile at `state`. */
export function startDecoder(state: usize, from: usize, bytes: u32): void {
  window = (1 << 63) - 1;
  range = 0x8000;
  ready = -15;
  next = from;
  limit = from + bytes;
  beyond = 0;
  refill();
  saveDecoder(state);
}

export function saveDecoder(state: usize): void {
  store<u64>(state, window);
  store<u32>(state, range, 8);
  store<i32>(state, ready, 12);
  store<u32>(state, <u32>next, 16);
  store<u32>(state, <u32>limit, 20);
  store<i32>(state, beyond, 24);
}

export function restoreDecoder(state: usize, tables: usize): void {
  window = load<u64>(state);
  range = load<u32>(state, 8);
  ready = load<i32>(state, 12);
  next = load<u32>(state, 16);
  limit = load<u32>(state, 20);
  beyond = load<i32>(state, 24);
  cdfs = tables;
}

/** Returns whether symbols were decoded from bits beyond the end of the tile (SymbolMaxBits is below -14). */
export function isExhausted(): boolean {
  return ready - beyond < -14;
}

function refill(): void {
  let shift = 40 - ready;
  if (next + 8 <= limit) {
    for (; shift >= 0; shift -= 8) window ^= (<u64>load<u8>(next++)) << shift;
  } else {
    for (; shift >= 0; shift -= 8) {
      if (next < limit) window ^= (<u64>load<u8>(next++)) << shift;
      else beyond = min(beyond + 8, 1 << 20);
    }
  }
  ready = 40 - shift;
}

/** Returns SymbolRange. */
@inline
export function decoderRange(): u32 {
  return range;
}

/** Returns SymbolValue. */
@inline
export function decoderValue(): u32 {
  return <u32>(window >> 48);
}

/** Takes the part of the range from `low` to `high`. */
@inline
export function take(low: u32, high: u32): void {
  const rest = window - ((<u64>low) << 48);
  const size = high - low;
  const shift = <i32>clz<u32>(size) - 16;
  range = size << shift;
  window = ((rest + 1) << shift) - 1;
  ready -= shift;
  if (ready < 0) refill();
}

/** Reads a bit that is as likely to be 0 as 1. */
export function readBool(): i32 {
  const split = (((range >> 8) << 8) >> 1) + 4;
  if (<u32>(window >> 48) >= split) {
    take(split, range);
    return 0;
  }
  take(0, split);
  return 1;
}

/** Implements read_literal(count). */
export function readLiteral(count: i32): i32 {
  let value = 0;
  for (let i = 0; i < count; i++) value = (value << 1) | readBool();
  return value;
}

/** Reads NS(range): a value below `range`. */
export function readUniform(range: i32): i32 {
  const width = 32 - <i32>clz<i32>(range);
  const few = (1 << width) - range;
  const value = readLiteral(width - 1);
  if (value < few) return value;
  return (value << 1) - few + readBool();
}

/** Reads one of two symbols without adaptation. */
export function readChance(chance: u32): i32 {
  const split = (((range >> 8) * (chance >> 6)) >> 1) + 4;
  if (<u32>(window >> 48) >= split) {
    take(split, range);
    return 0;
  }
  take(0, split);
  return 1;
}

/** Reads one of two symbols. */
export function readSymbol2(cdf: usize): i32 {
  const chance = <u32>load<u16>(cdf);
  const split = (((range >> 8) * (chance >> 6)) >> 1) + 4;
  const symbol = i32(<u32>(window >> 48) < split);
  if (symbol) take(0, split);
  else take(split, range);
  if (adaptsCdfs) {
    const seen = load<u16>(cdf, 2);
    const rate = 4 + <u32>(seen >> 4);
    store<u16>(cdf, symbol ? chance + ((32768 - chance) >> rate) : chance - (chance >> rate));
    store<u16>(cdf, seen + u16(seen < 32), 2);
  }
  return symbol;
}

/** Bytes of the thresholds that a symbol is compared with: one more below them, for the range itself. */
const thresholds = memory.data(80, 16);
const LIMITS = thresholds + 16;

/** Reads one of `count` symbols, 3 or 4, of a distribution of four words. */
export function readSymbol4(cdf: usize, count: i32): i32 {
  const words = v128.load64_zero(cdf);
  const values = i32x4.extend_low_i16x8_u(words);
  // Words that are no probabilities have the threshold 0, which every value reaches.
  const places = i32x4(4, 8, 12, 16);
  const floor = i32x4.max_s(i32x4.sub(i32x4.splat(count << 2), places), i32x4.splat(0));
  const isValue = i32x4.lt_s(places, i32x4.splat(count << 2));
  const scaled = i32x4.shr_u(i32x4.mul(i32x4.shr_u(values, 6), i32x4.splat(range >> 8)), 1);
  const limits = i32x4.add(v128.and(scaled, isValue), floor);
  const isBelow = i32x4.lt_s(i32x4.splat(<u32>(window >> 48)), limits);
  const symbol = popcnt<i32>(i32x4.bitmask(isBelow));
  v128.store(LIMITS, limits);
  store<u32>(LIMITS - 4, range);
  const at = LIMITS + ((<usize>symbol) << 2);
  const high = load<u32>(at - 4);
  take(load<u32>(at), high);
  if (adaptsCdfs) {
    const seen = load<u16>(cdf, 6);
    const rate = 4 + i32(count > 3) + <i32>(seen >> 4);
    const target = v128.and(isBelow, i32x4.splat(32768));
    const moved = i32x4.add(values, adjustment(values, target, rate));
    const kept = v128.and(moved, isValue);
    v128.store64_lane(cdf, i16x8.narrow_i32x4_u(kept, kept), 0);
    store<u16>(cdf, seen + u16(seen < 32), 6);
  }
  return symbol;
}

/** Returns the change of inverse probabilities towards 32768 or 0. */
@inline
function adjustment(values: v128, target: v128, rate: i32): v128 {
  // Downwards, the subtracted part is rounded down: a shift of the value itself, not of its negative.
  const up = i32x4.shr_u(i32x4.sub(target, values), rate);
  const down = i32x4.sub(i32x4.splat(0), i32x4.shr_u(values, rate));
  return v128.bitselect(up, down, i32x4.ne(target, i32x4.splat(0)));
}
