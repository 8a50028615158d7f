/**
 * Estimates what filtered rows take when they are deflated: by their entropy as literals and matches, which are looked
 * for in one place only and taken at once.
 */
import {
  DISTANCE_SYMBOLS,
  distanceExtraBits,
  distanceSymbol,
  LENGTH_SYMBOLS,
  lengthExtraBits,
  lengthSymbol,
  MOST_LENGTH,
} from "../deflate/deflate-symbols";
import { allocate } from "../../../../pixels/assembly/shared/arena";
import { commonBytes } from "../common-bytes";

const HASH_BITS: u32 = 14;
const HASH_FACTOR: u32 = 0x9e3779b1;
const HASHED_BYTES: usize = 4;
const LONG_HASHED_BYTES: usize = 12;
const MOST_DISTANCE: usize = 32_768;

/** Where each hash of four bytes was last met, an offset into the rows plus 1 (u32); 0 is none. */
let places: usize = 0;
/** The same of so many bytes that the match is likely to be long. */
let longPlaces: usize = 0;
const lengths = memory.data(4 * LENGTH_SYMBOLS);
const distances = memory.data(4 * DISTANCE_SYMBOLS);
let extra = 0;

/** Allocates the tables. @returns false when the memory is at its end */
export function layOutEstimates(): boolean {
  places = allocate(4 << HASH_BITS);
  longPlaces = allocate(4 << HASH_BITS);
  return places && longPlaces ? true : false;
}

@inline
function count(table: usize, symbol: i32): void {
  const entry = table + ((<usize>symbol) << 2);
  store<u32>(entry, load<u32>(entry) + 1);
}

/**
 * Estimates the bits that the bytes from `first` to `length` after `from` take, with matches among all of them.
 * @param row bytes of a row
 */
export function estimateBits(from: usize, first: usize, length: usize, row: usize): f32 {
  memory.fill(places, 0, 4 << HASH_BITS);
  memory.fill(longPlaces, 0, 4 << HASH_BITS);
  priceBytes(from + first, length - first);
  let at: usize = 0;
  while (at < first) at += step(from, at, length, row);
  clearCounts();
  while (at + LONG_HASHED_BYTES <= length) at += step(from, at, length, row);
  for (; at < length; at++) count(lengths, load<u8>(from + at));
  return <f32>extra + entropy(lengths, LENGTH_SYMBOLS) + entropy(distances, DISTANCE_SYMBOLS);
}

/** A shorter match must take fewer bits than its bytes would as literals. */
const COMPARED_BYTES: i32 = 24;
/** Bits that a match is taken to need beside the logarithm of its distance. */
const MATCH_BITS: f32 = 7;
/** About what each byte takes as a literal, in bits (f32). */
const byteBits = memory.data(4 * 256);

function priceBytes(from: usize, length: usize): void {
  memory.fill(lengths, 0, 4 * LENGTH_SYMBOLS);
  for (let at: usize = 0; at < length; at++) count(lengths, load<u8>(from + at));
  const total = log2(<f32>length);
  for (let byte: usize = 0; byte < 1024; byte += 4) {
    const times = load<u32>(lengths + byte);
    store<f32>(byteBits + byte, times ? total - log2(<f32>times) : total);
  }
}

@inline
function saves(here: usize, length: i32, distance: usize): boolean {
  let bits: f32 = 0;
  for (let i = 0; i < length; i++) bits += load<f32>(byteBits + ((<usize>load<u8>(here + i)) << 2));
  return bits > MATCH_BITS + log2(<f32>distance);
}

const ENTERED: usize = 16;

/** Enters the first and last places of a match. */
@inline
function enter(from: usize, at: usize, common: usize): void {
  const end = at + common - 1;
  const first = min<usize>(end, at + ENTERED);
  for (; at < first; at++) enterOne(from, at);
  if (at + ENTERED < end) at = end - ENTERED;
  for (; at < end; at++) enterOne(from, at);
}

@inline
function enterOne(from: usize, at: usize): void {
  swap(places, load<u32>(from + at) * HASH_FACTOR, at);
  swap(longPlaces, hashOfLong(from + at), at);
}

function clearCounts(): void {
  memory.fill(lengths, 0, 4 * LENGTH_SYMBOLS);
  memory.fill(distances, 0, 4 * DISTANCE_SYMBOLS);
  extra = 0;
}

/** Counts the symbol of a literal or match. @returns the bytes that it stands for */
@inline
function step(from: usize, at: usize, length: usize, row: usize): usize {
  const here = from + at;
  const most = <i32>min<usize>(length - at, MOST_LENGTH);
  let distance = at + 1 - swap(longPlaces, hashOfLong(here), at);
  let common = lengthAt(here, distance, at, most);
  const near = at + 1 - swap(places, load<u32>(here) * HASH_FACTOR, at);
  if (common < most) {
    const nearCommon = lengthAt(here, near, at, most);
    if (nearCommon >= common) {
      common = nearCommon;
      distance = near;
    }
    const rowCommon = lengthAt(here, row, at, most);
    if (rowCommon > common + 1) {
      common = rowCommon;
      distance = row;
    }
  }
  if (common == 0 || (common < COMPARED_BYTES && !saves(here, common, distance))) {
    count(lengths, load<u8>(here));
    return 1;
  }
  const lengthCode = lengthSymbol(common);
  const distanceCode = distanceSymbol(<i32>distance);
  count(lengths, lengthCode);
  count(distances, distanceCode);
  extra += lengthExtraBits(lengthCode) + distanceExtraBits(distanceCode);
  enter(from, at + 1, <usize>common);
  return <usize>common;
}

@inline
function hashOfLong(at: usize): u32 {
  const folded = (load<u64>(at) * 0x9e3779b97f4a7c15) ^ (<u64>load<u32>(at, 8) * 0x9e3779b1);
  return <u32>((folded * 0x9e3779b97f4a7c15) >> 32);
}

/** Puts a place into a table. @returns the one that was there: 1 more than the offset, or 0 */
@inline
function swap(table: usize, hash: u32, at: usize): usize {
  const place = table + ((<usize>(hash >> (32 - HASH_BITS))) << 2);
  const before = <usize>load<u32>(place);
  store<u32>(place, <u32>at + 1);
  return before;
}

/** Returns the length of the match at a distance, if it is one. */
@inline
function lengthAt(here: usize, distance: usize, at: usize, most: i32): i32 {
  if (distance > at || distance > MOST_DISTANCE) return 0;
  if (load<u32>(here) != load<u32>(here - distance)) return 0;
  return commonBytes(here, here - distance, <i32>HASHED_BYTES, most);
}

function entropy(table: usize, symbols: i32): f32 {
  let total: f32 = 0;
  let bits: f32 = 0;
  for (let symbol = 0; symbol < symbols; symbol++) {
    const times = <f32>load<u32>(table + ((<usize>symbol) << 2));
    if (times == 0) continue;
    total += times;
    bits -= times * log2(times);
  }
  return total > 0 ? bits + total * log2(total) : 0;
}

/** Returns the logarithm to base 2, straight between powers of two: at most 0.09 less. */
@inline
function log2(value: f32): f32 {
  const bits = reinterpret<u32>(value);
  return <f32>(<i32>(bits >> 23) - 127) + <f32>(bits & 0x7fffff) * <f32>(1.0 / 8388608.0);
}
