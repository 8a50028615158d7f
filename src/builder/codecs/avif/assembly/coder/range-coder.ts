/**
 * The range coder of a tile (AV1 specification section 8.2, seen from the other side). A byte that a carry may still
 * change is held back, with the run of 255s after it, so written bytes are final.
 */

/** Smallest share of the range that a symbol has, in 32768ths. */
const LEAST_SHARE: u32 = 4;

let low: u32 = 0;
let range: u32 = 0x8000;
/** Bits of `low` that are ready, minus the 16 that the coder needs. */
let ready: i32 = -9;
/** The byte that is held back; -1 before the first one. */
let held: i32 = -1;
let fulls: i32 = 0;
let output: usize = 0;

export function startCoder(): void {
  low = 0;
  range = 0x8000;
  ready = -9;
  held = -1;
  fulls = 0;
}

/** Bytes that `saveCoder` writes. */
export const CODER_BYTES: usize = 20;

/** Puts the coder aside, without its output. */
export function saveCoder(to: usize): void {
  store<u32>(to, low);
  store<u32>(to, range, 4);
  store<i32>(to, ready, 8);
  store<i32>(to, held, 12);
  store<i32>(to, fulls, 16);
}

export function restoreCoder(from: usize): void {
  low = load<u32>(from);
  range = load<u32>(from, 4);
  ready = load<i32>(from, 8);
  held = load<i32>(from, 12);
  fulls = load<i32>(from, 16);
}

/** Sets where the next bytes go. */
export function setOutput(at: usize): void {
  output = at;
}

/** Returns the address after the last byte written. */
export function outputPosition(): usize {
  return output;
}

/** Takes 8 bits of the code and the carry above them. */
function putByte(value: u32): void {
  const carry = value >> 8;
  const byte = <i32>(value & 0xff);
  if (held >= 0) {
    if (byte == 0xff && carry == 0) {
      fulls++;
      return;
    }
    store<u8>(output++, <u8>(held + carry));
    for (; fulls > 0; fulls--) store<u8>(output++, <u8>(0xff + carry));
  }
  held = byte;
}

/** Narrows the range to the part from `high` down to `least`, both as 32768 minus a cumulative probability. */
@inline
function narrow(high: u32, least: u32, symbolsLeft: u32): void {
  const part = range >> 8;
  const to = ((part * (least >> 6)) >> 1) + LEAST_SHARE * (symbolsLeft - 1);
  let next: u32;
  if (high < 32768) {
    const from = ((part * (high >> 6)) >> 1) + LEAST_SHARE * symbolsLeft;
    low += range - from;
    next = from - to;
  } else {
    next = range - to;
  }
  const shift = <i32>clz<u32>(next) - 16;
  let bits = ready + shift;
  if (bits >= 0) {
    let at = ready + 16;
    if (bits >= 8) {
      putByte(low >> at);
      low &= (1 << at) - 1;
      at -= 8;
    }
    putByte(low >> at);
    low &= (1 << at) - 1;
    bits = at + shift - 24;
  }
  low <<= shift;
  range = next << shift;
  ready = bits;
}

/** Codes `symbol` of `count`, and adapts the distribution to it. */
export function putSymbol(cdf: usize, symbol: i32, count: i32): void {
  const at = cdf + ((<usize>symbol) << 1);
  const high: u32 = symbol > 0 ? load<u16>(at - 2) : 32768;
  const least: u32 = symbol + 1 < count ? load<u16>(at) : 0;
  narrow(high, least, count - symbol);
  adapt(cdf, symbol, count);
}

/** Implements the adaptation of section 8.2.6. */
export function adapt(cdf: usize, symbol: i32, count: i32): void {
  const counter = cdf + ((<usize>count - 1) << 1);
  const seen = <i32>load<u16>(counter);
  const rate = 3 + i32(seen > 15) + i32(seen > 31) + min(31 - clz<i32>(count), 2);
  for (let i = 0; i < count - 1; i++) {
    const at = cdf + ((<usize>i) << 1);
    const value = <i32>load<u16>(at);
    store<u16>(at, i < symbol ? value + ((32768 - value) >> rate) : value - (value >> rate));
  }
  if (seen < 32) store<u16>(counter, seen + 1);
}

/** Codes the lowest `count` bits of `value`, each as likely to be 0 as 1. */
export function putBits(value: i32, count: i32): void {
  for (let bit = count - 1; bit >= 0; bit--) {
    if ((value >> bit) & 1) narrow(16384, 0, 1);
    else narrow(32768, 16384, 2);
  }
}

/** Codes `value`, at least 0, as an Exp-Golomb code: golomb_length_bit and golomb_data_bit (section 5.11.39). */
export function putGolomb(value: i32): void {
  const length = 31 - clz<i32>(value + 1);
  putBits(0, length);
  putBits(value + 1, length + 1);
}

/** Codes what ends a tile: as few bytes as decode to the same symbols, with the trailing bit. */
export function finishCoder(): void {
  const mask: u32 = 0x3fff;
  let code = ((low + mask) & ~mask) | (mask + 1);
  for (let bits = ready + 10, at = ready + 16; bits > 0; bits -= 8, at -= 8) {
    putByte(code >> at);
    code &= (1 << at) - 1;
  }
  if (held >= 0) store<u8>(output++, <u8>held);
  for (; fulls > 0; fulls--) store<u8>(output++, 0xff);
}

/** Codes a flag whose chance of being set is `chance` in 32768, without adaptation. */
export function putFlag(flag: boolean, chance: i32): void {
  if (flag) narrow(chance, 0, 1);
  else narrow(32768, chance, 2);
}
