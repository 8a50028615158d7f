/**
 * The first pass over alpha. The horizontal filter of an ALPH chunk (RFC 9649, 2.7.1.2) is applied, and its output
 * becomes literals and matches of a VP8L image (3.6.2.2), whose symbols are counted. A match begins at one of the
 * twelve nearest pixels, at most two rows above, because that is where edges and slopes repeat. It stays within its
 * row.
 *
 * A token has 16 bits: a literal, or MATCH, the number of its place (4 bits) and its length minus one (11 bits).
 */
import { allocate } from "../../../../pixels/assembly/shared/arena";

export const MATCH: i32 = 0x8000;
export const PLACE_SHIFT: i32 = 11;
export const LENGTH_MASK: i32 = 0x07ff;
const LONGEST: i32 = LENGTH_MASK + 1;
/** The shortest match. Shorter ones cost more than literals. */
const SHORTEST: i32 = 4;
/** The symbols are literals, then prefixes of lengths (3.6.2.2), then prefixes of places. */
export const LITERALS: i32 = 256;
export const PLACES: i32 = 280;

/** The places where a match may begin, the first twelve of 3.6.2.2, by their distance to the left and above. */
const PLACE_COUNT: i32 = 12;
const LEFT_BY = memory.data<i8>([0, 1, 1, -1, 0, 2, 1, -1, 2, -2, 2, -2]);
const ABOVE_BY = memory.data<i8>([1, 0, 1, 1, 2, 0, 2, 2, 1, 1, 2, 2]);

/** Counts (u32) of the symbols. */
export const alphaCounts = memory.data(287 * 4);
/** Whether every pixel so far is opaque. */
export let isOpaque = true;

let width = 0;
let rowIndex = 0;
/** The first sample of the row above. */
let firstAbove = 0;
/** The filtered values of the last three rows, in rotation. */
let rows: usize = 0;
export let alphaTokens: usize = 0;
let tokensEnd: usize = 0;
export let nextAlphaToken: usize = 0;

/**
 * @param tokenBytes room for tokens, at least two bytes per pixel of one row
 * @returns false when the memory is at its end
 */
export function layOutAlpha(pictureWidth: i32, tokenBytes: i32): boolean {
  width = pictureWidth;
  rows = allocate(3 * <u64>width);
  alphaTokens = allocate(tokenBytes);
  tokensEnd = alphaTokens + tokenBytes;
  nextAlphaToken = alphaTokens;
  return rows && alphaTokens ? true : false;
}

/** Whether the tokens of another row may not fit their room. */
export function isAlphaFull(): boolean {
  return nextAlphaToken + 2 * <usize>width > tokensEnd;
}

/** Forgets all tokens, so that their room can be used again. */
export function clearAlphaTokens(): void {
  nextAlphaToken = alphaTokens;
}

/** The prefix symbol of a length or place (3.6.2.2). `value` is the length or place minus one. */
export function prefixSymbol(value: i32): i32 {
  if (value < 4) return value;
  const highest = 31 - <i32>clz(value);
  return 2 * highest + ((value >> (highest - 1)) & 1);
}

function count(symbol: i32): void {
  const at = alphaCounts + ((<usize>symbol) << 2);
  store<u32>(at, load<u32>(at) + 1);
}

function put(token: i32): void {
  store<u16>(nextAlphaToken, <u16>token);
  nextAlphaToken += 2;
}

function rowAt(index: i32): usize {
  return rows + <usize>(index % 3) * <usize>width;
}

/** Takes the alpha of one row of pixels. */
export function takeAlpha(row: usize, channels: usize): void {
  filter(row + channels - 1, channels);
  const rest = rowAt(rowIndex);
  let x = 0;
  while (x < width) {
    const match = longestMatch(rest, x);
    const length = match & 0xffff;
    if (length >= SHORTEST) {
      const place = match >> 16;
      put(MATCH | (place << PLACE_SHIFT) | (length - 1));
      count(LITERALS + prefixSymbol(length - 1));
      count(PLACES + prefixSymbol(place));
      x += length;
    } else {
      const literal = <i32>load<u8>(rest + x++);
      put(literal);
      count(literal);
    }
  }
  rowIndex++;
}

/** The longest match, the nearest one among equals. @returns its place, and its length in the lower 16 bits */
function longestMatch(rest: usize, x: i32): i32 {
  let longest = 0;
  let best = 0;
  for (let place = 0; place < PLACE_COUNT; place++) {
    const up: i32 = load<i8>(ABOVE_BY + place);
    const from = x - <i32>load<i8>(LEFT_BY + place);
    if (up > rowIndex || from < 0) continue;
    const most = min(LONGEST, width - max(x, from));
    const length = sameBytes(rest + x, rowAt(rowIndex - up) + from, most);
    if (length <= longest) continue;
    longest = length;
    best = place;
    if (length == LONGEST) break;
  }
  return (best << 16) | longest;
}

/** The number of bytes that are equal at two places. */
function sameBytes(a: usize, b: usize, most: i32): i32 {
  let count = 0;
  while (count < most && load<u8>(a + count) == load<u8>(b + count)) count++;
  return count;
}

/** Stores differences to the sample on the left, in the first column to the one above. */
function filter(alpha: usize, channels: usize): void {
  const rest = rowAt(rowIndex);
  let left = firstAbove;
  let all = 255;
  firstAbove = load<u8>(alpha);
  for (let x = 0; x < width; x++) {
    const sample = <i32>load<u8>(alpha);
    store<u8>(rest + x, <u8>(sample - left));
    all &= sample;
    left = sample;
    alpha += channels;
  }
  if (all != 255) isOpaque = false;
}
