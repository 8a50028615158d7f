/**
 * Tables by which the symbols of a prefix code (RFC 9649, 3.7.2.1) are looked up. An entry (u16) has the length of the
 * code in its lowest four bits, and the symbol above. The first table is looked up by up to ROOT_BITS bits. An entry of
 * it with a length over ROOT_BITS leads to a further table: its length is ROOT_BITS more than the bits that this one is
 * looked up by, and in place of the symbol it has the further table's place, in entries from the first one.
 */
export const ROOT_BITS: u32 = 8;
export const LONGEST: i32 = 15;
/** The most symbols of a code: 256 values of green, 24 lengths of matches, and a cache of 2^11 colours. */
export const SYMBOLS_MAX: i32 = 2328;
/** The most entries of a code: libwebp's bound for SYMBOLS_MAX symbols (src/dec/vp8l_dec.c, kTableSize). */
export const ENTRIES_MAX: i32 = 2704;

/** The symbols in order of their codes (u16). */
const sorted = memory.data(2 * 2328);
/** Symbols of each length, and the place in `sorted` after those that were put there (u32). */
const counts = memory.data(4 * 16);
const places = memory.data(4 * 16);

/** Looks up the bits that the first table of the last code is indexed by. */
export let rootMask: u32 = 0;

@inline
function countOf(length: i32): u32 {
  return load<u32>(counts + ((<usize>length) << 2));
}

/**
 * Returns the next code of `length` bits, which are in reverse because the file has the highest bit of a code first.
 */
@inline
function nextCode(code: u32, length: i32): u32 {
  let step: u32 = 1 << (length - 1);
  while (code & step) step >>= 1;
  return step ? (code & (step - 1)) + step : 0;
}

@inline
function fill(table: usize, from: u32, step: u32, end: u32, entry: u32): void {
  for (let i = from; i < end; i += step) store<u16>(table + ((<usize>i) << 1), <u16>entry);
}

/** Counts the lengths, and sorts the symbols by them. @returns the number of symbols that have a code */
function sort(lengths: usize, symbols: i32): u32 {
  memory.fill(counts, 0, 64);
  for (let symbol = 0; symbol < symbols; symbol++) {
    const at = counts + ((<usize>load<u8>(lengths + symbol)) << 2);
    store<u32>(at, load<u32>(at) + 1);
  }
  let used: u32 = 0;
  for (let length = 1; length <= LONGEST; length++) {
    store<u32>(places + ((<usize>length) << 2), used);
    used += countOf(length);
  }
  for (let symbol = 0; symbol < symbols; symbol++) {
    const length = <usize>load<u8>(lengths + symbol);
    if (length == 0) continue;
    const place = load<u32>(places + (length << 2));
    store<u32>(places + (length << 2), place + 1);
    store<u16>(sorted + ((<usize>place) << 1), <u16>symbol);
  }
  return used;
}

/** Returns whether the codes of the counted lengths are all there may be, and no more. */
function isComplete(): boolean {
  let free: i32 = 1;
  for (let length = 1; length <= LONGEST; length++) {
    free = 2 * free - <i32>countOf(length);
    if (free < 0) return false;
  }
  return free == 0;
}

/**
 * Returns the bits of the further table that begins with a code of `length` bits, of which `left` are not in a table
 * yet.
 */
function furtherBits(length: i32, left: u32): u32 {
  let free = ((<i32>1) << (length - <i32>ROOT_BITS)) - <i32>left;
  let longest = length;
  while (free > 0 && longest < LONGEST) free = 2 * free - <i32>countOf(++longest);
  return <u32>longest - ROOT_BITS;
}

/**
 * Writes the tables of a code at `to`, from the length of each symbol's code (u8), and sets `rootMask`. A single symbol
 * has a code of no bits.
 * @returns the number of entries; 0 when there is no such code
 */
export function buildTable(lengths: usize, symbols: i32, to: usize): u32 {
  const used = sort(lengths, symbols);
  if (used == 0) return 0;
  if (used == 1) {
    rootMask = 0;
    store<u16>(to, <u16>((<u32>load<u16>(sorted)) << 4));
    return 1;
  }
  if (!isComplete()) return 0;
  let longest = LONGEST;
  while (countOf(longest) == 0) longest--;
  const rootBits = min<u32>(ROOT_BITS, <u32>longest);
  rootMask = (1 << rootBits) - 1;
  let end: u32 = 1 << rootBits;
  let code: u32 = 0;
  let from = sorted;
  for (let length = 1; length <= <i32>rootBits; length++) {
    for (let left = countOf(length); left > 0; left--, from += 2) {
      fill(to, code, 1 << length, 1 << rootBits, ((<u32>load<u16>(from)) << 4) | (<u32>length));
      code = nextCode(code, length);
    }
  }
  let table: u32 = 0;
  let root = u32.MAX_VALUE;
  for (let length = <i32>ROOT_BITS + 1; length <= longest; length++) {
    for (let left = countOf(length); left > 0; left--, from += 2) {
      if ((code & rootMask) != root) {
        root = code & rootMask;
        table = end;
        const tableBits = furtherBits(length, left);
        end += 1 << tableBits;
        store<u16>(to + ((<usize>root) << 1), <u16>((table << 4) | (ROOT_BITS + tableBits)));
      }
      const symbol = ((<u32>load<u16>(from)) << 4) | (<u32>length);
      fill(to, table + (code >> ROOT_BITS), 1 << (length - <i32>ROOT_BITS), end, symbol);
      code = nextCode(code, length);
    }
  }
  return end;
}

/** Returns the entry of the code with which `bits` begin. */
@inline
export function entryOf(table: usize, mask: u32, bits: u32): u32 {
  let entry: u32 = load<u16>(table + ((<usize>(bits & mask)) << 1));
  const length = entry & 15;
  if (length > ROOT_BITS) {
    const further = (entry >> 4) + ((bits >> ROOT_BITS) & ((1 << (length - ROOT_BITS)) - 1));
    entry = load<u16>(table + ((<usize>further) << 1));
  }
  return entry;
}
