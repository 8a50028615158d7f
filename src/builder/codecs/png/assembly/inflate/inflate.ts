/**
 * Inflates a zlib stream (RFC 1950 and 1951) that arrives in pieces. It refuses what zlib refuses.
 *
 * It can stop between two symbols and continue later. A part that needs several bytes at once (the header of a block,
 * a symbol) is begun when all of them have arrived, or when the input has ended. Bits after the end are zero, and it
 * is an error to have used one.
 */
import { allocate } from "../../../../pixels/assembly/shared/arena";
import {
  align,
  allocateInput,
  at,
  copyBits,
  dropInput,
  end,
  has,
  isLast,
  isOverdrawn,
  keepBits,
  resumeBits,
  startInput,
  take,
  takeBytes,
} from "./inflate-bits";
import { keepCodes, LONGEST_HEADER, readBlockCodes, resumeCodes, setFixedCodes } from "./inflate-codes";
import { prepareCopies } from "./inflate-match";
import { AT_BLOCK_END, BROKEN, decodeSymbols, out, setOut } from "./inflate-symbols";
import { isNextChecksum, readStoredLength, readStreamHeader } from "./inflate-headers";
import {
  adler,
  buffer,
  copyWindow,
  keepWindow,
  limit,
  moveWindow,
  resumeWindow,
  setCapacity,
  startWindow,
  unreadBytes,
  updateChecksum,
} from "./inflate-window";
import { Inflater, layOutSlots, slotOf } from "./inflater";

export { inflatedAddress, readInflated } from "./inflate-window";

/** The parts with which the stream can continue. */
const HEADER = 0;
const BLOCK = 1;
const STORED = 2;
const SYMBOLS = 3;
const CHECKSUM = 4;
const DONE = 5;
const FAILED = 6;
let state = HEADER;

let isFinalBlock = false;
/** Blocks with codes of their own that were begun since `takeCodesRead`. */
let codesRead: u32 = 0;
/** Bytes of a stored block that are not copied yet. */
let storedLeft: usize = 0;

/** Index of the active inflater. */
let current = 0;

/**
 * Allocates inflaters. The last one is active.
 * @param mostWanted the most bytes that `inflate` is ever asked for
 * @returns false when the memory is at its end
 */
export function layOutInflaters(count: i32, mostWanted: u64): boolean {
  const bytes = setCapacity(mostWanted);
  if (!layOutSlots(count)) return false;
  for (let n = 0; n < count; n++) {
    const slot = slotOf(n);
    slot.buffer = allocate(bytes);
    slot.input = allocateInput();
    if (!slot.buffer || !slot.input) return false;
  }
  prepareCopies();
  current = count - 1;
  const last = slotOf(current);
  startInput(last.input);
  startWindow(last.buffer);
  return true;
}

/** Makes inflater `index` a copy of the active one: when it is chosen, it continues from here. */
export function forkInflater(index: i32): void {
  const slot = slotOf(index);
  copyWindow(slot);
  keepStream(slot);
  copyBits(slot);
  keepCodes(slot);
}

/** Makes inflater `index` the active one. It continues where it stopped. */
export function chooseInflater(index: i32): void {
  if (index == current) return;
  const before = slotOf(current);
  keepStream(before);
  keepWindow(before);
  keepBits(before);
  keepCodes(before);
  current = index;
  const next = slotOf(index);
  resumeStream(next);
  resumeWindow(next);
  resumeBits(next);
  resumeCodes(next);
}

function keepStream(slot: Inflater): void {
  slot.isFinalBlock = isFinalBlock;
  slot.state = state;
  slot.storedLeft = storedLeft;
}

function resumeStream(slot: Inflater): void {
  isFinalBlock = slot.isFinalBlock;
  state = slot.state;
  storedLeft = slot.storedLeft;
}

/** Returns how many codes were read since the last call. The tables of each are work, however short its block is. */
export function takeCodesRead(): u32 {
  const count = codesRead;
  codesRead = 0;
  return count;
}

/** Returns whether the stream is at its end and its checksum was right. */
export function isInflated(): boolean {
  return state == DONE;
}

/**
 * Inflates until `wanted` bytes can be read, the input is used up or the stream is at its end.
 * @returns the number of bytes that can be read, or -1 when the stream is corrupt
 */
export function inflate(wanted: usize): i32 {
  while (unreadBytes() < wanted) {
    if (out >= limit) moveWindow();
    run();
    updateChecksum();
    if (state == CHECKSUM) readChecksum();
    if (out < limit) break;
  }
  return state == FAILED ? -1 : <i32>unreadBytes();
}

function run(): void {
  while (out < limit) {
    if (state == SYMBOLS) {
      const stop = decodeSymbols(buffer, limit);
      if (stop == BROKEN) state = FAILED;
      else if (stop == AT_BLOCK_END) endBlock();
      else return;
    } else if (state == STORED) {
      if (!copyStored()) return;
    } else if (state == BLOCK) {
      if (!has(LONGEST_HEADER)) return;
      state = readBlockHeader();
    } else if (state == HEADER) {
      if (!has(2)) return;
      state = readStreamHeader() ? BLOCK : FAILED;
    } else return;
  }
}

function readBlockHeader(): i32 {
  isFinalBlock = take(1) != 0;
  const type = take(2);
  if (type == 2) {
    codesRead++;
    return readBlockCodes() && !isOverdrawn() ? SYMBOLS : FAILED;
  }
  if (isOverdrawn() || type == 3) return FAILED;
  if (type == 1) {
    setFixedCodes();
    return SYMBOLS;
  }
  const length = readStoredLength();
  if (length < 0) return FAILED;
  storedLeft = length;
  return STORED;
}

/** Copies bytes of a stored block. @returns false when it needs more input or more room */
function copyStored(): boolean {
  const bytes = min<usize>(storedLeft, min<usize>(end - at, limit - out));
  takeBytes(out, bytes);
  setOut(out + bytes);
  storedLeft -= bytes;
  if (storedLeft == 0) {
    endBlock();
    return true;
  }
  if (isLast && at == end) state = FAILED;
  return false;
}

function endBlock(): void {
  state = isFinalBlock ? CHECKSUM : BLOCK;
}

function readChecksum(): void {
  align();
  if (!has(4)) return;
  state = isNextChecksum(adler) ? DONE : FAILED;
  dropInput();
}
