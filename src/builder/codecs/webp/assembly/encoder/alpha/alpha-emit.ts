/** The second pass over alpha: codes tokens as the data of a VP8L image (RFC 9649, 3.6.2). */
import { SYMBOLS } from "../symbols/symbol-costs";
import { MATCH } from "../symbols/path";
import { alphaTokens, clearAlphaTokens, nextAlphaToken } from "./alpha-tokens";
import {
  advance,
  MOST_TOKEN_BYTES,
  putBytes,
  putMatch,
  putSymbol,
  startSymbols,
  takeCodes,
  writeAt,
  writePosition,
} from "../symbols/symbol-writer";

let width = 0;
let read: usize = 0;

export function layOutAlphaEmit(pictureWidth: i32): void {
  width = pictureWidth;
}

/** Begins in the middle of a byte, after the last `count` bits of the description of the codes. */
export function startAlpha(pending: u32, count: i32, tileBits: i32): void {
  startSymbols(width, SYMBOLS, pending, count, tileBits);
  read = alphaTokens;
}

/** Codes the next tokens. @returns bytes written; 0 when all are coded and their room is free again */
export function emitAlphaTokens(output: usize, end: usize): i32 {
  if (read == nextAlphaToken) {
    clearAlphaTokens();
    read = alphaTokens;
    return 0;
  }
  writeAt(output);
  while (read < nextAlphaToken && writePosition() + MOST_TOKEN_BYTES <= end) {
    const token = load<u32>(read);
    takeCodes();
    if (token & MATCH) putMatch(token);
    else {
      putSymbol(token);
      advance(1);
    }
    putBytes();
    read += 4;
  }
  return <i32>(writePosition() - output);
}
