/**
 * A WebP encoder for rows of 8-bit pixels. It makes a VP8 key frame (RFC 6386) and, for layouts with alpha, the data of
 * an ALPH chunk (RFC 9649). In the first pass, rows become quantised levels, and these become a compact stream of
 * counted tokens. In the second pass, tokens become the second partition, with probabilities from the counts, and then
 * the modes of all macroblocks become the first. Where that is wanted, the picture is held as well, as long as it has
 * few colours, and becomes the data of a VP8L chunk at last. The caller writes the container.
 */
import { allocate, highWater } from "../../../../pixels/assembly/shared/arena";
import { layOutWork } from "../shared/work";
import { layOutAlphaEmit } from "./alpha/alpha-emit";
import { isAlphaFull, layOutAlpha, takeAlpha } from "./alpha/alpha-tokens";
import { prepareBitCosts } from "./coding/bit-cost";
import { startCoder } from "./coding/bool-coder";
import { prepareLevelCosts, refreshLevelCosts } from "./coding/level-cost";
import { beginRow, encodeMacroblock, layOutMacroblocks, MOST_MACROBLOCK_TOKENS } from "./blocks/macroblock";
import { prepareModeCosts } from "./coding/modes";
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
} from "./blocks/planes";
import { hasRoom, layOutOutput, startPiece, written } from "./output";
import { adaptProbabilities, resetProbabilities } from "./coding/probabilities";
import { emitMacroblock, layOutSecondPass } from "./coding/second-pass";
import { layOutSegments } from "./blocks/segments";
import { layOutNear, nextRowOfPixels, takePixels } from "./lossless/lossless-near";
import { isHeld, readPixels } from "./lossless/lossless-pixels";
import { layOutLossless } from "./lossless/lossless-tokens";
import { layOutCosts } from "./symbols/symbol-costs";
import { layOutCodes } from "./symbols/symbol-writer";
import { FIRST_PARTITION_BITS, ROWS_TO_REFRESH, SLACK } from "./sizes";
export { carriesOver, emitAlpha, emitFirst, emitLossless, flush, flushTokens, outputAddress } from "./output";
export { hurry } from "./blocks/effort";
export * from "./alpha/alpha-interface";
export * from "./lossless/lossless-interface";

let rowBytes: usize = 0;
let channels: usize = 0;
let keepsAlpha = false;
let mayBeLossless = false;
let wide = 0;
let count = 0;
let rowIndex = 0;
let staging: usize = 0;
let tokens: usize = 0;
let tokensEnd: usize = 0;
let nextToken: usize = 0;
/** Number of macroblocks that the second pass has coded, and where the tokens of the next one are. */
let emitted = 0;
let readToken: usize = 0;
let isFixed = false;

/**
 * Allocates the memory of a picture.
 * @param channelCount 1 gray, 2 gray-alpha, 3 rgb, 4 rgba
 * @param quality 0 to 100 on libwebp's scale
 * @param tokenBytes room for tokens; at least that of one row of macroblocks
 * @param tileBits tiles in which alpha, or a picture without loss, is predicted have `1 << tileBits` pixels per side
 * @param bandRows rows of them that are coded at once
 * @param reach pixels that are held before these, a power of two
 * @param alphaTokenBytes room for the tokens of alpha: at least four bytes per pixel of those rows
 * @param losslessTokenBytes room for the tokens of the picture without loss; 0 if it is not to be tried
 * @param roundedBits so many of the lowest bits of samples may be rounded in a picture without loss, where edges hide it
 * @returns false when the memory is at its end
 */
export function configure(
  width: i32,
  height: i32,
  channelCount: i32,
  quality: f64,
  stagedRows: i32,
  tokenBytes: i32,
  tileBits: i32,
  bandRows: i32,
  reach: i32,
  alphaTokenBytes: i32,
  losslessTokenBytes: i32,
  roundedBits: i32,
  outBytes: i32,
): boolean {
  channels = channelCount;
  keepsAlpha = channels == 2 || channels == 4;
  rowBytes = <usize>width * channels;
  wide = (width + 15) >> 4;
  count = wide * ((height + 15) >> 4);
  staging = allocate(<u64>stagedRows * <u64>rowBytes + SLACK);
  tokens = allocate(tokenBytes);
  tokensEnd = tokens + tokenBytes;
  nextToken = tokens;
  readToken = tokens;
  if (!staging || !tokens || !layOutOutput(outBytes, count)) return false;
  layOutAlphaEmit(width);
  if (keepsAlpha && !layOutAlpha(width, height, tileBits, bandRows, reach, alphaTokenBytes)) return false;
  mayBeLossless = losslessTokenBytes > 0;
  if ((keepsAlpha || mayBeLossless) && !layOutSymbols(mayBeLossless)) return false;
  if (
    mayBeLossless &&
    !layOutLossless(width, height, channels, tileBits, bandRows, reach, losslessTokenBytes, keepsAlpha)
  )
    return false;
  if (mayBeLossless && !layOutNear(width, roundedBits)) return false;
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

/** Lays out what codes a VP8L image. */
function layOutSymbols(inColour: boolean): boolean {
  return layOutCosts(inColour) && layOutCodes(inColour);
}

/** Returns the address at which the caller writes rows before `push`. */
export function stagingAddress(): usize {
  return staging;
}

/** Returns the bytes of memory in use. */
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
    if (mayBeLossless && isHeld) {
      readPixels(at, nextRowOfPixels());
      takePixels();
    }
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
  startPiece();
  while (emitted < known && hasRoom()) readToken = emitMacroblock(emitted++, readToken);
  return written();
}
