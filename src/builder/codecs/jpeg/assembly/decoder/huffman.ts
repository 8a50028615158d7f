/**
 * Huffman tables (ITU T.81 B.2.4.2, annex C), prepared so that one lookup can read several symbols.
 *
 * `lookup`, by the next LOOKUP_BITS bits, i32 entries:
 *   0                                  the code is longer than LOOKUP_BITS: use longCode
 *   symbol << 8 | length               the code alone
 *   value << 16 | zeros << 8 | length  AC: code and value bits together (the value is never 0)
 *   value << 16 | WHOLE | length       DC: code and value bits together
 * `pairs`, by the next PAIR_BITS bits: one or two AC coefficients with their values, u64 entries:
 *   second value << 48 | first << 32 | step to the second << 16 | zeros before the first << 8 | length
 *   without a second one, it is the first again with a step of 0; NO_PAIR: use lookup
 * `skip`, by the next SKIP_BITS bits: as many whole AC symbols as fit, for coefficients that are not used, u16 entries:
 *   coefficients << 8 | length, with SKIP_END where the last of them ends the block
 *   NOTHING_WHOLE                      the code with its value is longer: use lookup
 */
import { allocate } from "../../../../pixels/assembly/shared/arena";
import { FAULT_CODE, FAULT_HUFFMAN_TABLE, fail } from "./status";

export const LOOKUP_BITS: i32 = 10;
export const PAIR_BITS: i32 = 10;
export const SKIP_BITS: i32 = 12;
/** Marks a DC entry that contains the value. */
export const WHOLE: i32 = 0x8000;
export const LENGTH_MASK: i32 = 63;
export const SKIP_END: i32 = 0x80;
/** A number of zeros that no block has. */
const NO_PAIR: u64 = 0xff00;
/** A number of coefficients that no block has. */
const NOTHING_WHOLE: i32 = 0xff00;
const MAX_CODE_BITS: i32 = 16;

/** The most symbols of a table. 16 counts precede them. */
const MAX_SYMBOLS: i32 = 256;
/** A DC difference of an 8-bit picture has at most 11 bits (table F.1), but libjpeg accepts up to 15. */
const MAX_DC_BITS: i32 = 15;

const LOOKUP_BYTES: usize = 4 << LOOKUP_BITS;
const PAIR_BYTES: usize = 8 << PAIR_BITS;
const SKIP_BYTES: usize = 2 << SKIP_BITS;
/** Offsets within a table. */
const PAIRS: usize = LOOKUP_BYTES;
const SKIP: usize = PAIRS + PAIR_BYTES;
const LIMITS: usize = SKIP + SKIP_BYTES;
const DELTAS: usize = LIMITS + 80;
const COUNTS: usize = DELTAS + 80;
const SYMBOLS: usize = COUNTS + 16;
const TABLE_BYTES: usize = SYMBOLS + 256;
const TABLES: i32 = 8;

const UNDEFINED: u8 = 0;
const DEFINED: u8 = 1;
const BUILT: u8 = 2;
const BUILT_FOR_BLOCKS: u8 = 3;

const states: usize = memory.data(8, 8);
let tables: usize = 0;

export function allocateHuffman(): boolean {
  tables = allocate(TABLE_BYTES * TABLES);
  return tables != 0;
}

@inline
export function pairTable(table: usize): usize {
  return table + PAIRS;
}

@inline
export function skipTable(table: usize): usize {
  return table + SKIP;
}

/**
 * Stores a table as a DHT segment states it.
 * @param at 16 counts and their symbols, of which `room` bytes are readable
 * @returns bytes used, or a fault (negative)
 */
export function defineHuffman(isAC: boolean, slot: i32, at: usize, room: i32): i32 {
  if (room < 16) return fail(FAULT_HUFFMAN_TABLE);
  let symbols = 0;
  let code = 0;
  for (let length = 1; length <= MAX_CODE_BITS; length++) {
    const count = <i32>load<u8>(at + <usize>(length - 1));
    symbols += count;
    code += count;
    // Codes must fit their length, and none may be all ones (annex C, note).
    if (count != 0 && code >= 1 << length) return fail(FAULT_HUFFMAN_TABLE);
    code <<= 1;
  }
  if (symbols > MAX_SYMBOLS || room < 16 + symbols) return fail(FAULT_HUFFMAN_TABLE);
  const index = (isAC ? 4 : 0) + slot;
  const table = tables + <usize>index * TABLE_BYTES;
  memory.copy(table + COUNTS, at, 16 + symbols);
  for (let i = 0; !isAC && i < symbols; i++) {
    if (<i32>load<u8>(table + SYMBOLS + <usize>i) > MAX_DC_BITS) return fail(FAULT_HUFFMAN_TABLE);
  }
  store<u8>(states + <usize>index, DEFINED);
  return 16 + symbols;
}

/**
 * Prepares a table. Returns its address, or 0 when it was never defined.
 * @param forBlocks whether to prepare `pairs` and `skip` too, with which whole blocks are read
 */
export function huffmanTable(isAC: boolean, slot: i32, forBlocks: boolean): usize {
  const index = (isAC ? 4 : 0) + slot;
  const state = load<u8>(states + <usize>index);
  if (state == UNDEFINED) return 0;
  const table = tables + <usize>index * TABLE_BYTES;
  if (state < BUILT) buildLookup(table, isAC);
  if (state < BUILT_FOR_BLOCKS && forBlocks) {
    buildPairs(table);
    buildSkip(table);
  }
  store<u8>(states + <usize>index, max<u8>(state, forBlocks ? BUILT_FOR_BLOCKS : BUILT));
  return table;
}

/** Returns the value of `bits` magnitude bits (F.2.2.1, EXTEND). */
@inline
export function extend(value: i32, bits: i32): i32 {
  return value < 1 << (bits - 1) ? value - (1 << bits) + 1 : value;
}

function buildLookup(table: usize, isAC: boolean): void {
  memory.fill(table, 0, LOOKUP_BYTES);
  let code = 0;
  let index = 0;
  for (let length = 1; length <= MAX_CODE_BITS; length++) {
    const count = <i32>load<u8>(table + COUNTS + <usize>(length - 1));
    store<i32>(table + DELTAS + ((<usize>length) << 2), index - code);
    for (let i = 0; i < count; i++, code++, index++) {
      if (length > LOOKUP_BITS) continue;
      const symbol = <i32>load<u8>(table + SYMBOLS + <usize>index);
      const free = LOOKUP_BITS - length;
      for (let rest = 0; rest < 1 << free; rest++) {
        const entry = isAC ? acEntry(symbol, length, rest, free) : dcEntry(symbol, length, rest, free);
        store<i32>(table + ((<usize>((code << free) + rest)) << 2), entry);
      }
    }
    // Codes of this length, aligned to 16 bits, are below the limit.
    store<i32>(table + LIMITS + ((<usize>length) << 2), count ? code << (MAX_CODE_BITS - length) : 0);
    code <<= 1;
  }
}

/** Returns the entry of `lookup` for an AC symbol. `rest` are the `free` bits that follow its code. */
function acEntry(symbol: i32, length: i32, rest: i32, free: i32): i32 {
  const bits = symbol & 15;
  if (bits == 0 || bits > free) return (symbol << 8) | length;
  const value = extend(rest >> (free - bits), bits);
  return (value << 16) | ((symbol >> 4) << 8) | (length + bits);
}

function dcEntry(bits: i32, length: i32, rest: i32, free: i32): i32 {
  if (bits > free) return (bits << 8) | length;
  const value = bits ? extend(rest >> (free - bits), bits) : 0;
  return (value << 16) | WHOLE | (length + bits);
}

/**
 * Returns the entry of `lookup` for the bits of a pattern of PAIR_BITS after the first `used`; 0 if the pattern ends
 * too early.
 */
function wholeValue(table: usize, pattern: i32, used: i32): i32 {
  const next = (pattern << used) & ((1 << PAIR_BITS) - 1);
  const entry = load<i32>(table + ((<usize>(next << (LOOKUP_BITS - PAIR_BITS))) << 2));
  return entry >>> 16 && used + (entry & LENGTH_MASK) <= PAIR_BITS ? entry : 0;
}

function buildPairs(table: usize): void {
  for (let pattern = 0; pattern < 1 << PAIR_BITS; pattern++) {
    const first = wholeValue(table, pattern, 0);
    let pair = NO_PAIR;
    if (first) {
      const used = first & LENGTH_MASK;
      const second = wholeValue(table, pattern, used);
      const step = second ? ((second >> 8) & 15) + 1 : 0;
      const value = (second ? second : first) >>> 16;
      pair = ((<u64>value) << 48) | ((<u64>(first >>> 16)) << 32) | ((<u64>step) << 16);
      pair |= <u64>((((first >> 8) & 15) << 8) | (used + (second & LENGTH_MASK)));
    }
    store<u64>(table + PAIRS + ((<usize>pattern) << 3), pair);
  }
}

function buildSkip(table: usize): void {
  const mask = (1 << SKIP_BITS) - 1;
  for (let pattern = 0; pattern <= mask; pattern++) {
    let used = 0;
    let coefficients = 0;
    let end = 0;
    while (used < SKIP_BITS && end == 0) {
      // Bits past the pattern read as zeros. A symbol that needs them is longer than the pattern and is not taken.
      const next = (pattern << used) & mask;
      const entry = load<i32>(table + ((<usize>(next >> (SKIP_BITS - LOOKUP_BITS))) << 2));
      if (entry == 0) break;
      let length = entry & LENGTH_MASK;
      let zeros = (entry >> 8) & 15;
      let stop = 0;
      if (entry >>> 16 == 0) {
        const bits = zeros;
        zeros = (entry >> 12) & 15;
        length += bits;
        if (bits == 0 && zeros < 15) stop = 1;
      }
      if (used + length > SKIP_BITS) break;
      used += length;
      if (stop) end = 1;
      else coefficients += zeros + 1;
    }
    const entry = used ? (coefficients << 8) | (end ? SKIP_END : 0) | used : NOTHING_WHOLE;
    store<u16>(table + SKIP + ((<usize>pattern) << 1), <u16>entry);
  }
}

/** Returns a code longer than LOOKUP_BITS. @param next the next 16 bits @returns symbol << 8 | length */
export function longCode(table: usize, next: i32): i32 {
  for (let length = LOOKUP_BITS + 1; length <= MAX_CODE_BITS; length++) {
    if (next >= load<i32>(table + LIMITS + ((<usize>length) << 2))) continue;
    const index = (next >> (MAX_CODE_BITS - length)) + load<i32>(table + DELTAS + ((<usize>length) << 2));
    return ((<i32>load<u8>(table + SYMBOLS + <usize>(index & 255))) << 8) | length;
  }
  fail(FAULT_CODE);
  // Decoding continues as if the block ended here. The fault is seen before any row is handed out.
  return MAX_CODE_BITS;
}
