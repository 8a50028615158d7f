/** Where all coders write, one after another: a piece of a partition, of alpha, or of the picture without loss. */
import { allocate } from "../../../../pixels/assembly/shared/arena";
import { emitAlphaTokens } from "./alpha/alpha-emit";
import { finishCoder, outputPosition, setOutput, startCoder } from "./coding/bool-coder";
import { putFrameHeader } from "./coding/frame-header";
import { emitColourTokens } from "./lossless/lossless-emit";
import { emitModes, skipProbability } from "./coding/second-pass";
import { MODE_BYTES_MIN, MOST_MACROBLOCK_BYTES } from "./sizes";
import { flushSymbols } from "./symbols/symbol-writer";
export { carriesOver } from "./coding/bool-coder";

let output: usize = 0;
let outputEnd: usize = 0;
/** Macroblocks of the picture, and those whose modes were coded. */
let count = 0;
let modesDone = -1;
let spareBytes: usize = 0;

/** @returns false when the memory is at its end */
export function layOutOutput(bytes: i32, macroblocks: i32): boolean {
  count = macroblocks;
  output = allocate(bytes);
  outputEnd = output + bytes;
  return output ? true : false;
}

/** Returns the address at which `emit` and `emitFirst` write. */
export function outputAddress(): usize {
  return output;
}

/** Begins the next piece of a partition. */
export function startPiece(): void {
  setOutput(output);
}

/** Returns whether another macroblock fits the piece. */
export function hasRoom(): boolean {
  return outputPosition() + MOST_MACROBLOCK_BYTES < outputEnd;
}

/** Returns the bytes of the piece so far. */
export function written(): i32 {
  return <i32>(outputPosition() - output);
}

/** Ends a partition. @returns bytes written */
export function flush(): i32 {
  startPiece();
  finishCoder(spareBytes);
  return written();
}

/**
 * Codes the next part of the first partition, after the second was flushed. @returns bytes written; -1 when it is
 * complete
 */
export function emitFirst(): i32 {
  if (modesDone == count) return -1;
  startPiece();
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

/** Codes the next tokens of the picture without loss. @returns bytes written; 0 when all are coded */
export function emitLossless(): i32 {
  return emitColourTokens(output, outputEnd);
}

/** Ends the data of alpha, or of the picture without loss. @returns bytes written */
export function flushTokens(): i32 {
  return flushSymbols(output);
}
