/** The prefix codes of a block of deflate (RFC 1951, sections 3.2.6 and 3.2.7). */
import { drop, hold, isOverdrawn, refill, take } from "./inflate-bits";
import {
  buildTable,
  DISTANCE_ENTRIES,
  DISTANCE_TABLE_BITS,
  END_OF_BLOCK,
  INVALID,
  LENGTH_ENTRIES,
  LENGTH_TABLE_BITS,
  PRECODE_ENTRIES,
  PRECODE_TABLE_BITS,
  VALUE_SHIFT,
} from "./inflate-tables";
import { DISTANCE_TABLE_BYTES, Inflater, LENGTH_TABLE_BYTES, tablesOf } from "./inflater";

/** Bytes of the longest header of a block, with some to spare. */
export const LONGEST_HEADER: usize = 600;

const LENGTH_SYMBOLS: i32 = 288;
const DISTANCE_SYMBOLS: i32 = 32;
/** Most symbols of each code in a block. */
const MOST_LENGTHS: i32 = 286;
const MOST_DISTANCES: i32 = 30;
const PRECODE_SYMBOLS: i32 = 19;

/** The order of the lengths of the precode. */
const PRECODE_ORDER = memory.data<u8>([16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]);

/**
 * Bits of the code of each symbol, lengths before distances. A run that is too long is noticed after it was written.
 */
const lengths = memory.data(512);

/** The tables have constant addresses, because the loop over symbols waits for each lookup in them. */
export const lengthTable = memory.data(4 * LENGTH_ENTRIES, 16);
export const distanceTable = memory.data(4 * DISTANCE_ENTRIES, 16);
const precodeTable = memory.data(4 * PRECODE_ENTRIES, 16);
/** Whether the tables are those of the fixed codes. */
let isFixed = false;

export function keepCodes(slot: Inflater): void {
  slot.isFixed = isFixed;
  memory.copy(tablesOf(slot), lengthTable, LENGTH_TABLE_BYTES);
  memory.copy(tablesOf(slot) + LENGTH_TABLE_BYTES, distanceTable, DISTANCE_TABLE_BYTES);
}

export function resumeCodes(slot: Inflater): void {
  isFixed = slot.isFixed;
  memory.copy(lengthTable, tablesOf(slot), LENGTH_TABLE_BYTES);
  memory.copy(distanceTable, tablesOf(slot) + LENGTH_TABLE_BYTES, DISTANCE_TABLE_BYTES);
}

export function setFixedCodes(): void {
  if (isFixed) return;
  memory.fill(lengths, 8, 144);
  memory.fill(lengths + 144, 9, 112);
  memory.fill(lengths + 256, 7, 24);
  memory.fill(lengths + 280, 8, 8);
  buildTable(lengths, LENGTH_SYMBOLS, lengthTable, LENGTH_TABLE_BITS);
  memory.fill(lengths, 5, DISTANCE_SYMBOLS);
  buildTable(lengths, DISTANCE_SYMBOLS, distanceTable, DISTANCE_TABLE_BITS);
  isFixed = true;
}

/** Reads the codes of a block. LONGEST_HEADER bytes must have arrived. @returns false when they are not valid codes */
export function readBlockCodes(): boolean {
  isFixed = false;
  const lengthCount = <i32>take(5) + 257;
  const distanceCount = <i32>take(5) + 1;
  const precodeCount = <i32>take(4) + 4;
  if (lengthCount > MOST_LENGTHS || distanceCount > MOST_DISTANCES) return false;
  memory.fill(lengths, 0, PRECODE_SYMBOLS);
  for (let i = 0; i < precodeCount; i++) store<u8>(lengths + load<u8>(PRECODE_ORDER + i), <u8>take(3));
  if (!buildTable(lengths, PRECODE_SYMBOLS, precodeTable, PRECODE_TABLE_BITS)) return false;
  if (!readLengths(lengthCount + distanceCount)) return false;
  if (load<u8>(lengths + END_OF_BLOCK) == 0) return false;
  return (
    buildTable(lengths, lengthCount, lengthTable, LENGTH_TABLE_BITS) &&
    buildTable(lengths + lengthCount, distanceCount, distanceTable, DISTANCE_TABLE_BITS)
  );
}

/** Reads the lengths of `count` codes, which are written in the precode. @returns false when they are not valid */
function readLengths(count: i32): boolean {
  for (let i = 0; i < count;) {
    refill();
    const entry = load<u32>(precodeTable + ((<usize>(hold & ((1 << PRECODE_TABLE_BITS) - 1))) << 2));
    if (entry & INVALID) return false;
    drop(entry & 63);
    const symbol = entry >> VALUE_SHIFT;
    if (symbol < 16) {
      store<u8>(lengths + i++, <u8>symbol);
      continue;
    }
    if (symbol == 16 && i == 0) return false;
    const value = symbol == 16 ? load<u8>(lengths + i - 1) : 0;
    const run = <i32>(symbol == 16 ? 3 + take(2) : symbol == 17 ? 3 + take(3) : 11 + take(7));
    if (isOverdrawn() || i + run > count) return false;
    memory.fill(lengths + i, value, run);
    i += run;
  }
  return !isOverdrawn();
}
