/** The second pass over alpha: codes tokens as the data of a VP8L image (RFC 9649, 3.6.2). */
import {
  alphaTokens,
  clearAlphaTokens,
  LENGTH_MASK,
  LITERALS,
  MATCH,
  nextAlphaToken,
  PLACE_SHIFT,
  PLACES,
  prefixSymbol,
} from "./alpha-tokens";

/** The code of each symbol, its first bit lowest (u32), and its length (u32). The caller writes them. */
export const alphaCodes = memory.data(287 * 8);
/** Most bytes that an iteration writes: two codes of 15 bits, 12 extra bits, and pending bits. */
const MOST_BYTES: usize = 8;

let bits: u64 = 0;
let bitCount: u64 = 0;
let read: usize = 0;
let write: usize = 0;

/** Begins in the middle of a byte, after the last `count` bits of the description of the codes. */
export function startAlpha(pending: u32, count: i32): void {
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
  const code = alphaCodes + ((<usize>symbol) << 3);
  put(load<u32>(code), load<u32>(code, 4));
}

/** Writes a number as a prefix symbol, counted from `symbols`, and its extra bits (3.6.2.2). */
function putNumber(value: i32, symbols: i32): void {
  const symbol = prefixSymbol(value);
  putSymbol(symbols + symbol);
  const extra = symbol < 4 ? 0 : (symbol - 2) >> 1;
  put(value & ((1 << extra) - 1), extra);
}

function putToken(token: i32): void {
  if (!(token & MATCH)) return putSymbol(token);
  putNumber(token & LENGTH_MASK, LITERALS);
  putNumber((token >> PLACE_SHIFT) & 15, PLACES);
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
    putToken(load<u16>(read));
    read += 2;
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
