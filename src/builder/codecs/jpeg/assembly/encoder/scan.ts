/**
 * Codes one scan of a progressive file from tokens: the DC coefficients of a component (ITU T.81 G.1.2.1), or a band of
 * its AC coefficients (G.1.2.2). A call codes until its output is nearly full; the next call continues. The symbols of a
 * scan can be counted without coding it.
 */
import { MOST_END_RUN, addOne } from "./band";
import { putValue, sizeOf, writePosition, writeTo } from "./bit-writer";
import { Component } from "./component";
import { readToken, tokenRun, tokenValue } from "./tokens";

/** Upper bound of what one block writes: 63 codes and values of 27 bits and the end of a run, all stuffed. */
const MOST_BLOCK_BYTES: usize = 512;

/** Most blocks per call. A scan reads many tokens for the few that it codes, so bytes written do not bound the work. */
const BLOCKS_PER_CALL: i32 = 16384;

let component: Component = changetype<Component>(0);
/** First and last coefficient; both are 0 for the DC coefficients. */
let from = 0;
let to = 0;
let row = 0;
let column = 0;
let read: usize = 0;
let lastDc = 0;
let endRun = 0;

/** Where symbols are counted. 0 while they are coded. */
let counts: usize = 0;
/** Whether the whole scan is counted or coded, up to the bits that `flushBits` writes. */
let isDone = false;

/** Begins a scan. */
export function beginScan(next: Component, first: i32, last: i32): void {
  component = next;
  from = first;
  to = last;
  row = 0;
  column = 0;
  lastDc = 0;
  endRun = 0;
  isDone = false;
}

export function isScanDone(): boolean {
  return isDone;
}

/**
 * Counts the symbols of the next blocks.
 * @param to counts (u32) of 256 symbols
 * @returns false when all are counted
 */
export function countScan(to: usize): boolean {
  counts = to;
  takeBlocks(0, usize.MAX_VALUE);
  counts = 0;
  return !isDone;
}

/**
 * Codes the next blocks.
 * @param codes the scan's Huffman table
 * @returns bytes written to `out`
 */
export function emitScan(codes: usize, out: usize, limit: usize): usize {
  writeTo(out);
  takeBlocks(codes, out + limit - MOST_BLOCK_BYTES);
  return writePosition() - out;
}

function takeBlocks(codes: usize, stop: usize): void {
  let blocks = BLOCKS_PER_CALL;
  for (; row < component.rowsDone; row++, column = 0) {
    if (column == 0) read = load<u32>(component.rowStarts + ((<usize>row) << 2));
    for (; column < component.blocksWide; column++) {
      if (writePosition() > stop || blocks-- == 0) return;
      if (to == 0) takeDc(codes);
      else takeBand(codes);
    }
  }
  takeEndRun(codes);
  isDone = true;
}

/** Counts or codes a symbol and the value after it. */
@inline
function takeSymbol(codes: usize, symbol: i32, value: i32, size: i32): void {
  if (counts) addOne(counts, symbol);
  else putValue(codes, symbol, value, size);
}

function takeDc(codes: usize): void {
  const dc = <i32>load<i16>(read);
  read += 2;
  const difference = dc - lastDc;
  lastDc = dc;
  const size = sizeOf(difference);
  takeSymbol(codes, size, difference, size);
  let k = 0;
  while (k < 63) {
    if (load<u8>(read) == 0) {
      read++;
      return;
    }
    read = readToken(read);
    k += tokenRun + 1;
  }
}

function takeBand(codes: usize): void {
  read += 2;
  let k = 0;
  let last = from - 1;
  while (k < 63) {
    if (load<u8>(read) == 0) {
      read++;
      break;
    }
    read = readToken(read);
    k += tokenRun + 1;
    if (k < from || k > to || tokenValue == 0) continue;
    takeEndRun(codes);
    let run = k - last - 1;
    last = k;
    for (; run > 15; run -= 16) takeSymbol(codes, 0xf0, 0, 0);
    const size = sizeOf(tokenValue);
    takeSymbol(codes, (run << 4) | size, tokenValue, size);
  }
  if (last < to && ++endRun == MOST_END_RUN) takeEndRun(codes);
}

/** Counts or codes the length of the present run of blocks that end, and ends it. */
function takeEndRun(codes: usize): void {
  if (endRun == 0) return;
  const size = sizeOf(endRun) - 1;
  takeSymbol(codes, size << 4, endRun & ((1 << size) - 1), size);
  endRun = 0;
}
