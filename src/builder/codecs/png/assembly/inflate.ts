/**
 * Inflates a zlib stream (RFC 1950 and 1951) that comes in pieces, into a buffer that keeps its last 32 KB: what
 * is refused is what zlib refuses.
 *
 * It stops between two symbols and goes on later. What needs several bytes at once (the header of a block, a
 * symbol) is begun when they are all there, or when the input is at its end: bits beyond that are zero, and having
 * used one is an error.
 */
import { allocate } from "../../../pixels/assembly/shared/arena";
import { updateAdler } from "./adler";
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
import { COPY_SLACK, prepareCopies } from "./inflate-match";
import { AT_BLOCK_END, BROKEN, decodeSymbols, MOST_BEYOND, out, setOut } from "./inflate-symbols";
import { isNextChecksum, readStoredLength, readStreamHeader } from "./inflate-headers";
import { Inflater, layOutSlots, slotOf } from "./inflater";

/** How far back a distance reaches. */
const WINDOW_BYTES: usize = 32_768;
/** Bytes inflated at a time, beside what is wanted. */
const CHUNK_BYTES: usize = 32_768;
/** Room past the end of the output. */
const SLACK: usize = MOST_BEYOND + COPY_SLACK;

/** What comes next. */
const HEADER = 0;
const BLOCK = 1;
const STORED = 2;
const SYMBOLS = 3;
const CHECKSUM = 4;
const DONE = 5;
const FAILED = 6;
let state = HEADER;

let isFinalBlock = false;
/** Blocks with codes of their own that were begun. */
let codesRead: u32 = 0;
/** Bytes of a stored block that were not copied yet. */
let storedLeft: usize = 0;

let buffer: usize = 0;
let limit: usize = 0;
/** The next byte to be read, and the end of what is in `adler`. */
let readAt: usize = 0;
let checkedTo: usize = 0;
let adler: u32 = 1;

/** Bytes of an inflater's output that are inflated before the window moves. */
let capacity: usize = 0;
/** The inflater at work. */
let current = 0;

/**
 * Lays out one inflater, or several of which the last is at work.
 * @param mostWanted that `inflate` is ever asked for, if that is more than CHUNK_BYTES
 * @returns false when the memory is at its end
 */
export function layOutInflaters(count: i32, mostWanted: u64): boolean {
  const bytes = <u64>(WINDOW_BYTES + CHUNK_BYTES) + mostWanted;
  if (!layOutSlots(count)) return false;
  for (let n = 0; n < count; n++) {
    const slot = slotOf(n);
    slot.buffer = allocate(bytes + <u64>SLACK);
    slot.input = allocateInput();
    if (!slot.buffer || !slot.input) return false;
  }
  prepareCopies();
  capacity = <usize>bytes;
  current = count - 1;
  const last = slotOf(current);
  startInput(last.input);
  startOutput(last.buffer);
  return true;
}

function startOutput(address: usize): void {
  buffer = address;
  limit = address + capacity;
  readAt = address;
  checkedTo = address;
  setOut(address);
}

/** Makes inflater `index` a copy of the one at work: it goes on from here whenever it is chosen. */
export function forkInflater(index: i32): void {
  const slot = slotOf(index);
  const target = slot.buffer;
  const from = windowStart();
  memory.copy(target, from, out - from);
  keepStream(slot);
  slot.buffer = target;
  slot.readAt = target + (readAt - from);
  slot.out = target + (out - from);
  copyBits(slot);
  keepCodes(slot);
}

/** Sets inflater `index` to work, where it was left. */
export function chooseInflater(index: i32): void {
  if (index == current) return;
  const before = slotOf(current);
  keepStream(before);
  keepBits(before);
  keepCodes(before);
  current = index;
  const next = slotOf(index);
  resumeStream(next);
  resumeBits(next);
  resumeCodes(next);
}

function keepStream(slot: Inflater): void {
  slot.isFinalBlock = isFinalBlock;
  slot.state = state;
  slot.adler = adler;
  slot.storedLeft = storedLeft;
  slot.buffer = buffer;
  slot.readAt = readAt;
  slot.out = out;
}

function resumeStream(slot: Inflater): void {
  isFinalBlock = slot.isFinalBlock;
  state = slot.state;
  adler = slot.adler;
  storedLeft = slot.storedLeft;
  startOutput(slot.buffer);
  readAt = slot.readAt;
  setOut(slot.out);
  checkedTo = slot.out;
}

/** Where the bytes begin that were inflated and not yet read. */
export function inflatedAddress(): usize {
  return readAt;
}

/** Counts bytes as read. */
export function readInflated(bytes: usize): void {
  readAt += bytes;
}

/** How many codes were read since this was last asked: tables are made for each, whatever its block holds. */
export function takeCodesRead(): u32 {
  const count = codesRead;
  codesRead = 0;
  return count;
}

/** True when the stream came to its end and its checksum is right. */
export function isInflated(): boolean {
  return state == DONE;
}

/**
 * Inflates until `wanted` bytes can be read, the input is used up or the stream is at its end.
 * @returns how many can be read, or -1 when the stream is broken
 */
export function inflate(wanted: usize): i32 {
  while (out - readAt < wanted) {
    if (out >= limit) moveWindow();
    run();
    adler = updateAdler(adler, checkedTo, out - checkedTo);
    checkedTo = out;
    if (state == CHECKSUM) readChecksum();
    if (out < limit) break;
  }
  return state == FAILED ? -1 : <i32>(out - readAt);
}

/** The first byte that is still needed: of what was not read, and what distances may reach. */
function windowStart(): usize {
  return min<usize>(readAt, out - min<usize>(out - buffer, WINDOW_BYTES));
}

/** Makes room. */
function moveWindow(): void {
  const from = windowStart();
  const length = out - from;
  memory.copy(buffer, from, length);
  readAt -= from - buffer;
  setOut(buffer + length);
  checkedTo = out;
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

/** @returns false when there is no input, or no room */
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
