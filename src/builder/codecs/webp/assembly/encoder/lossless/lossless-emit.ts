/** The second pass over a picture that is coded without loss: writes its tokens (RFC 9649, 3.6.2). */
import { ALL_SYMBOLS, ALPHA, BLUE, CACHED, RED } from "../symbols/symbol-costs";
import { MATCH } from "../symbols/path";
import { colourTokens, IN_CACHE, nextColourToken } from "./lossless-tokens";
import { codedWidth } from "./lossless-transform";
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

const TOKEN_BYTES: usize = 8;
let read: usize = 0;

/** Begins in the middle of a byte, after the last `count` bits of the description of the codes. */
export function startColours(pending: u32, count: i32, tileBits: i32): void {
  startSymbols(codedWidth, ALL_SYMBOLS, pending, count, tileBits);
  read = colourTokens;
}

/** Writes the next tokens. @returns bytes written; 0 when all are */
export function emitColourTokens(output: usize, end: usize): i32 {
  writeAt(output);
  while (read < nextColourToken && writePosition() + MOST_TOKEN_BYTES <= end) {
    putToken(load<u32>(read), load<u32>(read, 4));
    read += TOKEN_BYTES;
  }
  return <i32>(writePosition() - output);
}

function putToken(value: u32, kind: u32): void {
  takeCodes();
  if (kind & MATCH) putMatch(kind);
  else {
    if (kind == IN_CACHE) putSymbol(CACHED + <i32>value);
    else putPixel(value);
    advance(1);
  }
  putBytes();
}

function putPixel(pixel: u32): void {
  putSymbol((pixel >> 8) & 255);
  putSymbol(RED + ((pixel >> 16) & 255));
  putBytes();
  putSymbol(BLUE + (pixel & 255));
  putSymbol(ALPHA + (pixel >> 24));
}
