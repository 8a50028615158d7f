/**
 * Writes blocks of deflate: symbols are collected and counted, then written as the kind of block that takes the
 * fewest bits (RFC 1951, section 3.2.3).
 */
import { allocate } from "../../../pixels/assembly/shared/arena";
import { align, heldBits, put, putBytes } from "./deflate-bits";
import {
  bitsOf,
  buildCode,
  CODE_MASK,
  codeOf,
  count,
  numberCodes,
  putCode,
  setBits,
  SIZE_SHIFT,
} from "./deflate-codes";
import { makeHeader, writeHeader } from "./deflate-header";
import {
  DISTANCE_SYMBOLS,
  distanceExtraBits,
  distanceSymbol,
  END_OF_BLOCK,
  FIXED_DISTANCE_SYMBOLS,
  FIXED_LENGTH_SYMBOLS,
  LEAST_LENGTH,
  LENGTH_SYMBOLS,
  lengthExtraBits,
  lengthSymbol,
} from "./deflate-symbols";

/** Most symbols of a block. One set of codes suits about this many. */
const BLOCK_SYMBOLS: i32 = 16_384;
/** Most bits of a symbol: a length of 15 + 5, and a distance of 15 + 13. */
const MOST_SYMBOL_BITS: u64 = 48;
/** Most bytes of a block, with its header and the end of the stream. */
export const BLOCK_BYTES: u64 = ((<u64>BLOCK_SYMBOLS * MOST_SYMBOL_BITS) >> 3) + 1_024;
const MOST_STORED_BYTES: i32 = 65_535;
const MOST_CODE_BITS: i32 = 15;

/** The symbols of the block, a u32 each: a byte, or a length with its distance above DISTANCE_SHIFT. */
let symbols: usize = 0;
const DISTANCE_SHIFT: u32 = 16;
const VALUE_MASK: u32 = 0xffff;
let symbolCount = 0;

/** Frequencies of literals, the end of the block and lengths, which share a code; and of distances. */
const lengthFrequencies = memory.data(4 * LENGTH_SYMBOLS);
const distanceFrequencies = memory.data(4 * DISTANCE_SYMBOLS);
const lengthCodes = memory.data(4 * FIXED_LENGTH_SYMBOLS);
const distanceCodes = memory.data(4 * FIXED_DISTANCE_SYMBOLS);

/** Bits that each symbol took in the last block, with its extra bits: one byte per symbol. */
const lengthBits = memory.data(LENGTH_SYMBOLS);
const distanceBits = memory.data(DISTANCE_SYMBOLS);
/** Bits assumed of a symbol that did not occur in the last block, and of all symbols in the first one. */
const UNKNOWN_BITS: u32 = 13;
const FIRST_LITERAL_BITS: u8 = 6;
const FIRST_LENGTH_BITS: u8 = 7;
const FIRST_DISTANCE_BITS: i32 = 5;

/** Allocates the symbols of a block. @returns false when the memory is at its end */
export function layOutBlock(): boolean {
  symbols = allocate(4 * <u64>BLOCK_SYMBOLS);
  memory.fill(lengthBits, FIRST_LENGTH_BITS, LENGTH_SYMBOLS);
  memory.fill(lengthBits, FIRST_LITERAL_BITS, END_OF_BLOCK);
  for (let symbol = 0; symbol < DISTANCE_SYMBOLS; symbol++) {
    store<u8>(distanceBits + symbol, <u8>(FIRST_DISTANCE_BITS + distanceExtraBits(symbol)));
  }
  return symbols ? true : false;
}

@inline
export function addLiteral(byte: u8): void {
  store<u32>(symbols + ((<usize>symbolCount) << 2), byte);
  symbolCount++;
  count(lengthFrequencies, byte);
}

@inline
export function addMatch(length: i32, distance: i32): void {
  store<u32>(symbols + ((<usize>symbolCount) << 2), length | (distance << DISTANCE_SHIFT));
  symbolCount++;
  count(lengthFrequencies, lengthSymbol(length));
  count(distanceFrequencies, distanceSymbol(distance));
}

@inline
export function isBlockFull(): boolean {
  return symbolCount == BLOCK_SYMBOLS;
}

/** Bits that a match saves over the `length` literals at `from`, if codes were those of the block before. */
@inline
export function savedBits(from: usize, length: i32, distance: i32): i32 {
  let bits =
    -(<i32>load<u8>(lengthBits + lengthSymbol(length))) - load<u8>(distanceBits + distanceSymbol(distance));
  for (let i: usize = 0; i < <usize>length; i++) bits += load<u8>(lengthBits + load<u8>(from + i));
  return bits;
}

/**
 * Writes the collected symbols as a block.
 * @param from address of the `length` bytes that they represent, or -1 if those are no longer in memory
 */
export function writeBlock(from: usize, length: i32, isLast: boolean): void {
  count(lengthFrequencies, END_OF_BLOCK);
  buildCode(lengthFrequencies, LENGTH_SYMBOLS, MOST_CODE_BITS, lengthCodes);
  buildCode(distanceFrequencies, DISTANCE_SYMBOLS, MOST_CODE_BITS, distanceCodes);
  keepCosts();
  const dynamic =
    makeHeader(lengthCodes, LENGTH_SYMBOLS, distanceCodes, DISTANCE_SYMBOLS) + symbolBits(false);
  const fixed = symbolBits(true);
  put(u64(isLast), 1);
  if (length >= 0 && length <= MOST_STORED_BYTES && storedBits(length) <= min(dynamic, fixed)) {
    writeStored(from, length);
  } else if (fixed <= dynamic) {
    put(1, 2);
    setFixedCodes();
    writeSymbols();
  } else {
    put(2, 2);
    writeHeader();
    writeSymbols();
  }
  symbolCount = 0;
  memory.fill(lengthFrequencies, 0, 4 * LENGTH_SYMBOLS);
  memory.fill(distanceFrequencies, 0, 4 * DISTANCE_SYMBOLS);
}

/** Stores how many bits each symbol took, for the choice of symbols in the next block. */
function keepCosts(): void {
  for (let symbol = 0; symbol < LENGTH_SYMBOLS; symbol++) {
    const bits = bitsOf(lengthCodes, symbol);
    store<u8>(lengthBits + symbol, <u8>((bits ? bits : UNKNOWN_BITS) + lengthExtraBits(symbol)));
  }
  for (let symbol = 0; symbol < DISTANCE_SYMBOLS; symbol++) {
    const bits = bitsOf(distanceCodes, symbol);
    store<u8>(distanceBits + symbol, <u8>((bits ? bits : UNKNOWN_BITS) + distanceExtraBits(symbol)));
  }
}

/** The number of bits of a symbol's fixed code (section 3.2.6). */
function fixedBits(symbol: i32): u32 {
  return symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8;
}
const FIXED_DISTANCE_BITS: u32 = 5;

/** Bits of the collected symbols, in the fixed codes or in the codes made for them. */
function symbolBits(isFixed: boolean): i64 {
  let total: i64 = 0;
  for (let symbol = 0; symbol < LENGTH_SYMBOLS; symbol++) {
    const times = load<u32>(lengthFrequencies + ((<usize>symbol) << 2));
    const bits = isFixed ? fixedBits(symbol) : bitsOf(lengthCodes, symbol);
    total += <i64>times * (bits + lengthExtraBits(symbol));
  }
  for (let symbol = 0; symbol < DISTANCE_SYMBOLS; symbol++) {
    const times = load<u32>(distanceFrequencies + ((<usize>symbol) << 2));
    const bits = isFixed ? FIXED_DISTANCE_BITS : bitsOf(distanceCodes, symbol);
    total += <i64>times * (bits + distanceExtraBits(symbol));
  }
  return total;
}

/**
 * Bits of a stored block of `length` bytes: the rest of the byte after the kind of block, their length twice, the
 * bytes.
 */
function storedBits(length: i32): i64 {
  return 8 * (<i64>length + 4) + ((6 - heldBits()) & 7);
}

function writeStored(from: usize, length: i32): void {
  put(0, 2);
  align();
  put((<u32>length) | ((<u32>(length ^ 0xffff)) << 16), 32);
  putBytes(from, <usize>length);
}

function setFixedCodes(): void {
  for (let symbol = 0; symbol < FIXED_LENGTH_SYMBOLS; symbol++)
    setBits(lengthCodes, symbol, fixedBits(symbol));
  for (let symbol = 0; symbol < FIXED_DISTANCE_SYMBOLS; symbol++) {
    setBits(distanceCodes, symbol, FIXED_DISTANCE_BITS);
  }
  numberCodes(lengthCodes, FIXED_LENGTH_SYMBOLS);
  numberCodes(distanceCodes, FIXED_DISTANCE_SYMBOLS);
}

function writeSymbols(): void {
  const end = symbols + ((<usize>symbolCount) << 2);
  for (let at = symbols; at < end; at += 4) {
    const entry = load<u32>(at);
    const value = <i32>(entry & VALUE_MASK);
    const distance = <i32>(entry >> DISTANCE_SHIFT);
    if (distance) putMatch(value, distance);
    else putCode(lengthCodes, value);
  }
  putCode(lengthCodes, END_OF_BLOCK);
}

@inline
function putMatch(length: i32, distance: i32): void {
  const symbol = lengthSymbol(length);
  const extra = lengthExtraBits(symbol);
  const code = codeOf(lengthCodes, symbol);
  let bits = <u64>(code & CODE_MASK);
  let size = <u64>(code >> SIZE_SHIFT);
  bits |= (<u64>((length - LEAST_LENGTH) & ((1 << extra) - 1))) << size;
  size += extra;
  const away = distanceSymbol(distance);
  const awayExtra = distanceExtraBits(away);
  const awayCode = codeOf(distanceCodes, away);
  bits |= (<u64>(awayCode & CODE_MASK)) << size;
  size += awayCode >> SIZE_SHIFT;
  bits |= (<u64>((distance - 1) & ((1 << awayExtra) - 1))) << size;
  put(bits, size + awayExtra);
}
