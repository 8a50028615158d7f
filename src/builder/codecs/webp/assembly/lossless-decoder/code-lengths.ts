/** Reads prefix codes (RFC 9649, 3.7.2.1) and makes the tables of them. */
import { dropBits, isStarved, peekBits, readBits } from "./bits";
import { buildTable, ENTRIES_MAX, entryOf, rootMask, SYMBOLS_MAX } from "./prefix-table";

const LENGTH_CODES: i32 = 19;
/** The order in which the lengths of the code of lengths are in the file (3.7.2.1.2). */
const LENGTH_ORDER = memory.data<u8>([17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
/** The first symbol for a run; the extra bits and the least length of a run of each kind. */
const REPEATED: u32 = 16;
const RUN_BITS = memory.data<u8>([2, 3, 7]);
const RUN_LEAST = memory.data<u8>([3, 3, 11]);
/** The length that is repeated where none came before. */
const FIRST_LENGTH: u8 = 8;

/** The length of each symbol's code (u8), with room for those that a code of few symbols states beyond the alphabet. */
const lengths = memory.data(2328);
/** The table of the code of lengths: codes of at most 7 bits, so that there is one table. */
const lengthTable = memory.data(2 * 128);
/** The tables of the last code that was read. */
export const table = memory.data(2 * 2704);

/** Reads a code that states its one or two symbols (3.7.2.1.1). Symbols beyond the alphabet have no code. */
function readFew(): void {
  const isPair = readBits(1);
  const first = readBits(readBits(1) ? 8 : 1);
  store<u8>(lengths + first, 1);
  if (isPair) store<u8>(lengths + readBits(8), 1);
}

/** Reads a code that states the length of each symbol's code (3.7.2.1.2). @returns false for an invalid one */
function readMany(symbols: i32): boolean {
  const stated = <i32>readBits(4) + 4;
  if (stated > LENGTH_CODES) return false;
  for (let i = 0; i < stated; i++) store<u8>(lengths + load<u8>(LENGTH_ORDER + i), <u8>readBits(3));
  if (buildTable(lengths, LENGTH_CODES, lengthTable) == 0) return false;
  const mask = rootMask;
  memory.fill(lengths, 0, LENGTH_CODES);
  let left = symbols;
  if (readBits(1)) {
    left = 2 + <i32>readBits(2 + 2 * readBits(3));
    if (left > symbols) return false;
  }
  let previous = FIRST_LENGTH;
  for (let symbol = 0; symbol < symbols && left > 0 && !isStarved; left--) {
    const entry = entryOf(lengthTable, mask, <u32>peekBits());
    dropBits(entry & 15);
    const length = entry >> 4;
    if (length < REPEATED) {
      store<u8>(lengths + symbol++, <u8>length);
      if (length) previous = <u8>length;
      continue;
    }
    const kind = length - REPEATED;
    const run = <i32>(readBits(load<u8>(RUN_BITS + kind)) + load<u8>(RUN_LEAST + kind));
    if (symbol + run > symbols) return false;
    memory.fill(lengths + symbol, kind ? 0 : previous, run);
    symbol += run;
  }
  return true;
}

/**
 * Reads a code of an alphabet of `symbols` and makes its tables.
 * @returns the number of entries at `table`; 0 for an invalid code. Either means nothing if the reader was starved.
 */
export function readCode(symbols: i32): u32 {
  assert(symbols <= SYMBOLS_MAX);
  memory.fill(lengths, 0, max(symbols, 256));
  if (readBits(1)) readFew();
  else if (!readMany(symbols)) return 0;
  const entries = buildTable(lengths, symbols, table);
  assert(entries <= <u32>ENTRIES_MAX);
  return entries;
}
