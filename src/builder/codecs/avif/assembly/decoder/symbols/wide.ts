/** Symbols of distributions with 8 or 16 words (AV1 specification section 8.2.6), a vector of eight at a time. */
import { adaptsCdfs } from "../headers/frame";
import { decoderRange, decoderValue, take } from "./decoder";

/** The thresholds that a value is compared with (u16), and the range before them. */
const thresholds = memory.data(64, 16);
const LIMITS = thresholds + 16;

/** Returns the thresholds of eight words. */
@inline
function limitsOf(values: v128, range: u32, floors: v128): v128 {
  const parts = i16x8.shr_u(values, 6);
  const factor = i16x8.splat(<i16>(range >> 8));
  const low = i32x4.shr_u(i32x4.extmul_low_i16x8_u(parts, factor), 1);
  const high = i32x4.shr_u(i32x4.extmul_high_i16x8_u(parts, factor), 1);
  return i16x8.add(i16x8.narrow_i32x4_u(low, high), floors);
}

/** Returns the values after a symbol: those before it grow towards 32768, the others shrink. */
@inline
function adapted(values: v128, isBelow: v128, rate: i32): v128 {
  const up = i16x8.shr_u(i16x8.sub(i16x8.splat(<i16>0x8000), values), rate);
  const down = i16x8.sub(i16x8.splat(0), i16x8.shr_u(values, rate));
  return i16x8.add(values, v128.bitselect(up, down, isBelow));
}

/** Reads one of `count` symbols, 5 to 8, of a distribution of eight words. */
export function readSymbol8(cdf: usize, count: i32): i32 {
  const range = decoderRange();
  const places = i16x8(4, 8, 12, 16, 20, 24, 28, 32);
  const all = i16x8.splat(<i16>(count << 2));
  const isValue = i16x8.lt_s(places, all);
  const values = v128.and(v128.load(cdf), isValue);
  const limits = limitsOf(values, range, v128.and(i16x8.sub(all, places), isValue));
  const isBelow = i16x8.lt_u(i16x8.splat(<i16>decoderValue()), limits);
  const symbol = popcnt<i32>(i16x8.bitmask(isBelow));
  v128.store(LIMITS, limits);
  store<u16>(LIMITS - 2, <u16>range);
  const at = LIMITS + ((<usize>symbol) << 1);
  take(load<u16>(at), load<u16>(at - 2));
  if (adaptsCdfs) {
    const seen = load<u16>(cdf, 14);
    const moved = adapted(values, isBelow, 5 + <i32>(seen >> 4));
    v128.store(cdf, i16x8.replace_lane(v128.and(moved, isValue), 7, <i16>(seen + u16(seen < 32))));
  }
  return symbol;
}

/** Reads one of `count` symbols, 9 to 16, of a distribution of sixteen words. */
export function readSymbol16(cdf: usize, count: i32): i32 {
  const range = decoderRange();
  const value = i16x8.splat(<i16>decoderValue());
  const places = i16x8(4, 8, 12, 16, 20, 24, 28, 32);
  const all = i16x8.splat(<i16>(count << 2));
  const later = i16x8.add(places, i16x8.splat(32));
  const isValue = i16x8.lt_s(later, all);
  const first = v128.load(cdf);
  const second = v128.and(v128.load(cdf, 16), isValue);
  const firstLimits = limitsOf(first, range, i16x8.sub(all, places));
  const secondLimits = limitsOf(second, range, v128.and(i16x8.sub(all, later), isValue));
  const firstBelow = i16x8.lt_u(value, firstLimits);
  const secondBelow = i16x8.lt_u(value, secondLimits);
  const symbol = popcnt<i32>(i16x8.bitmask(firstBelow)) + popcnt<i32>(i16x8.bitmask(secondBelow));
  v128.store(LIMITS, firstLimits);
  v128.store(LIMITS, secondLimits, 16);
  store<u16>(LIMITS - 2, <u16>range);
  const at = LIMITS + ((<usize>symbol) << 1);
  take(load<u16>(at), load<u16>(at - 2));
  if (adaptsCdfs) {
    const seen = load<u16>(cdf, 30);
    const rate = 5 + <i32>(seen >> 4);
    v128.store(cdf, adapted(first, firstBelow, rate));
    const moved = v128.and(adapted(second, secondBelow, rate), isValue);
    v128.store(cdf, i16x8.replace_lane(moved, 7, <i16>(seen + u16(seen < 32))), 16);
  }
  return symbol;
}

/** Reads one of `count` symbols, by the width of its distribution: for those that are not read often. */
export function readSymbolOf(cdf: usize, count: i32): i32 {
  return count > 8 ? readSymbol16(cdf, count) : readSymbol8(cdf, count);
}
