/** The first pass over macroblocks: writes decisions to records, levels to tokens, and flags for the neighbours. */
import { allocate } from "../../../../../pixels/assembly/shared/arena";
import { COEFFICIENT_BYTES } from "../../shared/inverse-transform";
import { keepBelow, moveTo } from "../../shared/work";
import { chromaLevels, encodeChroma } from "./chroma";
import { blockLevels, blockModeBits, blockModes, tryBlocks } from "./luma-blocks";
import { planeLevels, planeMode, tryPlane, usePlane } from "./luma-plane";
import {
  CHROMA_SHIFT,
  chromaModeCost,
  IN_BLOCKS,
  planeModeCost,
  RECORD_BYTES,
  SEGMENT_SHIFT,
  SKIPPED,
} from "../coding/modes";
import { classify, useSegment } from "./segments";
import { CHROMA, LUMA, LUMA_AC, LUMA_DC, MOST_BLOCK_TOKENS, nonZero, writeBlock } from "../coding/tokens";

/** Bytes of the flags of one side, whether blocks have levels: four of luma, two of Cb, two of Cr, the plane's DCs. */
export const CONTEXT_BYTES: usize = 16;
const CB_CONTEXT: usize = 4;
const CR_CONTEXT: usize = 6;
export const DC_CONTEXT: usize = 8;
/** Most bytes of the tokens of one macroblock. */
export const MOST_MACROBLOCK_TOKENS: i32 = 25 * MOST_BLOCK_TOKENS;
/** Most bits, on average, of a macroblock's segment and skip flag, in 1/256 bits. */
const FLAG_BITS: i64 = 3 * 256 + 32;
/**
 * Luma is predicted in blocks only if this many 1/256 bits of room are left over, because a plane takes less. This
 * keeps the first partition within its maximum length up to 110 megapixels. For a detailed photograph of 32
 * megapixels it costs 2 % of the file. Choosing the macroblocks where blocks save most would win back a tenth of
 * that.
 */
const RESERVED_BITS: i64 = 16 * 256;

let above: usize = 0;
let aboveModes: usize = 0;
const left = memory.data(16);
const leftModes = memory.data(4);
let records: usize = 0;
/**
 * Room in the first partition for the modes of one macroblock, and room that earlier ones did not use, in 1/256 bits.
 */
let bitsEach: i64 = 0;
let bitsLeft: i64 = 0;
/** Number of macroblocks without levels. */
export let skipped = 0;

/** Allocates the state of macroblocks. @returns false when the memory is at its end */
export function layOutMacroblocks(wide: i32, count: i32, firstPartitionBits: i64): boolean {
  above = allocate(<u64>wide * CONTEXT_BYTES);
  aboveModes = allocate(<u64>wide * 4);
  records = allocate(<u64>count * RECORD_BYTES);
  bitsEach = (firstPartitionBits << 8) / count;
  return above && aboveModes && records ? true : false;
}

export function recordOf(macroblock: i32): usize {
  return records + <usize>macroblock * RECORD_BYTES;
}

export function beginRow(): void {
  memory.fill(left, 0, CONTEXT_BYTES);
  store<u32>(leftModes, 0);
}

/**
 * Codes macroblock (x, y), which is the `index`-th.
 * @param chromaStride 0 for a picture without colour
 * @returns the address after its last token
 */
export function encodeMacroblock(
  x: i32,
  y: i32,
  index: i32,
  source: usize,
  stride: usize,
  cbSource: usize,
  crSource: usize,
  chromaStride: usize,
  tokens: usize,
): usize {
  const record = recordOf(index);
  const contexts = above + <usize>x * CONTEXT_BYTES;
  const modes = aboveModes + ((<usize>x) << 2);
  const segment = classify(source, stride);
  useSegment(segment);
  moveTo(x, y);

  const planeScore = tryPlane(source, stride, y > 0, x > 0, contexts, left);
  const blockScore = tryBlocks(source, stride, contexts, left, modes, leftModes, planeScore);
  bitsLeft += bitsEach;
  const isInBlocks = blockScore < planeScore && bitsLeft >= blockModeBits + RESERVED_BITS;
  bitsLeft -= FLAG_BITS + (isInBlocks ? blockModeBits : planeModeCost(planeMode));
  let first = segment << SEGMENT_SHIFT;
  if (isInBlocks) {
    first |= IN_BLOCKS;
    for (let i: usize = 0; i < 8; i++) {
      const pair = load<u16>(blockModes + (i << 1));
      store<u8>(record + 1 + i, <u8>((pair & 15) | (pair >> 4)));
    }
    store<u32>(modes, load<u32>(blockModes + 12));
    for (let i: usize = 0; i < 4; i++) store<u8>(leftModes + i, load<u8>(blockModes + 4 * i + 3));
  } else {
    first |= planeMode;
    usePlane();
    memory.fill(modes, <u8>planeMode, 4);
    memory.fill(leftModes, <u8>planeMode, 4);
  }
  if (chromaStride) {
    const mode = encodeChroma(
      cbSource,
      crSource,
      chromaStride,
      y > 0,
      x > 0,
      contexts + CB_CONTEXT,
      left + CB_CONTEXT,
    );
    first |= mode << CHROMA_SHIFT;
    bitsLeft -= chromaModeCost(mode);
  }
  if (hasLevels(isInBlocks)) {
    tokens = writeMacroblock(isInBlocks, contexts, tokens);
  } else {
    first |= SKIPPED;
    skipped++;
    clearContexts(contexts, left, isInBlocks);
  }
  store<u8>(record, <u8>first);
  keepBelow(x);
  return tokens;
}

/** Clears the flags of a macroblock without levels. If it is in blocks, the flag of the plane's DCs stays. */
export function clearContexts(aboveContexts: usize, leftContexts: usize, isInBlocks: boolean): void {
  store<u64>(aboveContexts, 0);
  store<u64>(leftContexts, 0);
  if (isInBlocks) return;
  store<u8>(aboveContexts, 0, DC_CONTEXT);
  store<u8>(leftContexts, 0, DC_CONTEXT);
}

function hasLevels(isInBlocks: boolean): boolean {
  let any = i16x8.splat(0);
  const luma = isInBlocks ? blockLevels : planeLevels;
  const bytes = <usize>(isInBlocks ? 16 : 17) * COEFFICIENT_BYTES;
  for (let i: usize = 0; i < bytes; i += 16) any = v128.or(any, v128.load(luma + i));
  for (let i: usize = 0; i < 8 * COEFFICIENT_BYTES; i += 16) any = v128.or(any, v128.load(chromaLevels + i));
  return <boolean>v128.any_true(any);
}

/** Writes one block's tokens, and sets the flags on both sides. */
function writeWith(levels: usize, kind: i32, first: i32, up: usize, side: usize, at: usize): usize {
  const context = <i32>load<u8>(up) + <i32>load<u8>(side);
  const has: u8 = nonZero(levels) ? 1 : 0;
  store<u8>(up, has);
  store<u8>(side, has);
  return writeBlock(levels, kind, first, context, at);
}

/** Writes the tokens of all blocks, in the order of section 13: DCs of a plane, luma, Cb, Cr. */
function writeMacroblock(isInBlocks: boolean, up: usize, at: usize): usize {
  if (!isInBlocks) {
    at = writeWith(planeLevels + 16 * COEFFICIENT_BYTES, LUMA_DC, 0, up + DC_CONTEXT, left + DC_CONTEXT, at);
  }
  const luma = isInBlocks ? blockLevels : planeLevels;
  const kind = isInBlocks ? LUMA : LUMA_AC;
  for (let i: usize = 0; i < 16; i++) {
    at = writeWith(luma + i * COEFFICIENT_BYTES, kind, isInBlocks ? 0 : 1, up + (i & 3), left + (i >> 2), at);
  }
  for (let plane: usize = 0; plane < 2; plane++) {
    const from = plane ? CR_CONTEXT : CB_CONTEXT;
    for (let i: usize = 0; i < 4; i++) {
      const levels = chromaLevels + (4 * plane + i) * COEFFICIENT_BYTES;
      at = writeWith(levels, CHROMA, 0, up + from + (i & 1), left + from + (i >> 1), at);
    }
  }
  return at;
}
