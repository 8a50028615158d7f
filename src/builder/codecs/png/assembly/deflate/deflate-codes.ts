/**
 * Makes prefix codes from counted symbols, of the least total size under a limit of length (RFC 1951, section 3.2.2).
 */

import { put } from "./deflate-bits";

const MOST_SYMBOLS: i32 = 288;
const MOST_BITS: i32 = 15;
/** The lowest bits of an entry of `sorted`, which are the number of a symbol. Its frequency is above them. */
const SYMBOL_BITS: u32 = 9;
const SYMBOL_MASK: u32 = (1 << SYMBOL_BITS) - 1;
/**
 * The lowest bits of an entry of a code table: the code, its first bit lowest. The number of its bits is above them.
 */
export const CODE_MASK: u32 = 0xffff;
export const SIZE_SHIFT: u32 = 16;

/** The symbols that occur, rarest first (u32). `countLengths` puts the nodes of Huffman's tree in their place. */
const sorted = memory.data(4 * MOST_SYMBOLS);
const weights = memory.data(4 * MOST_SYMBOLS);
/**
 * The number of codes of each length, and the next code of each (u32). With fewer than 46,368 symbols, no code has
 * over 21 bits.
 */
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

/** Returns the entry of a symbol: its code and the number of its bits. */
@inline
export function codeOf(codes: usize, symbol: i32): u32 {
  return get(codes, symbol);
}

/** Returns the number of bits of a symbol's code; 0 if it has none. */
@inline
export function bitsOf(codes: usize, symbol: i32): u32 {
  return get(codes, symbol) >> SIZE_SHIFT;
}

/** Sets the number of bits of a symbol's code. `numberCodes` gives the codes once all are set. */
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
 * @param frequencies one u32 per symbol; their sum is below 46,368. If fewer than two symbols occur, the first ones are
 *   counted as if they did, because some decoders need two codes.
 * @param mostBits most bits of a code: 15, or 7 for the precode
 * @param codes one u32 per symbol, 0 for one that does not occur
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

/** Gives each symbol a code of the length set in `codes`, in the order of symbols. */
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

/** Reverses the bits of a code, because its first bit is written first. */
function reversed(code: u32, bits: i32): u32 {
  let result: u32 = 0;
  for (let i = 0; i < bits; i++) result |= ((code >> i) & 1) << (bits - 1 - i);
  return result;
}

/** Lists the symbols that occur in `sorted`, rarest first. @returns their number, at least 2 */
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

/** Restores the heap order of the first `count` entries of `sorted` below `root`. */
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
 * Finds how many codes of each length give the least total size. Huffman's tree is built in the place of the sorted
 * weights (Moffat and Katajainen, "In-place calculation of minimum-redundancy codes", 1995).
 */
function countLengths(used: i32): void {
  for (let i = 0; i < used; i++) set(weights, i, get(sorted, i) >> SYMBOL_BITS);
  // Entries become the weights of inner nodes, and then the indices of their parents.
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
  // Entries become depths of inner nodes, from the root on. The other places of a level are leaves.
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

/** Shortens codes of more than `most` bits, and lengthens others until there is a code for every symbol. */
function limitLengths(most: i32): void {
  for (let bits = most + 1; bits < 32; bits++) set(counts, most, get(counts, most) + get(counts, bits));
  let total: u32 = 0;
  for (let bits = 1; bits <= most; bits++) total += get(counts, bits) << (most - bits);
  for (; total > (<u32>1) << most; total--) {
    // A code of the greatest length moves next to a shorter one. Both become one bit longer than that.
    set(counts, most, get(counts, most) - 1);
    let bits = most - 1;
    while (get(counts, bits) == 0) bits--;
    set(counts, bits, get(counts, bits) - 1);
    set(counts, bits + 1, get(counts, bits + 1) + 2);
  }
}
