/** The second pass over alpha: codes tokens as the data of a VP8L image (RFC 9649, 3.6.2). */
import { allocate } from "../../../../pixels/assembly/shared/arena";
import { LENGTHS, PLACES } from "./alpha-costs";
import { LENGTH_SHIFT, MATCH, PLACE_MASK } from "./alpha-path";
import { prefixExtraBits, prefixSymbol } from "./alpha-places";
import { alphaTokens, clearAlphaTokens, nextAlphaToken } from "./alpha-tokens";

const MOST_GROUPS: usize = 12;
const MOST_TILES: usize = 1024;
const GROUP_BYTES: usize = 320 * 8;
/** The code of each symbol of each group, its first bit lowest (u32), and its length (u32). The caller writes them. */
export let alphaCodes: usize = 0;
/** The group of each tile (u8). The caller writes them. */
export let alphaGroups: usize = 0;
/** Most bytes that an iteration writes: two codes of 15 bits, 27 extra bits, and pending bits. */
const MOST_BYTES: usize = 8;

let bits: u64 = 0;
let bitCount: u64 = 0;
let read: usize = 0;
let write: usize = 0;
let width = 0;
let tileBits = 0;
let tilesAcross = 0;
/** Where the next token begins. */
let x = 0;
let y = 0;
/** The codes of its tile. */
let codes: usize = 0;

/** @returns false when the memory is at its end */
export function layOutAlphaEmit(pictureWidth: i32): boolean {
  width = pictureWidth;
  alphaCodes = allocate(MOST_GROUPS * GROUP_BYTES);
  alphaGroups = allocate(MOST_TILES);
  return alphaCodes && alphaGroups ? true : false;
}

/** Begins in the middle of a byte, after the last `count` bits of the description of the codes. */
export function startAlpha(pending: u32, count: i32, bitsOfTile: i32): void {
  tileBits = bitsOfTile;
  tilesAcross = (width + (1 << tileBits) - 1) >> tileBits;
  bits = pending;
  bitCount = count;
  read = alphaTokens;
}

@inline
function put(value: u32, count: u32): void {
  bits |= (<u64>value) << bitCount;
  bitCount += count;
}

function putSymbol(symbol: i32): void {
  const code = codes + ((<usize>symbol) << 3);
  put(load<u32>(code), load<u32>(code, 4));
}

/** Writes a number as a prefix symbol, counted from `symbols`, and its extra bits (3.6.2.2). */
function putNumber(value: i32, symbols: i32): void {
  const symbol = prefixSymbol(value);
  putSymbol(symbols + symbol);
  const extra = prefixExtraBits(symbol);
  put(value & ((1 << extra) - 1), extra);
}

function putToken(token: u32): void {
  const group = load<u8>(alphaGroups + <usize>((y >> tileBits) * tilesAcross + (x >> tileBits)));
  codes = alphaCodes + <usize>group * GROUP_BYTES;
  if (!(token & MATCH)) {
    putSymbol(token);
    advance(1);
    return;
  }
  const length = <i32>((token ^ MATCH) >> LENGTH_SHIFT);
  putNumber(length, LENGTHS);
  putNumber(<i32>(token & PLACE_MASK), PLACES);
  advance(length + 1);
}

function advance(pixels: i32): void {
  x += pixels;
  while (x >= width) {
    x -= width;
    y++;
  }
}

/** Codes the next tokens. @returns bytes written; 0 when all are coded and their room is free again */
export function emitAlphaTokens(output: usize, end: usize): i32 {
  if (read == nextAlphaToken) {
    clearAlphaTokens();
    read = alphaTokens;
    return 0;
  }
  write = output;
  while (read < nextAlphaToken && write + MOST_BYTES <= end) {
    putToken(load<u32>(read));
    read += 4;
    while (bitCount >= 8) {
      store<u8>(write++, <u8>bits);
      bits >>= 8;
      bitCount -= 8;
    }
  }
  return <i32>(write - output);
}

/** Writes the bits of the last, incomplete byte. @returns bytes written */
export function flushAlpha(output: usize): i32 {
  if (bitCount == 0) return 0;
  store<u8>(output, <u8>bits);
  return 1;
}
