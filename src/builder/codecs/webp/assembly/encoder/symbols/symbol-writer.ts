/** Writes the symbols of a VP8L image (RFC 9649, 3.6.2), each by the code that the group of its tile has. */
import { allocate } from "../../../../../pixels/assembly/shared/arena";
import { ALL_SYMBOLS, LENGTHS, PLACES, SYMBOLS } from "./symbol-costs";
import { LENGTH_SHIFT, MATCH, PLACE_MASK } from "./path";
import { prefixExtraBits, prefixSymbol } from "./places";

const MOST_GROUPS: usize = 12;
const MOST_TILES: usize = 1024;
/** The code of each symbol of each group, its first bit lowest (u32), and its length (u32). The caller writes them. */
export let groupCodes: usize = 0;
/** The group of each tile (u8). The caller writes them. */
export let tileGroups: usize = 0;
/** Most bytes that a token takes: six codes of 15 bits, 27 extra bits, and pending bits. */
export const MOST_TOKEN_BYTES: usize = 16;

let bits: u64 = 0;
let bitCount: u64 = 0;
let write: usize = 0;
let width = 0;
let groupBytes: usize = 0;
let tileBits = 0;
let tilesAcross = 0;
/** Where the next token begins. */
let x = 0;
let y = 0;
/** The codes of its tile. */
let codes: usize = 0;

/** @param inColour whether pixels have other samples than green. @returns false when the memory is at its end */
export function layOutCodes(inColour: boolean): boolean {
  groupCodes = allocate(MOST_GROUPS * 8 * <usize>(inColour ? ALL_SYMBOLS : SYMBOLS));
  tileGroups = allocate(MOST_TILES);
  return groupCodes && tileGroups ? true : false;
}

/** Begins an image in the middle of a byte, after the last `count` bits of the description of the codes. */
export function startSymbols(pixelsWide: i32, symbols: i32, pending: u32, count: i32, bitsOfTile: i32): void {
  width = pixelsWide;
  groupBytes = 8 * <usize>symbols;
  tileBits = bitsOfTile;
  tilesAcross = (width + (1 << tileBits) - 1) >> tileBits;
  bits = pending;
  bitCount = count;
  x = 0;
  y = 0;
}

export function writeAt(output: usize): void {
  write = output;
}

export function writePosition(): usize {
  return write;
}

/** Takes the codes of the tile in which the next token begins. */
@inline
export function takeCodes(): void {
  const group = load<u8>(tileGroups + <usize>((y >> tileBits) * tilesAcross + (x >> tileBits)));
  codes = groupCodes + <usize>group * groupBytes;
}

@inline
function put(value: u32, count: u32): void {
  bits |= (<u64>value) << bitCount;
  bitCount += count;
}

/** Writes the whole bytes. At most 32 bits may be put between two calls. */
@inline
export function putBytes(): void {
  while (bitCount >= 8) {
    store<u8>(write++, <u8>bits);
    bits >>= 8;
    bitCount -= 8;
  }
}

@inline
export function putSymbol(symbol: i32): void {
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

/** Writes a match. */
export function putMatch(token: u32): void {
  const length = <i32>((token ^ MATCH) >> LENGTH_SHIFT);
  putNumber(length, LENGTHS);
  putNumber(<i32>(token & PLACE_MASK), PLACES);
  advance(length + 1);
}

export function advance(pixels: i32): void {
  x += pixels;
  while (x >= width) {
    x -= width;
    y++;
  }
}

/** Writes the bits of the last, incomplete byte. @returns bytes written */
export function flushSymbols(output: usize): i32 {
  if (bitCount == 0) return 0;
  store<u8>(output, <u8>bits);
  return 1;
}
