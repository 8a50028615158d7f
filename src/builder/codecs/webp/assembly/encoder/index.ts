/**
 * A lossy WebP encoder for rows of 8-bit pixels. It makes a VP8 key frame (RFC 6386) and, for layouts with alpha, the
 * data of an ALPH chunk (RFC 9649). In the first pass, rows become quantised levels, and these become a compact
 * stream of counted tokens. In the second pass, tokens become the second partition, with probabilities from the
 * counts, and then the modes of all macroblocks become the first. The caller writes the container.
 */
import { allocate, highWater } from "../../../../pixels/assembly/shared/arena";
import { layOutWork } from "../shared/work";
import {
  alphaCodes,
  alphaGroups,
  emitAlphaTokens,
  flushAlpha as finishAlpha,
  layOutAlphaEmit,
} from "./alpha-emit";
import {
  alphaTokens,
  codeAlpha as codeBand,
  isAlphaFiltered,
  isAlphaPredicted,
  isAlphaFull,
  isOpaque,
  layOutAlpha,
  nextAlphaToken,
  takeAlpha,
} from "./alpha-tokens";
import { alphaModes } from "./alpha-predict";
import { prepareBitCosts } from "./bit-cost";
import { finishCoder, outputPosition, setOutput, startCoder } from "./bool-coder";
import { putFrameHeader } from "./frame-header";
import { prepareLevelCosts, refreshLevelCosts } from "./level-cost";
import { beginRow, encodeMacroblock, layOutMacroblocks, MOST_MACROBLOCK_TOKENS } from "./macroblock";
import { prepareModeCosts } from "./modes";
import {
  cbRows,
  chromaStride,
  clearRows,
  crRows,
  flattenHidden,
  layOutPlanes,
  lumaRows,
  lumaStride,
  padRows,
  rowsHeld,
  takeRest,
  takeRow,
} from "./planes";
import { adaptProbabilities, resetProbabilities } from "./probabilities";
import { emitMacroblock, emitModes, layOutSecondPass, skipProbability } from "./second-pass";
import { layOutSegments } from "./segments";
import { FIRST_PARTITION_BITS, MODE_BYTES_MIN, MOST_MACROBLOCK_BYTES, ROWS_TO_REFRESH, SLACK } from "./sizes";
export { carriesOver } from "./bool-coder";
export { startAlpha } from "./alpha-emit";
export { areAlphaTokensFull, isAlphaFull } from "./alpha-tokens";

let rowBytes: usize = 0;
let channels: usize = 0;
let keepsAlpha = false;
let wide = 0;
let count = 0;
let rowIndex = 0;
let staging: usize = 0;
let tokens: usize = 0;
let tokensEnd: usize = 0;
let nextToken: usize = 0;
let output: usize = 0;
let outputEnd: usize = 0;
/** Number of macroblocks that the second pass has coded, and where the tokens of the next one are. */
let emitted = 0;
let readToken: usize = 0;
let isFixed = false;
let modesDone = -1;
let spareBytes: usize = 0;

/**
 * Allocates the memory of a picture.
 * @param channelCount 1 gray, 2 gray-alpha, 3 rgb, 4 rgba
 * @param quality 0 to 100 on libwebp's scale
 * @param tokenBytes room for tokens; at least that of one row of macroblocks
 * @param alphaTileBits tiles in which alpha is predicted have `1 << alphaTileBits` pixels per side
 * @param alphaRows rows of alpha that are coded at once
 * @param alphaReach bytes of alpha that are held before them, a power of two
 * @param alphaTokenBytes room for the tokens of alpha: at least four bytes per pixel of those rows
 * @returns false when the memory is at its end
 */
export function configure(
  width: i32,
  height: i32,
  channelCount: i32,
  quality: f64,
  stagedRows: i32,
  tokenBytes: i32,
  alphaTileBits: i32,
  alphaRows: i32,
  alphaReach: i32,
  alphaTokenBytes: i32,
  outBytes: i32,
): boolean {
  channels = channelCount;
  keepsAlpha = channels == 2 || channels == 4;
  rowBytes = <usize>width * channels;
  wide = (width + 15) >> 4;
  count = wide * ((height + 15) >> 4);
  staging = allocate(<u64>stagedRows * <u64>rowBytes + SLACK);
  output = allocate(outBytes);
  outputEnd = output + outBytes;
  tokens = allocate(tokenBytes);
  tokensEnd = tokens + tokenBytes;
  nextToken = tokens;
  readToken = tokens;
  if (!staging || !output || !tokens) return false;
  if (keepsAlpha && !layOutAlphaEmit(width)) return false;
  if (keepsAlpha && !layOutAlpha(width, height, alphaTileBits, alphaRows, alphaReach, alphaTokenBytes))
    return false;
  if (!layOutPlanes(width, channelCount, wide) || !layOutWork(wide)) return false;
  if (!layOutMacroblocks(wide, count, FIRST_PARTITION_BITS) || !layOutSecondPass(wide)) return false;
  if (!layOutSegments(quality)) return false;
  prepareBitCosts();
  prepareModeCosts();
  prepareLevelCosts();
  resetProbabilities();
  refreshLevelCosts();
  startCoder();
  return true;
}

/** Where the caller writes rows before `push`. */
export function stagingAddress(): usize {
  return staging;
}

/** Where `emit` and `emitFirst` write. */
export function outputAddress(): usize {
  return output;
}

/** The tokens of alpha that are not coded yet (u32). */
export function alphaTokensAddress(): usize {
  return alphaTokens;
}

export function alphaTokensEnd(): usize {
  return nextAlphaToken;
}

/** Codes rows of alpha that are held. @returns false when there are none left */
export function codeAlpha(isFixed: boolean): boolean {
  return codeBand(isFixed);
}

/** Whether alpha has the gradient filter of an ALPH chunk. */
export function isAlphaGradient(): boolean {
  return isAlphaFiltered;
}

/** How each tile of alpha is predicted (u8); 0 if none is. */
export function alphaModesAddress(): usize {
  return isAlphaPredicted ? alphaModes : 0;
}

/** The group of each tile of alpha (u8). The caller writes them before `startAlpha`. */
export function alphaGroupsAddress(): usize {
  return alphaGroups;
}

/** Codes and lengths (u32 each) of the 320 symbols of each group. The caller writes them before `startAlpha`. */
export function alphaCodesAddress(): usize {
  return alphaCodes;
}

/** Whether every pixel so far is opaque. */
export function isAllOpaque(): boolean {
  return isOpaque;
}

/** Bytes of memory in use. */
export function used(): usize {
  return highWater();
}

/**
 * Encodes rows `from` to `end` of the staged rows to tokens.
 * @returns the row it stopped at: `end`, or less when tokens must be emitted first, those of alpha if their room is
 *   full
 */
export function push(from: i32, end: i32): i32 {
  for (let row = from; row < end; row++) {
    if (keepsAlpha && isAlphaFull()) return row;
    if (rowsHeld == 16 && !encodeRow()) return row;
    const at = staging + <usize>row * rowBytes;
    takeRow(at);
    if (keepsAlpha) takeAlpha(at, channels);
  }
  return end;
}

/** Encodes the rows that are held. @returns false when tokens must be emitted first */
export function finish(): boolean {
  do {
    if (rowsHeld == 16 && !encodeRow()) return false;
  } while (takeRest());
  if (rowsHeld == 0) return true;
  padRows();
  return encodeRow();
}

function encodeRow(): boolean {
  if (nextToken + <usize>wide * MOST_MACROBLOCK_TOKENS > tokensEnd) return false;
  flattenHidden();
  beginRow();
  for (let x = 0; x < wide; x++) {
    const column = (<usize>x) << 4;
    nextToken = encodeMacroblock(
      x,
      rowIndex,
      rowIndex * wide + x,
      lumaRows + column,
      lumaStride,
      cbRows + (column >> 1),
      crRows + (column >> 1),
      chromaStride,
      nextToken,
    );
  }
  rowIndex++;
  clearRows();
  if (!isFixed && rowIndex % ROWS_TO_REFRESH == 0) {
    adaptProbabilities();
    refreshLevelCosts();
  }
  return true;
}

/** Codes the next tokens. @returns bytes written; -1 when all are coded and their room is free again */
export function emit(): i32 {
  if (!isFixed) {
    adaptProbabilities();
    refreshLevelCosts();
    isFixed = true;
  }
  const known = rowIndex * wide;
  if (emitted == known) {
    nextToken = tokens;
    readToken = tokens;
    return -1;
  }
  setOutput(output);
  while (emitted < known && hasRoom()) readToken = emitMacroblock(emitted++, readToken);
  return written();
}

function hasRoom(): boolean {
  return outputPosition() + MOST_MACROBLOCK_BYTES < outputEnd;
}

function written(): i32 {
  return <i32>(outputPosition() - output);
}

/** Ends a partition. @returns bytes written */
export function flush(): i32 {
  setOutput(output);
  finishCoder(spareBytes);
  return written();
}

/**
 * Codes the next part of the first partition, after the second was flushed. @returns bytes written; -1 when it is
 * complete
 */
export function emitFirst(): i32 {
  if (modesDone == count) return -1;
  setOutput(output);
  const isBegun = modesDone >= 0;
  if (!isBegun) {
    startCoder();
    putFrameHeader(skipProbability(count));
    modesDone = 0;
  }
  const least = outputPosition() + MODE_BYTES_MIN;
  while (modesDone < count && hasRoom()) emitModes(modesDone++, count);
  spareBytes = isBegun || outputPosition() > least ? 0 : least - outputPosition();
  return written();
}

/** Codes the next tokens of alpha. @returns bytes written; 0 when all are coded and their room is free again */
export function emitAlpha(): i32 {
  return emitAlphaTokens(output, outputEnd);
}

/** Ends the data of alpha. @returns bytes written */
export function flushAlpha(): i32 {
  return finishAlpha(output);
}
