/** Deflates bytes to a zlib stream (RFC 1950, RFC 1951), in pieces. */
import { updateAdler } from "../adler";
import { align, out, put, writeTo } from "./deflate-bits";
import { addPiece, choosePiece, joinsBlock, layOutBlock, writeBlock } from "./deflate-block";
import {
  addressOf,
  advance,
  at,
  fill,
  findMatches,
  hasPiece,
  isBufferFull,
  layOutMatches,
  slide,
  untilOf,
} from "./deflate-matches";
import { layOutPath } from "./deflate-path";
import { pieceSymbols } from "./deflate-piece";
import { expectSymbols } from "./deflate-steps";

/** CMF and FLG: deflate with a window of 32 KB, "default algorithm" (RFC 1950, section 2.2). */
const ZLIB_HEADER: u64 = 0x9c78;

let adler: u32 = 1;
/** The place where the block begins; negative when its first bytes have been dropped. */
let blockStart: i32 = 0;
/** Whether symbols are chosen in one pass, not by the cheapest way. */
let isQuick = false;
let isFinished = false;
/** The next bytes of the input. */
let input: usize = 0;
let inputEnd: usize = 0;

/**
 * Allocates the memory of the deflater.
 * @param quick whether symbols are chosen in one pass
 * @returns false when the memory is at its end
 */
export function layOutDeflater(quick: boolean): boolean {
  isQuick = quick;
  return layOutMatches() && layOutPath() && layOutBlock();
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
    const isEnd = isLast && input == inputEnd;
    if ((isEnd || isBufferFull()) && hasPiece(isEnd)) {
      codePiece(isEnd);
    } else if (input < inputEnd) {
      if (isBufferFull()) blockStart -= slide();
      input += fill(input, inputEnd - input);
    } else if (isLast) {
      break;
    } else return false;
  }
  finish();
  return out >= limit;
}

/** Codes bytes that are ready. The bytes collected before become a block, unless they suit its codes. */
function codePiece(isEnd: boolean): void {
  const length = isQuick ? untilOf(isEnd) - at : findMatches(isEnd);
  choosePiece(length, isQuick);
  expectSymbols(pieceSymbols, length);
  if (!joinsBlock()) endBlock(false);
  advance(addPiece(length));
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
