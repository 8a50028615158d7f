/** Deflates bytes to a zlib stream (RFC 1950, RFC 1951), in pieces. */
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

/** CMF and FLG: deflate with a window of 32 KB, "default algorithm" (RFC 1950, section 2.2). */
const ZLIB_HEADER: u64 = 0x9c78;

/**
 * A match must save this many bits. One that saves fewer is not worth it, because it makes the codes of other symbols
 * longer. This makes photographs 5 % smaller.
 */
const LEAST_SAVED_BITS: i32 = 5;
/** Most steps along a chain. There are fewer after places without a useful match, because noise never has one. */
const MOST_STEPS: i32 = 128;
const LEAST_STEPS: i32 = 4;
const FEWER_STEPS: i32 = 2;

let adler: u32 = 1;
/** The place where the block begins; negative when its first bytes have been dropped. */
let blockStart: i32 = 0;
let isFinished = false;
/** The next bytes of the input. */
let input: usize = 0;
let inputEnd: usize = 0;

/** Allocates the memory of the deflater. @returns false when the memory is at its end */
export function layOutDeflater(): boolean {
  return layOutMatches() && layOutBlock();
}

/** Begins a stream that is written at `address`. */
export function startDeflating(address: usize): void {
  writeTo(address);
  put(ZLIB_HEADER, 16);
}

/** Sets the next input, which must stay in place until `deflate` has taken it. */
export function setDeflaterInput(from: usize, length: usize): void {
  input = from;
  inputEnd = from + length;
  adler = updateAdler(adler, from, length);
}

/**
 * Codes the input until the output has reached `limit`, which it may pass by one block.
 * @param isLast whether no input follows
 * @returns true when the output has reached `limit`; false when all input was taken and, after the last, the stream is
 *   complete
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

/** Codes the bytes that are ready, up to the end of the block. */
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
/** Whether a match at `at` was already found when the byte before it was coded. */
let isFound = false;

/** Codes a match; or a single byte, if no match saves enough, or a match at the next byte saves more. */
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

/** Bits that the match found at `place` saves. A long one is always taken. */
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
