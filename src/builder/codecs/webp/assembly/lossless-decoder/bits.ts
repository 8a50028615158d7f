/**
 * The compressed data on their way into the decoder, and the reader of their bits (RFC 9649, 3.1). The first bit of a
 * byte is its lowest. Data arrive piece by piece; bytes that are not read yet are moved to the front of the buffer
 * first.
 */
import { allocate } from "../../../../pixels/assembly/shared/arena";

/** The most that is held of the data. The longest prefix code, the longest part that is read at once, has 5 KB. */
const CAPACITY: usize = 65536;
/** Zeros that are read past the end before the reader stops. */
const PADDING: usize = 64;
/** One symbol with what belongs to it has at most 60 bits, and a reader loads up to 23 bytes for it. */
const SYMBOL_BYTES: usize = 24;
/** Past the end, the reader stops at the first symbol that begins so far behind it. */
const PAST_END_BYTES: usize = 8;
/** libwebp loads 8 bytes first, and takes those that a shorter stream lacks for zeros. Browsers show such files. */
const FEWEST_BYTES: usize = 8;

/** Bits that are loaded and not used yet, the next one lowest, and how many of them are valid. */
export let bits: u64 = 0;
export let count: u32 = 0;
/** The next byte to load, and the last place of it at which a symbol may be read. */
export let at: usize = 0;
export let limit: usize = 0;

let start: usize = 0;
let end: usize = 0;
let taken: usize = 0;
let isEnded = false;
/** Whether `readBits` was called where no symbol may be read. */
export let isStarved = false;

let keptBits: u64 = 0;
let keptCount: u32 = 0;
let keptAt: usize = 0;

/** Allocates the buffer. @returns false when the memory is at its end */
export function layOutInput(): boolean {
  start = allocate(<u64>(CAPACITY + PADDING));
  at = start;
  end = start;
  setLimit();
  return start ? true : false;
}

function setLimit(): void {
  limit = isEnded ? end + PAST_END_BYTES : end - SYMBOL_BYTES;
}

/** Moves what is not read yet to the front. @returns the address of the free part of the buffer */
export function makeRoom(): usize {
  const back = at - start;
  memory.copy(start, at, end - at);
  at -= back;
  end -= back;
  setLimit();
  return end;
}

/** Returns the bytes that may be written at the address that `makeRoom` returned. */
export function roomBytes(): usize {
  return start + CAPACITY - end;
}

/** Takes in what was written there. */
export function addInput(bytes: usize): void {
  end += bytes;
  taken += bytes;
  setLimit();
}

/** Notes that no more data follow. */
export function endInput(): void {
  if (isEnded) return;
  isEnded = true;
  memory.fill(end, 0, PADDING);
  if (taken < FEWEST_BYTES) end += FEWEST_BYTES - taken;
  setLimit();
}

export function isInputEnded(): boolean {
  return isEnded;
}

/** Returns whether more bits were used than there are. */
export function isOverrun(): boolean {
  return isEnded && ((<u64>at) << 3) - count > (<u64>end) << 3;
}

/** Stores the place of the reader, for a step that may lack data before its end. */
export function keepPlace(): void {
  keptBits = bits;
  keptCount = count;
  keptAt = at;
  isStarved = false;
}

/** Brings the reader back to the place that `keepPlace` stored. */
export function returnToPlace(): void {
  bits = keptBits;
  count = keptCount;
  at = keptAt;
}

/** Sets the reader to a place that a loop with the reader in local variables has come to. */
export function moveReader(toBits: u64, toCount: u32, toAt: usize): void {
  bits = toBits;
  count = toCount;
  at = toAt;
}

/** Loads bits, so that at least 56 are valid. Those above `count` are already the ones that follow. */
@inline
function refill(): void {
  bits |= load<u64>(at) << count;
  at += (63 - count) >> 3;
  count |= 56;
}

/** Reads an unsigned number of up to 24 bits; 0 where no symbol may be read. */
export function readBits(length: u32): u32 {
  const value = (<u32>peekBits()) & ((1 << length) - 1);
  dropBits(length);
  return value;
}

/** Returns at least 56 bits, the next one lowest. They are zeros where no symbol may be read. */
export function peekBits(): u64 {
  if (at > limit) {
    isStarved = true;
    bits = 0;
    count = 63;
  } else refill();
  return bits;
}

export function dropBits(length: u32): void {
  bits >>= length;
  count -= length;
}
