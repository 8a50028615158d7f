/** Deflate in a zlib stream (RFC 1950, RFC 1951), bytes in and bytes out as they come. */
import { updateAdler } from "./adler";
import { align, out, put, writeTo } from "./deflate-bits";
import { addLiteral, addMatch, isBlockFull, layOutBlock, savedBits, writeBlock } from "./deflate-block";
import {
  addressOf,
  advance,
  at,
  bytesAhead,
  enter,
  fill,
  findMatch,
  GOOD_LENGTH,
  hasEnough,
  layOutMatches,
  makeRoom,
  matchDistance,
  matchLength,
} from "./deflate-matches";

/** Deflate with a window of 32 KB, and "default algorithm" (RFC 1950, section 2.2). */
const ZLIB_HEADER: u64 = 0x9c78;

/** A match must save as much: one that saves less makes the codes of all others longer. On photographs 5 % of the file. */
const LEAST_SAVED_BITS: i32 = 5;
/** Steps along a chain: the fewer, the longer no match was worth it. Noise would have many in vain. */
const MOST_STEPS: i32 = 128;
const LEAST_STEPS: i32 = 4;
const FEWER_STEPS: i32 = 2;

let adler: u32 = 1;
/** Where the block begins; below 0 when that has slid away. */
let blockStart: i32 = 0;
let isFinished = false;
/** The bytes that are to be taken next. */
let input: usize = 0;
let inputEnd: usize = 0;

/** @returns false when the memory is at its end */
export function layOutDeflater(): boolean {
  return layOutMatches() && layOutBlock();
}

/** Begins the stream at `address`. */
export function startDeflating(address: usize): void {
  writeTo(address);
  put(ZLIB_HEADER, 16);
}

/** Gives the next bytes, which stay where they are until `deflate` has taken them. */
export function setDeflaterInput(from: usize, length: usize): void {
  input = from;
  inputEnd = from + length;
  adler = updateAdler(adler, from, length);
}

/**
 * Codes the input until the output has reached `limit`, which it may pass by a block.
 * @param isLast no input follows this one
 * @returns true when the output has reached `limit`; false when all input was taken, and for the last the stream is whole
 */
export function deflate(limit: usize, isLast: boolean): boolean {
  for (;;) {
    if (out >= limit) return true;
    if (!hasEnough()) {
      if (input < inputEnd) {
        blockStart -= makeRoom();
        input += fill(input, inputEnd - input);
      } else if (!isLast) return false;
      else if (bytesAhead() == 0) break;
    }
    codeBlock(isLast && input == inputEnd);
  }
  finish();
  return out >= limit;
}

/** Codes what is ahead, to the end of the block at most. */
function codeBlock(isLast: boolean): void {
  while (hasEnough() || (isLast && bytesAhead() > 0)) {
    codeNext();
    if (isBlockFull()) {
      endBlock(false);
      return;
    }
  }
}

function endBlock(isLast: boolean): void {
  writeBlock(addressOf(blockStart), blockStart < 0 ? -1 : at - blockStart, isLast);
  blockStart = at;
}

function finish(): void {
  if (isFinished) return;
  isFinished = true;
  endBlock(true);
  align();
  put(<u64>bswap(adler), 32);
}

let steps = MOST_STEPS;
/** A match at `at` was found when the byte before it was coded. */
let isFound = false;

/** Codes a match, or the byte ahead: when there is none that saves enough, or the next byte has one that saves more. */
function codeNext(): void {
  enter(at);
  if (isFound || findMatch(at, 0, steps)) {
    isFound = false;
    const length = matchLength;
    const distance = matchDistance;
    const saved = savedBy(at);
    if (saved >= LEAST_SAVED_BITS && !isNextBetter(length, saved)) {
      steps = min(2 * steps, MOST_STEPS);
      addMatch(length, distance);
      advance(length);
      return;
    }
  }
  steps = max(steps - FEWER_STEPS, LEAST_STEPS);
  addLiteral(load<u8>(addressOf(at)));
  advance(1);
}

/** Bits that the match found for `place` saves; of a long one there is no question. */
@inline
function savedBy(place: i32): i32 {
  return matchLength >= GOOD_LENGTH ? i32.MAX_VALUE : savedBits(addressOf(place), matchLength, matchDistance);
}

function isNextBetter(length: i32, saved: i32): boolean {
  if (length >= GOOD_LENGTH) return false;
  enter(at + 1);
  isFound = findMatch(at + 1, length - 1, steps) && savedBy(at + 1) > saved;
  return isFound;
}
