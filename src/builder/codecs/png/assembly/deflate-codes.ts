/** Prefix codes for what was counted, of the least size that a limit allows (RFC 1951, section 3.2.2). */

import { put } from "./deflate-bits";

const MOST_SYMBOLS: i32 = 288;
const MOST_BITS: i32 = 15;
/** Of a u32: how often a symbol occurs, then its number. */
const SYMBOL_BITS: u32 = 9;
const SYMBOL_MASK: u32 = (1 << SYMBOL_BITS) - 1;
/** Of a u32: the bits of a code, the first one lowest, then how many there are. */
export const CODE_MASK: u32 = 0xffff;
export const SIZE_SHIFT: u32 = 16;

/** Symbols that occur, rarest first, and what their frequencies become: u32. */
const sorted = memory.data(4 * MOST_SYMBOLS);
const weights = memory.data(4 * MOST_SYMBOLS);
/** Codes of each length, and the next one of each: u32. Of less than 32,768 in all, the rarest has 21 bits at most. */
const counts = memory.data(4 * 32);
const nextCodes = memory.data(4 * 16);

@inline
function get(table: usize, index: i32): u32 {
  return load<u32>(table + ((<usize>index) << 2));
}

@inline
function set(table: usize, index: i32, value: u32): void {
  store<u32>(table + ((<usize>index) << 2), value);
}

@inline
export function count(frequencies: usize, symbol: i32): void {
  set(frequencies, symbol, get(frequencies, symbol) + 1);
}

/** Of a symbol: its code and its bits. */
@inline
export function codeOf(codes: usize, symbol: i32): u32 {
  return get(codes, symbol);
}

/** Of a symbol's code; 0 where it has none. */
@inline
export function bitsOf(codes: usize, symbol: i32): u32 {
  return get(codes, symbol) >> SIZE_SHIFT;
}

/** To be numbered once all are set. */
@inline
export function setBits(codes: usize, symbol: i32, bits: u32): void {
  set(codes, symbol, bits << SIZE_SHIFT);
}

@inline
export function putCode(codes: usize, symbol: i32): void {
  const code = get(codes, symbol);
  put(code & CODE_MASK, code >> SIZE_SHIFT);
}

/**
 * Finds the code of each symbol.
 * @param frequencies a u32 a symbol, of less than 32,768 in all. Where fewer than two symbols occur, the first ones
 *   are said to: some decoders want two codes.
 * @param mostBits of a code: 15, or 7 for the precode
 * @param codes a u32 a symbol, 0 for one that does not occur
 */
export function buildCode(frequencies: usize, symbols: i32, mostBits: i32, codes: usize): void {
  const used = sortUsed(frequencies, symbols);
  countLengths(used);
  limitLengths(mostBits);
  memory.fill(codes, 0, (<usize>symbols) << 2);
  // The rarest have the longest codes.
  let index = 0;
  for (let bits = mostBits; bits > 0; bits--) {
    for (let left = get(counts, bits); left > 0; left--) {
      setBits(codes, <i32>(get(sorted, index++) & SYMBOL_MASK), bits);
    }
  }
  numberCodes(codes, symbols);
}

/** Gives codes to the lengths of `codes`, in the order of their symbols. */
export function numberCodes(codes: usize, symbols: i32): void {
  memory.fill(counts, 0, 4 * (MOST_BITS + 1));
  for (let symbol = 0; symbol < symbols; symbol++) {
    const bits = <i32>bitsOf(codes, symbol);
    if (bits) set(counts, bits, get(counts, bits) + 1);
  }
  let first: u32 = 0;
  for (let bits = 1; bits <= MOST_BITS; bits++) {
    first = (first + get(counts, bits - 1)) << 1;
    set(nextCodes, bits, first);
  }
  for (let symbol = 0; symbol < symbols; symbol++) {
    const bits = <i32>bitsOf(codes, symbol);
    if (bits == 0) continue;
    const code = get(nextCodes, bits);
    set(nextCodes, bits, code + 1);
    set(codes, symbol, ((<u32>bits) << SIZE_SHIFT) | reversed(code, bits));
  }
}

/** The other way round: a code goes into the stream with its first bit first. */
function reversed(code: u32, bits: i32): u32 {
  let result: u32 = 0;
  for (let i = 0; i < bits; i++) result |= ((code >> i) & 1) << (bits - 1 - i);
  return result;
}

/** Lists the symbols that occur, rarest first. @returns how many: at least 2 */
function sortUsed(frequencies: usize, symbols: i32): i32 {
  let used = 0;
  for (let symbol = 0; symbol < symbols; symbol++) {
    const frequency = get(frequencies, symbol);
    if (frequency) set(sorted, used++, (frequency << SYMBOL_BITS) | (<u32>symbol));
  }
  for (let symbol: u32 = 0; used < 2; symbol++) {
    if (get(frequencies, symbol) == 0) set(sorted, used++, (1 << SYMBOL_BITS) | symbol);
  }
  for (let root = (used >> 1) - 1; root >= 0; root--) sink(root, used);
  for (let last = used - 1; last > 0; last--) {
    const largest = get(sorted, 0);
    set(sorted, 0, get(sorted, last));
    set(sorted, last, largest);
    sink(0, last);
  }
  return used;
}

/** Restores the heap of the first `count` of `sorted` below `root`. */
function sink(root: i32, count: i32): void {
  const value = get(sorted, root);
  for (;;) {
    let child = 2 * root + 1;
    if (child >= count) break;
    if (child + 1 < count && get(sorted, child + 1) > get(sorted, child)) child++;
    if (get(sorted, child) <= value) break;
    set(sorted, root, get(sorted, child));
    root = child;
  }
  set(sorted, root, value);
}

/**
 * Counts how many codes have each length, for the least size: Huffman's tree in the place of the sorted weights
 * (Moffat and Katajainen, "In-place calculation of minimum-redundancy codes", 1995).
 */
function countLengths(used: i32): void {
  for (let i = 0; i < used; i++) set(weights, i, get(sorted, i) >> SYMBOL_BITS);
  // Weights of inner nodes, which become the places of their parents.
  let leaf = 0;
  let root = 0;
  for (let node = 0; node < used - 1; node++) {
    let sum: u32 = 0;
    for (let branch = 0; branch < 2; branch++) {
      if (leaf >= used || (root < node && get(weights, root) < get(weights, leaf))) {
        sum += get(weights, root);
        set(weights, root++, node);
      } else {
        sum += get(weights, leaf++);
      }
    }
    set(weights, node, sum);
  }
  // Depths of inner nodes, from the root on; what a level has room for beyond them are leaves.
  memory.fill(counts, 0, 4 * 32);
  set(weights, used - 2, 0);
  for (let node = used - 3; node >= 0; node--) {
    set(weights, node, get(weights, <i32>get(weights, node)) + 1);
  }
  let places: u32 = 1;
  let node = used - 2;
  for (let depth: u32 = 0; places > 0; depth++) {
    let inner: u32 = 0;
    for (; node >= 0 && get(weights, node) == depth; node--) inner++;
    set(counts, depth, places - inner);
    places = 2 * inner;
  }
}

/** Makes codes of more than `most` bits shorter, and others longer until there is a code for all. */
function limitLengths(most: i32): void {
  for (let bits = most + 1; bits < 32; bits++) set(counts, most, get(counts, most) + get(counts, bits));
  let total: u32 = 0;
  for (let bits = 1; bits <= most; bits++) total += get(counts, bits) << (most - bits);
  for (; total > (<u32>1) << most; total--) {
    // One of the longest goes beside a shorter one, which both become one bit longer.
    set(counts, most, get(counts, most) - 1);
    let bits = most - 1;
    while (get(counts, bits) == 0) bits--;
    set(counts, bits, get(counts, bits) - 1);
    set(counts, bits + 1, get(counts, bits + 1) + 2);
  }
}
