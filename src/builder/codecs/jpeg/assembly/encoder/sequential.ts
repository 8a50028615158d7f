/**
 * Codes a scan in which the blocks of all components alternate (ITU T.81 A.2.3): the only scan of a baseline file
 * (F.1.2), or the DC coefficients of a progressive one (G.1.2.1). A baseline file is for pictures whose tokens do not
 * fit their room: the tokens so far are coded, which makes room for more.
 */
import { addOne } from "./band";
import { CODES_BYTES, putSymbol, putValue, sizeOf, writePosition, writeTo } from "./bit-writer";
import { Component } from "./component";
import { readToken, tokenRun, tokenValue } from "./tokens";

/** Upper bound of what one MCU writes: six blocks of 64 codes and values of 27 bits, all stuffed. */
const MOST_MCU_BYTES: usize = 6 * 512;
/** A call counts whole rows of MCUs until it has counted this many. */
const MCUS_PER_CALL: i32 = 4096;
/** Counts (u32) of 256 symbols: DC and AC of luma, DC and AC of chroma. */
export const SEQUENTIAL_COUNTS_BYTES: usize = 4 * 1024;

/** Addresses of the components, luma first, and their number. */
const parts = memory.data(12, 4);
let count = 0;
let isDcOnly = false;
/** Blocks of luma in an MCU, across and down. */
let factor = 1;
let mcusWide = 0;
/** The next MCU. */
let mcuRow = 0;
let mcu = 0;
/** Where each row of blocks continues: two of luma, one of each chroma. */
const cursors = memory.data(16, 4);
/** The DC level of the block before, per component. */
const lastDc = memory.data(12, 4);
/** Where symbols are counted. 0 while they are coded. */
let counts: usize = 0;
let codes: usize = 0;

/**
 * Begins the scan.
 * @param cb 0 for pictures in gray
 * @param dcOnly whether it has DC coefficients alone
 */
export function beginSequential(luma: Component, cb: usize, cr: usize, dcOnly: boolean): void {
  isDcOnly = dcOnly;
  store<usize>(parts, changetype<usize>(luma), 0);
  store<usize>(parts, cb, 4);
  store<usize>(parts, cr, 8);
  count = cb ? 3 : 1;
  factor = cb && changetype<Component>(cb).isHalved ? 2 : 1;
  mcusWide = (luma.blocksWide + factor - 1) / factor;
  rewind();
}

/** Goes back to the beginning of the file. */
function rewind(): void {
  mcuRow = 0;
  mcu = 0;
  memory.fill(lastDc, 0, 12);
}

@inline
function partAt(i: i32): Component {
  return changetype<Component>(load<usize>(parts + ((<usize>i) << 2)));
}

/** Returns the rows of MCUs whose tokens are complete. */
function rowsReady(): i32 {
  return (partAt(0).rowsDone + factor - 1) / factor;
}

/**
 * Counts the symbols of some rows of MCUs whose tokens are complete.
 * @param to counts (u32) of 256 symbols: DC and AC of luma, DC and AC of chroma
 * @returns false when all are counted; the scan is then at its beginning again
 */
export function countSequential(to: usize): boolean {
  counts = to;
  for (let taken = 0; mcuRow < rowsReady() && taken < MCUS_PER_CALL; mcuRow++) {
    for (mcu = 0; mcu < mcusWide; mcu++) takeMcu();
    taken += mcusWide;
  }
  counts = 0;
  mcu = 0;
  if (mcuRow < rowsReady()) return true;
  rewind();
  return false;
}

/**
 * Codes the next MCUs whose tokens are complete.
 * @param tables four tables of codes: DC and AC of luma, DC and AC of chroma
 * @returns bytes written to `out`; 0 when there are no more
 */
export function emitSequential(tables: usize, out: usize, limit: usize): usize {
  codes = tables;
  writeTo(out);
  const stop = out + limit - MOST_MCU_BYTES;
  for (; mcuRow < rowsReady(); mcuRow++, mcu = 0) {
    for (; mcu < mcusWide; mcu++) {
      if (writePosition() > stop) return writePosition() - out;
      takeMcu();
    }
  }
  return writePosition() - out;
}

function takeMcu(): void {
  if (mcu == 0) beginRow();
  for (let y = 0; y < factor; y++) {
    for (let x = 0; x < factor; x++) takeBlock(0, y, factor * mcu + x, factor * mcuRow + y);
  }
  for (let i = 1; i < count; i++) takeBlock(i, i + 1, mcu, mcuRow);
}

function beginRow(): void {
  const luma = partAt(0);
  for (let y = 0; y < factor; y++) {
    const row = min(factor * mcuRow + y, luma.rowsDone - 1);
    store<u32>(cursors + ((<usize>y) << 2), load<u32>(luma.rowStarts + ((<usize>row) << 2)));
  }
  for (let i = 1; i < count; i++) {
    const start = load<u32>(partAt(i).rowStarts + ((<usize>mcuRow) << 2));
    store<u32>(cursors + ((<usize>(i + 1)) << 2), start);
  }
}

/**
 * Counts or codes one block, read at the cursor of its row. A block beyond the picture's edge repeats the DC level
 * before it and has no other coefficient.
 */
function takeBlock(i: i32, cursor: i32, column: i32, row: i32): void {
  const part = partAt(i);
  const kind = i == 0 ? 0 : 2;
  const before = lastDc + ((<usize>i) << 2);
  const isThere = column < part.blocksWide && row < part.blocksHigh;
  const place = cursors + ((<usize>cursor) << 2);
  let read = <usize>load<u32>(place);
  const dc = isThere ? <i32>load<i16>(read) : load<i32>(before);
  const difference = dc - load<i32>(before);
  store<i32>(before, dc);
  take(kind, sizeOf(difference), difference);
  if (!isThere) {
    takeAc(kind, 0, 0);
    return;
  }
  read += 2;
  let k = 0;
  let last = 0;
  while (k < 63) {
    if (load<u8>(read) == 0) {
      read++;
      takeAc(kind, 0, 0);
      break;
    }
    read = readToken(read);
    k += tokenRun + 1;
    if (tokenValue == 0) {
      takeAc(kind, 0xf0, 0);
      last = k;
      continue;
    }
    takeAc(kind, ((k - last - 1) << 4) | sizeOf(tokenValue), tokenValue);
    last = k;
  }
  store<u32>(place, <u32>read);
}

@inline
function takeAc(kind: i32, symbol: i32, value: i32): void {
  if (!isDcOnly) take(kind + 1, symbol, value);
}

/** Counts or codes one symbol. */
@inline
function take(table: i32, symbol: i32, value: i32): void {
  if (counts) addOne(counts + ((<usize>table) << 10), symbol);
  else {
    const size = symbol & 15;
    const at = codes + <usize>(table * CODES_BYTES);
    if (size) putValue(at, symbol, value, size);
    else putSymbol(at, symbol);
  }
}
