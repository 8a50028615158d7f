/** Entropy decoding of baseline and extended sequential scans (ITU T.81 F.2.2). */
import { BLOCK_OFFSETS } from "./zigzag";
import { Component } from "./frame";
import {
  LENGTH_MASK,
  LOOKUP_BITS,
  PAIR_BITS,
  SKIP_BITS,
  SKIP_END,
  WHOLE,
  extend,
  longCode,
  pairTable,
  skipTable,
} from "./huffman";
import { Bits } from "./input";
import { FAULT_COEFFICIENTS, fail } from "./status";

/** The block being decoded: 64 i16 in rows, zeros between blocks. */
export const BLOCK: usize = memory.data(128, 16);
const ZERO_RUN_SIXTEEN: i32 = 0xf0;
/** The index after an end of block. */
const ENDED: i32 = 64;

/**
 * Decodes one block into BLOCK. Coefficients after `lastUseful`, a zigzag index, are read but not stored. Bits are
 * read as input.ts describes, and the next code is looked up before the refill.
 * @returns zigzag index of the last coefficient written
 */
export function decodeBlock(component: Component, lastUseful: i32): i32 {
  let buffer = Bits.buffer;
  let count = Bits.count;
  let pointer = Bits.pointer;
  const ac = component.acTable;

  const dc = component.dcTable;
  buffer |= load<u64>(pointer) >> (<u64>count);
  pointer -= (63 - count) >> 3;
  count |= 56;
  let entry = load<i32>(dc + ((<usize>(buffer >> (64 - LOOKUP_BITS))) << 2));
  let value = 0;
  if (entry & WHOLE) {
    buffer <<= <u64>entry;
    count -= entry & LENGTH_MASK;
    value = entry >> 16;
  } else {
    if (entry == 0) entry = longCode(dc, <i32>(buffer >> 48));
    buffer <<= <u64>entry;
    count -= entry & LENGTH_MASK;
    const bits = (entry >> 8) & 15;
    if (bits) {
      value = extend(<i32>(buffer >> (<u64>(64 - bits))), bits);
      buffer <<= <u64>bits;
      count -= bits;
    }
  }
  value += component.prediction;
  component.prediction = value;
  store<i16>(BLOCK, <i16>value);

  let k = 1;
  let last = 0;
  const pairs = pairTable(ac);
  while (k <= lastUseful) {
    const pair = load<u64>(pairs + ((<usize>(buffer >> (64 - PAIR_BITS))) << 3));
    buffer |= load<u64>(pointer) >> (<u64>count);
    pointer -= (63 - count) >> 3;
    count |= 56;
    const first = k + (((<i32>pair) >> 8) & 255);
    const second = first + (((<i32>pair) >> 16) & 255);
    // A full block has no end-of-block code, so the second coefficient may be one of the next block.
    if (second < ENDED) {
      buffer <<= pair;
      count -= (<i32>pair) & LENGTH_MASK;
      store<i16>(BLOCK + <usize>load<u8>(BLOCK_OFFSETS + <usize>first), <i16>(pair >> 32));
      store<i16>(BLOCK + <usize>load<u8>(BLOCK_OFFSETS + <usize>second), <i16>(pair >> 48));
      last = second;
      k = second + 1;
      continue;
    }
    entry = load<i32>(ac + ((<usize>(buffer >> (64 - LOOKUP_BITS))) << 2));
    if (entry >>> 16) {
      buffer <<= <u64>entry;
      count -= entry & LENGTH_MASK;
      k += (entry >> 8) & 15;
      last = k;
      store<i16>(BLOCK + <usize>load<u8>(BLOCK_OFFSETS + <usize>k), <i16>(entry >> 16));
      k++;
      continue;
    }
    if (entry == 0) entry = longCode(ac, <i32>(buffer >> 48));
    buffer <<= <u64>entry;
    count -= entry & LENGTH_MASK;
    const symbol = entry >> 8;
    const bits = symbol & 15;
    if (bits == 0) {
      if (symbol < ZERO_RUN_SIXTEEN) {
        k = ENDED;
        break;
      }
      k += 16;
      continue;
    }
    k += symbol >> 4;
    last = k;
    value = extend(<i32>(buffer >> (<u64>(64 - bits))), bits);
    buffer <<= <u64>bits;
    count -= bits;
    store<i16>(BLOCK + <usize>load<u8>(BLOCK_OFFSETS + <usize>k), <i16>value);
    k++;
  }

  const skip = skipTable(ac);
  while (k < ENDED) {
    entry = <i32>load<u16>(skip + ((<usize>(buffer >> (64 - SKIP_BITS))) << 1));
    buffer |= load<u64>(pointer) >> (<u64>count);
    pointer -= (63 - count) >> 3;
    count |= 56;
    const end = entry & SKIP_END;
    const next = k + (entry >> 8);
    // A full block has no end-of-block code. An entry that passes its last coefficient, or ends the block after it,
    // contains symbols of the next block.
    if (next + (end ? 1 : 0) <= ENDED) {
      buffer <<= <u64>entry;
      count -= entry & LENGTH_MASK;
      k = end ? ENDED : next;
      continue;
    }
    entry = load<i32>(ac + ((<usize>(buffer >> (64 - LOOKUP_BITS))) << 2));
    if (entry >>> 16) {
      buffer <<= <u64>entry;
      count -= entry & LENGTH_MASK;
      k += ((entry >> 8) & 15) + 1;
      continue;
    }
    if (entry == 0) entry = longCode(ac, <i32>(buffer >> 48));
    const symbol = (entry >> 8) & 255;
    const length = (entry & LENGTH_MASK) + (symbol & 15);
    buffer <<= <u64>length;
    count -= length;
    if ((symbol & 15) == 0 && symbol < ZERO_RUN_SIXTEEN) k = ENDED;
    else k += (symbol >> 4) + 1;
  }
  if (k > ENDED) fail(FAULT_COEFFICIENTS);

  Bits.buffer = buffer;
  Bits.count = count;
  Bits.pointer = pointer;
  return last;
}
