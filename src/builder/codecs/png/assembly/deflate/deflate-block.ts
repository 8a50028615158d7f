/**
 * Writes blocks of deflate: symbols are collected and counted, then written as the kind of block that takes the
 * fewest bits (RFC 1951, section 3.2.3).
 */
import { allocate } from "../../../../pixels/assembly/shared/arena";
import { align, heldBits, put, putBytes } from "./deflate-bits";
import {
  bitsOf,
  buildCode,
  CODE_MASK,
  codeOf,
  numberCodes,
  putCode,
  setBits,
  SIZE_SHIFT,
} from "./deflate-codes";
import { setCosts } from "./deflate-costs";
import { makeHeader, writeHeader } from "./deflate-header";
import { addressOf, at, PIECE_BYTES } from "./deflate-matches";
import { stepAt, stepLength } from "./deflate-path";
import { choosePath, choosePieceQuickly, pieceDistances, pieceLengths, pieceSymbols } from "./deflate-piece";
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

/** Most symbols of a block, and so most bytes of a piece. */
const BLOCK_SYMBOLS: i32 = PIECE_BYTES;
/** Most bytes of a block, with its header and the end of the stream: in fixed codes, a match takes up to 31 bits. */
export const BLOCK_BYTES: u64 = 4 * <u64>BLOCK_SYMBOLS + 1_024;
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
/** Bits of the block with codes of its own. */
let blockBits: i64 = 0;

/** Allocates the symbols of a block. @returns false when the memory is at its end */
export function layOutBlock(): boolean {
  symbols = allocate(4 * <u64>BLOCK_SYMBOLS);
  return symbols ? true : false;
}

/** Chooses the symbols of the piece of `length` bytes, whose matches have been found unless it is done quickly. */
export function choosePiece(length: i32, isQuick: boolean): void {
  if (symbolCount > 0) setCosts(lengthFrequencies, distanceFrequencies);
  if (isQuick) choosePieceQuickly(at + length);
  else choosePath(length);
}

/** Returns whether the piece is smaller in the codes of one block with what is collected than in a block of its own. */
export function joinsBlock(): boolean {
  if (symbolCount == 0) return true;
  if (symbolCount + pieceSymbols > BLOCK_SYMBOLS) return false;
  const apart = blockBits + dynamicBits(pieceLengths, pieceDistances);
  addPieceTo(1);
  const together = dynamicBits(lengthFrequencies, distanceFrequencies);
  addPieceTo(-1);
  return together <= apart;
}

/** Adds the frequencies of the piece to those of the block `sign` times. */
function addPieceTo(sign: i32): void {
  for (let i: usize = 0; i < 4 * LENGTH_SYMBOLS; i += 4) {
    store<u32>(lengthFrequencies + i, load<u32>(lengthFrequencies + i) + sign * load<u32>(pieceLengths + i));
  }
  for (let i: usize = 0; i < 4 * DISTANCE_SYMBOLS; i += 4) {
    store<u32>(
      distanceFrequencies + i,
      load<u32>(distanceFrequencies + i) + sign * load<u32>(pieceDistances + i),
    );
  }
}

/** Collects the symbols of the piece of `length` bytes. @returns how many bytes they code, perhaps more */
export function addPiece(length: i32): i32 {
  let offset = 0;
  for (; offset < length; symbolCount++) {
    const step = stepAt(offset);
    const taken = stepLength(step);
    store<u32>(
      symbols + ((<usize>symbolCount) << 2),
      taken == 1 ? <u32>load<u8>(addressOf(at + offset)) : step,
    );
    offset += taken;
  }
  addPieceTo(1);
  blockBits = dynamicBits(lengthFrequencies, distanceFrequencies);
  return offset;
}

/** Returns the bits of symbols of these frequencies and of the header of their codes, which are left in place. */
function dynamicBits(lengths: usize, distances: usize): i64 {
  store<u32>(lengths + 4 * END_OF_BLOCK, 1);
  buildCode(lengths, LENGTH_SYMBOLS, MOST_CODE_BITS, lengthCodes);
  buildCode(distances, DISTANCE_SYMBOLS, MOST_CODE_BITS, distanceCodes);
  store<u32>(lengths + 4 * END_OF_BLOCK, 0);
  const header = makeHeader(lengthCodes, LENGTH_SYMBOLS, distanceCodes, DISTANCE_SYMBOLS);
  return header + symbolBits(lengths, distances, false);
}

/**
 * Writes the collected symbols as a block.
 * @param from address of the `length` bytes that they represent, or -1 if those are no longer in memory
 */
export function writeBlock(from: usize, length: i32, isLast: boolean): void {
  const dynamic = dynamicBits(lengthFrequencies, distanceFrequencies);
  const fixed = symbolBits(lengthFrequencies, distanceFrequencies, true);
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

/** Returns the number of bits of a symbol's fixed code (section 3.2.6). */
function fixedBits(symbol: i32): u32 {
  return symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8;
}
const FIXED_DISTANCE_BITS: u32 = 5;

/**
 * Returns the bits of symbols of these frequencies and of the end, in the fixed codes or in the codes made for them.
 */
function symbolBits(lengths: usize, distances: usize, isFixed: boolean): i64 {
  let total: i64 = isFixed ? fixedBits(END_OF_BLOCK) : bitsOf(lengthCodes, END_OF_BLOCK);
  for (let symbol = 0; symbol < LENGTH_SYMBOLS; symbol++) {
    const times = load<u32>(lengths + ((<usize>symbol) << 2));
    const bits = isFixed ? fixedBits(symbol) : bitsOf(lengthCodes, symbol);
    total += <i64>times * (bits + lengthExtraBits(symbol));
  }
  for (let symbol = 0; symbol < DISTANCE_SYMBOLS; symbol++) {
    const times = load<u32>(distances + ((<usize>symbol) << 2));
    const bits = isFixed ? FIXED_DISTANCE_BITS : bitsOf(distanceCodes, symbol);
    total += <i64>times * (bits + distanceExtraBits(symbol));
  }
  return total;
}

/**
 * Returns the bits of a stored block of `length` bytes: the rest of the byte after the kind of block, their length
 * twice, the bytes.
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
