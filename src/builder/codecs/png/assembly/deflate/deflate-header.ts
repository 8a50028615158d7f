/**
 * Writes the header of a block, which states the lengths of its codes in runs and in a code of their own, the precode
 * (RFC 1951, section 3.2.7).
 */
import { put } from "./deflate-bits";
import { bitsOf, buildCode, count, putCode } from "./deflate-codes";

const PRECODES: i32 = 19;
const MOST_PRECODE_BITS: i32 = 7;
/** The least numbers of codes whose lengths are stated, whether they occur or not. */
const LEAST_LENGTH_CODES: i32 = 257;
const LEAST_DISTANCE_CODES: i32 = 1;
const LEAST_PRECODES: i32 = 4;
/** The order of the lengths of the precode. */
const PRECODE_ORDER = memory.data<u8>([16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]);

const precodeFrequencies = memory.data(4 * PRECODES);
const precodes = memory.data(4 * PRECODES);
/** The header's entries, a u16 each: a symbol of the precode, and the bits that follow it above RUN_SHIFT. */
const entries = memory.data(2 * (288 + 32));
const RUN_SHIFT: u32 = 8;
let entryCount = 0;
/** How many lengths of each code are stated. */
let lengthsStated = 0;
let distancesStated = 0;
let precodesSaid = 0;

/** Makes the header for two codes. @returns the number of its bits */
export function makeHeader(lengthCodes: usize, lengths: i32, distanceCodes: usize, distances: i32): i64 {
  lengthsStated = statedOf(lengthCodes, lengths, LEAST_LENGTH_CODES);
  distancesStated = statedOf(distanceCodes, distances, LEAST_DISTANCE_CODES);
  memory.fill(precodeFrequencies, 0, 4 * PRECODES);
  entryCount = 0;
  const total = lengthsStated + distancesStated;
  for (let i = 0; i < total;) {
    const bits = bitsAt(i, lengthCodes, distanceCodes);
    let run = 1;
    while (i + run < total && bitsAt(i + run, lengthCodes, distanceCodes) == bits) run++;
    addRun(bits, run);
    i += run;
  }
  buildCode(precodeFrequencies, PRECODES, MOST_PRECODE_BITS, precodes);
  precodesSaid = PRECODES;
  while (precodesSaid > LEAST_PRECODES && bitsOf(precodes, load<u8>(PRECODE_ORDER + precodesSaid - 1)) == 0) {
    precodesSaid--;
  }
  return headerBits();
}

/** Returns the number of codes up to the last symbol that has one. */
function statedOf(codes: usize, most: i32, least: i32): i32 {
  while (most > least && bitsOf(codes, most - 1) == 0) most--;
  return most;
}

@inline
function bitsAt(index: i32, lengthCodes: usize, distanceCodes: usize): u32 {
  return index < lengthsStated ? bitsOf(lengthCodes, index) : bitsOf(distanceCodes, index - lengthsStated);
}

/**
 * Adds the same length `run` times. One symbol of the precode repeats the length before 3 to 6 times, or stands for 3
 * to 10 or 11 to 138 zeros.
 */
function addRun(bits: u32, run: i32): void {
  if (bits) {
    addEntry(bits, 0);
    run--;
  }
  while (run >= 3) {
    const taken = min(run, bits ? 6 : 138);
    if (bits) addEntry(16, taken - 3);
    else if (taken <= 10) addEntry(17, taken - 3);
    else addEntry(18, taken - 11);
    run -= taken;
  }
  for (; run > 0; run--) addEntry(bits, 0);
}

function addEntry(precode: u32, extra: u32): void {
  store<u16>(entries + ((<usize>entryCount) << 1), <u16>(precode | (extra << RUN_SHIFT)));
  entryCount++;
  count(precodeFrequencies, precode);
}

@inline
function extraBitsOf(precode: u32): u32 {
  return precode < 16 ? 0 : precode == 16 ? 2 : precode == 17 ? 3 : 7;
}

function headerBits(): i64 {
  let bits: i64 = 14 + 3 * precodesSaid;
  for (let precode = 0; precode < PRECODES; precode++) {
    const times = load<u32>(precodeFrequencies + ((<usize>precode) << 2));
    bits += <i64>times * (bitsOf(precodes, precode) + extraBitsOf(precode));
  }
  return bits;
}

/** Writes the header that `makeHeader` made. */
export function writeHeader(): void {
  put(lengthsStated - LEAST_LENGTH_CODES, 5);
  put(distancesStated - LEAST_DISTANCE_CODES, 5);
  put(precodesSaid - LEAST_PRECODES, 4);
  for (let i = 0; i < precodesSaid; i++) put(bitsOf(precodes, load<u8>(PRECODE_ORDER + i)), 3);
  for (let i = 0; i < entryCount; i++) {
    const entry = <u32>load<u16>(entries + ((<usize>i) << 1));
    const precode = entry & ((1 << RUN_SHIFT) - 1);
    putCode(precodes, precode);
    put(entry >> RUN_SHIFT, extraBitsOf(precode));
  }
}
