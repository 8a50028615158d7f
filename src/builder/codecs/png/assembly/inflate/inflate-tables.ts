/**
 * Decoding tables of the prefix codes of deflate (RFC 1951, section 3.2). A table is indexed by the next bits of the
 * stream. Codes with more bits than the index of the main table continue in a subtable. An entry is a u32:
 *
 *     bits 0-5     bits to drop: those of the code, and the extra bits that follow it
 *     END          end of block
 *     INVALID      no code begins with these bits
 *     bits 8-13    bits of the code alone; of a LINK, bits that index the subtable
 *     LINK         the code continues in the subtable that begins at entry `value`; drop the main table's bits
 *     LITERAL      `value` is a byte
 *     bits 16-31   value: a byte, the least length or distance, or the index of a subtable
 */

export const END: u32 = 1 << 6;
export const INVALID: u32 = 1 << 7;
export const LINK: u32 = 1 << 14;
export const LITERAL: u32 = 1 << 15;
/** Marks of entries that are neither a literal nor a length or distance. */
export const EXCEPTION: u32 = END | INVALID | LINK;
export const VALUE_SHIFT: u32 = 16;

/** Bits of an index into the main table of each code. */
export const LENGTH_TABLE_BITS: u32 = 11;
export const DISTANCE_TABLE_BITS: u32 = 8;
export const PRECODE_TABLE_BITS: u32 = 7;
/** Most entries of a table with all its subtables, for 288 and 32 symbols (zlib's examples/enough.c). */
export const LENGTH_ENTRIES: i32 = 2342;
export const DISTANCE_ENTRIES: i32 = 402;
export const PRECODE_ENTRIES: i32 = 128;

const MOST_CODE_BITS: u32 = 15;
export const END_OF_BLOCK: i32 = 256;

/** Least length << 16 | extra bits of symbols 257 to 287 (section 3.2.5); the last two do not exist. */
const LENGTHS = memory.data<u32>([
  0x030000, 0x040000, 0x050000, 0x060000, 0x070000, 0x080000, 0x090000, 0x0a0000, 0x0b0001, 0x0d0001,
  0x0f0001, 0x110001, 0x130002, 0x170002, 0x1b0002, 0x1f0002, 0x230003, 0x2b0003, 0x330003, 0x3b0003,
  0x430004, 0x530004, 0x630004, 0x730004, 0x830005, 0xa30005, 0xc30005, 0xe30005, 0x1020000, 0x80, 0x80,
]);

/** Least distance << 16 | extra bits of symbols 0 to 31; the last two do not exist. */
const DISTANCES = memory.data<u32>([
  0x010000, 0x020000, 0x030000, 0x040000, 0x050001, 0x070001, 0x090002, 0x0d0002, 0x110003, 0x190003,
  0x210004, 0x310004, 0x410005, 0x610005, 0x810006, 0xc10006, 0x1010007, 0x1810007, 0x2010008, 0x3010008,
  0x4010009, 0x6010009, 0x801000a, 0xc01000a, 0x1001000b, 0x1801000b, 0x2001000c, 0x3001000c, 0x4001000d,
  0x6001000d, 0x80, 0x80,
]);

/** The number of codes of each length, and later where the symbols of each length begin in `sorted` (u16). */
const counts = memory.data(32);
const offsets = memory.data(32);
/** Symbols ordered by the length of their code, then by number (u16). */
const sorted = memory.data(288 * 2);

/** Returns the entry of a symbol in one of the three kinds of tables, without the bits of its code. */
@inline
function baseOf(symbol: u32, table: u32): u32 {
  if (table == LENGTH_TABLE_BITS) {
    if (symbol < <u32>END_OF_BLOCK) return (symbol << VALUE_SHIFT) | LITERAL;
    if (symbol == <u32>END_OF_BLOCK) return END;
    return load<u32>(LENGTHS + ((<usize>(symbol - 257)) << 2));
  }
  if (table == DISTANCE_TABLE_BITS) return load<u32>(DISTANCES + ((<usize>symbol) << 2));
  return symbol << VALUE_SHIFT;
}

@inline
function put(table: usize, index: u32, entry: u32): void {
  store<u32>(table + ((<usize>index) << 2), entry);
}

/**
 * Returns the next code of the same length, or the first bits of the next code if it is longer. The first bit of a code
 * is bit 0.
 */
@inline
function nextCode(code: u32, length: u32): u32 {
  const bit: u32 = 1 << (31 - clz<u32>(code ^ ((1 << length) - 1)));
  return (code & (bit - 1)) | bit;
}

/**
 * Builds the table of a code.
 * @param lengths one byte per symbol: the bits of its code, 0 for a symbol that does not occur
 * @param tableBits LENGTH_TABLE_BITS, DISTANCE_TABLE_BITS or PRECODE_TABLE_BITS; it also decides what symbols mean
 * @returns false for what zlib refuses: codes that collide, and incomplete codes, except that lengths or distances
 *   may have a single code of one bit or none
 */
export function buildTable(lengths: usize, symbols: i32, table: usize, tableBits: u32): boolean {
  memory.fill(counts, 0, 32);
  for (let symbol = 0; symbol < symbols; symbol++) {
    const at = counts + ((<usize>load<u8>(lengths + symbol)) << 1);
    store<u16>(at, load<u16>(at) + 1);
  }
  // Count the codes that are left at each length, and find where the symbols of each length begin.
  let left: i32 = 1;
  let used: u32 = 0;
  for (let length: u32 = 1; length <= MOST_CODE_BITS; length++) {
    const count = load<u16>(counts + ((<usize>length) << 1));
    left = (left << 1) - <i32>count;
    if (left < 0) return false;
    store<u16>(offsets + ((<usize>length) << 1), <u16>used);
    used += count;
  }
  if (left > 0 && (tableBits == PRECODE_TABLE_BITS || used > 1 || (used == 1 && load<u16>(counts, 2) == 0))) {
    return false;
  }
  for (let symbol = 0; symbol < symbols; symbol++) {
    const length = load<u8>(lengths + symbol);
    if (length == 0) continue;
    const at = offsets + ((<usize>length) << 1);
    const place = load<u16>(at);
    store<u16>(at, place + 1);
    store<u16>(sorted + ((<usize>place) << 1), <u16>symbol);
  }
  if (left > 0) fillIncomplete(table, tableBits, used);
  else fillComplete(table, tableBits);
  return true;
}

/** Fills the table of a single code of one bit, or of none. All other entries are INVALID. */
function fillIncomplete(table: usize, tableBits: u32, used: u32): void {
  const entry = used ? withCode(baseOf(load<u16>(sorted), tableBits), 1) : INVALID;
  for (let index: u32 = 0; index < (<u32>1) << tableBits; index += 2) {
    put(table, index, entry);
    put(table, index + 1, INVALID);
  }
}

@inline
function withCode(base: u32, length: u32): u32 {
  return base + length + (length << 8);
}

/** Fills a main table in the order of lengths. For each further bit, the entries so far are doubled. */
function fillComplete(table: usize, tableBits: u32): void {
  let next = sorted;
  let length: u32 = 1;
  let count: u32 = load<u16>(counts, 2);
  let code: u32 = 0;
  let size: u32 = 2;
  for (;;) {
    while (count == 0) {
      if (++length > tableBits) {
        fillSubtables(table, tableBits, code, next);
        return;
      }
      memory.copy(table + ((<usize>size) << 2), table, (<usize>size) << 2);
      size <<= 1;
      count = load<u16>(counts + ((<usize>length) << 1));
    }
    for (; count > 0; count--) {
      put(table, code, withCode(baseOf(load<u16>(next), tableBits), length));
      next += 2;
      if (code == size - 1) {
        // This is the last code.
        for (; length < tableBits; length++, size <<= 1) {
          memory.copy(table + ((<usize>size) << 2), table, (<usize>size) << 2);
        }
        return;
      }
      code = nextCode(code, length);
    }
  }
}

/**
 * Fills subtables with the codes that are longer than the main table's bits. `code` is the first one, `next` its
 * symbol.
 */
function fillSubtables(table: usize, tableBits: u32, code: u32, next: usize): void {
  let length = tableBits + 1;
  let count: u32 = load<u16>(counts + ((<usize>length) << 1));
  let end: u32 = 1 << tableBits;
  let start: u32 = end;
  let prefix: u32 = u32.MAX_VALUE;
  for (;;) {
    while (count == 0) count = load<u16>(counts + ((<usize>++length) << 1));
    if ((code & ((1 << tableBits) - 1)) != prefix) {
      prefix = code & ((1 << tableBits) - 1);
      start = end;
      // The subtable gets as many bits as the codes with this beginning need.
      let bits = length - tableBits;
      let covered = count;
      while (covered < (<u32>1) << bits) {
        bits++;
        covered = (covered << 1) + load<u16>(counts + ((<usize>(tableBits + bits)) << 1));
      }
      end = start + (1 << bits);
      put(table, prefix, LINK | (start << VALUE_SHIFT) | (bits << 8) | tableBits);
    }
    const entry = withCode(baseOf(load<u16>(next), tableBits), length - tableBits);
    next += 2;
    const step: u32 = 1 << (length - tableBits);
    for (let index = start + (code >> tableBits); index < end; index += step) put(table, index, entry);
    if (code == ((<u32>1) << length) - 1) return;
    code = nextCode(code, length);
    count--;
  }
}
