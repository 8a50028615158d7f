/**
 * A baseline JPEG encoder (ITU T.81 annex F) for rows of 8-bit pixels, in two passes: rows become quantised
 * blocks and these a compact stream of tokens, counted; once the caller has made Huffman tables of the
 * counts, tokens become the entropy-coded data. Markers are the caller's.
 */
import { allocate, highWater } from "../../../../pixels/assembly/shared/arena";
import { BLOCK_BYTES, forwardDct } from "./dct";
import { CODES_BYTES, emitTokens, flushBits, prepareTokens, readPosition, READY_BYTES, rewind } from "./bit-writer";
import {
  cbRows,
  clearRows,
  crRows,
  isFull,
  layOutPlanes,
  lumaRows,
  padRows,
  rowsHeld,
  takeRow,
} from "./planes";
import { DIVISOR_BYTES, prepareDivisors, quantise } from "./quantise";
import { MOST_BLOCK_TOKENS, writeBlock } from "./tokens";

/** Bytes that the vector loops may touch past the end of a row. */
const SLACK: u64 = 64;
const FREQUENCY_BYTES: i32 = 256 * 4;

let width = 0;
let rowBytes = 0;
let channels = 0;
let isColour = false;
let isHalved = false;
let mcuSize = 8;
let mcusWide = 0;
/** Width of the luma plane: whole MCUs. */
let padded = 0;

let staging: usize = 0;
let block: usize = 0;
let quantTables: usize = 0;
let divisors: usize = 0;
let frequencies: usize = 0;
let codes: usize = 0;
let ready: usize = 0;
let lumaDc = 0;
let cbDc = 0;
let crDc = 0;

let tokens: usize = 0;
let tokensEnd: usize = 0;
let nextToken: usize = 0;
let output: usize = 0;
let outputBytes = 0;

/**
 * Lays out the job.
 * @param channelCount 1 gray, 2 gray-alpha, 3 rgb, 4 rgba; alpha is flattened on white
 * @param halved chroma at half the width and height (4:2:0)
 * @param tokenBytes room for tokens; at least that of one row of MCUs, which `mcuRowTokenBytes` tells
 * @returns false when the memory is at its end
 */
export function configure(
  pictureWidth: i32,
  channelCount: i32,
  halved: bool,
  stagedRows: i32,
  tokenBytes: i32,
  outBytes: i32,
): bool {
  width = pictureWidth;
  channels = channelCount;
  rowBytes = width * channels;
  isColour = channels >= 3;
  isHalved = isColour && halved;
  mcuSize = isHalved ? 16 : 8;
  mcusWide = (width + mcuSize - 1) / mcuSize;
  padded = mcusWide * mcuSize;
  outputBytes = outBytes;
  staging = allocate(<u64>stagedRows * <u64>rowBytes + SLACK);
  const hasPlanes = layOutPlanes(width, channels, isHalved, padded, mcuSize);
  block = allocate(BLOCK_BYTES);
  quantTables = allocate(2 * BLOCK_BYTES);
  divisors = allocate(2 * DIVISOR_BYTES);
  frequencies = allocate(4 * FREQUENCY_BYTES);
  codes = allocate(4 * CODES_BYTES);
  ready = allocate(4 * READY_BYTES);
  output = allocate(outBytes);
  tokens = allocate(tokenBytes);
  nextToken = tokens;
  tokensEnd = tokens + tokenBytes;
  const hasTables = quantTables && divisors && frequencies && codes && ready;
  return staging && hasPlanes && block && hasTables && output && tokens ? true : false;
}

/** The most that the tokens of one row of MCUs may take. */
function mcuRowTokenBytes(): usize {
  return <usize>(mcusWide * blocksPerMcu() * MOST_BLOCK_TOKENS);
}

function blocksPerMcu(): i32 {
  return isHalved ? 6 : isColour ? 3 : 1;
}

/** Where the caller writes rows before `push`. */
export function stagingAddress(): usize {
  return staging;
}

/** Two tables of 64 u16 in rows, luma's and chroma's: written before `prepareQuantisation`. */
export function quantTablesAddress(): usize {
  return quantTables;
}

/** Counts (u32) of 256 symbols each: DC and AC of luma, DC and AC of chroma. */
export function frequenciesAddress(): usize {
  return frequencies;
}

/** Codes and lengths (u32 each) of 256 symbols for the same four tables: written before `prepareCodes`. */
export function codesAddress(): usize {
  return codes;
}

/** Where `emit` and `flush` write. */
export function outputAddress(): usize {
  return output;
}

/** Bytes of memory in use. */
export function used(): usize {
  return highWater();
}

export function prepareQuantisation(): void {
  prepareDivisors(quantTables, divisors);
  prepareDivisors(quantTables + BLOCK_BYTES, divisors + DIVISOR_BYTES);
}

/**
 * Encodes rows `from` to `count` of staging to tokens.
 * @returns the row it stopped at: `count`, or less when the tokens must be emitted first
 */
export function push(from: i32, count: i32): i32 {
  for (let row = from; row < count; row++) {
    if (isFull() && !encodeMcuRow()) return row;
    takeRow(staging + <usize>row * <usize>rowBytes);
  }
  return count;
}

/** Encodes what is held, the last row repeated to a whole MCU. @returns false when tokens must be emitted first */
export function finish(): bool {
  if (rowsHeld == 0) return true;
  padRows();
  return encodeMcuRow();
}

/** Encodes the planes of a full MCU row, MCU by MCU (A.2.3). @returns false when there is no room for its tokens */
function encodeMcuRow(): bool {
  if (nextToken + mcuRowTokenBytes() > tokensEnd) return false;
  clearRows();
  const chromaWidth = isHalved ? padded >> 1 : padded;
  for (let mcu = 0; mcu < mcusWide; mcu++) {
    const luma = lumaRows + <usize>(mcu * mcuSize);
    for (let y = 0; y < mcuSize; y += 8) {
      for (let x = 0; x < mcuSize; x += 8)
        lumaDc = encodeBlock(luma + <usize>(y * padded + x), padded, 0, lumaDc);
    }
    if (!isColour) continue;
    const column = <usize>(mcu << 3);
    cbDc = encodeBlock(cbRows + column, chromaWidth, 1, cbDc);
    crDc = encodeBlock(crRows + column, chromaWidth, 1, crDc);
  }
  return true;
}

/** @param kind 0 for luma's tables, 1 for chroma's. @returns the block's DC coefficient */
function encodeBlock(samples: usize, stride: usize, kind: i32, prediction: i32): i32 {
  forwardDct(samples, stride, block);
  quantise(block, divisors + <usize>(kind * DIVISOR_BYTES));
  const dc = frequencies + <usize>(kind * 2 * FREQUENCY_BYTES);
  nextToken = writeBlock(block, prediction, dc, dc + FREQUENCY_BYTES, nextToken);
  return load<i16>(block);
}

/** To be called once the codes are written. */
export function prepareCodes(): void {
  for (let kind: usize = 0; kind < 2; kind++) {
    const dcCodes = codes + 2 * kind * CODES_BYTES;
    const dcReady = ready + 2 * kind * READY_BYTES;
    prepareTokens(dcCodes, dcCodes + CODES_BYTES, dcReady, dcReady + READY_BYTES);
  }
  rewind(tokens);
}

/** Codes tokens to the output. @returns bytes written; 0 when all are coded and their room is free again */
export function emit(): i32 {
  if (readPosition() == nextToken) {
    nextToken = tokens;
    rewind(tokens);
    return 0;
  }
  const luma = isHalved ? 4 : 1;
  return <i32>emitTokens(nextToken, blocksPerMcu(), luma, codes, ready, output, outputBytes);
}

/** Writes what is left of the last byte. @returns bytes written */
export function flush(): i32 {
  return <i32>flushBits(output);
}
