/** Encodes the luma of one macroblock in 4 x 4 blocks, and chooses the prediction of each. */
import { COEFFICIENT_BYTES, inverseTransform, loadBlock, storeBlock } from "../../shared/inverse-transform";
import { BLOCK_MODES, predictBlock } from "../../shared/predict-block";
import { luma, STRIDE } from "../../shared/work";
import { guess, takeBest } from "./candidates";
import { blockCandidates } from "./effort";
import { contextOf, flagBits, withFlag } from "./flags";
import { blockModeCostsAt, inBlocksCost } from "../coding/modes";
import { satdOfTwo } from "./satd";
import { lambda, lumaQuantiser, satdLambda } from "./segments";
import { LUMA } from "../coding/tokens";
import { forwardTransform } from "./transform";
import { levelsEnd, quantiseBlock } from "./trellis";
import { lumaWeights } from "./weights";

/** Levels of 16 blocks, and their modes. */
export const blockLevels = memory.data(16 * 32);
export const blockModes = memory.data(16);
/** The cost of the modes in the last call of `tryBlocks`, in 1/256 bits. */
export let blockModeBits = 0;

const predictions = memory.data(10 * 16);
const coefficients = memory.data(32);
/** Levels of the mode that is tried; dequantised coefficients of it and of the best mode. */
const triedLevels = memory.data(32);
const triedDecoded = memory.data(32);
const decoded = memory.data(32);

@inline
function guessModes(pixels: v128, costs: usize): void {
  for (let mode = 0; mode < BLOCK_MODES; mode += 2) {
    const at = predictions + ((<usize>mode) << 4);
    const cost = costs + ((<usize>mode) << 1);
    const rest = satdOfTwo(pixels, v128.load(at), v128.load(at, 16));
    guess(mode, (i32x4.extract_lane(rest, 0) << 8) + satdLambda * <i32>load<u16>(cost));
    guess(mode + 1, (i32x4.extract_lane(rest, 1) << 8) + satdLambda * <i32>load<u16>(cost, 2));
  }
}

@inline
function copyBlock(to: usize, from: usize): void {
  v128.store(to, v128.load(from));
  v128.store(to, v128.load(from, 16), 16);
}

/**
 * Codes the sixteen blocks of the current macroblock.
 * @param above, left whether each of four blocks on that side has levels
 * @param aboveModes, leftModes of the four blocks on that side
 * @param limit stops once the score reaches this
 * @returns error and bits as one number (the score)
 */
export function tryBlocks(
  source: usize,
  stride: usize,
  above: usize,
  left: usize,
  aboveModes: usize,
  leftModes: usize,
  limit: f32,
): f32 {
  let score = lambda * <f32>inBlocksCost();
  blockModeBits = inBlocksCost();
  let aboveBits = flagBits(above);
  let leftBits = flagBits(left);
  for (let i: usize = 0; i < 16; i++) {
    const x = (i & 3) << 2;
    const y = (i >> 2) << 2;
    const at = luma + y * STRIDE + x;
    const pixels = loadBlock(source + y * stride + x, stride);
    predictBlock(at, STRIDE, predictions);
    const modeAbove = i < 4 ? load<u8>(aboveModes + i) : load<u8>(blockModes + i - 4);
    const modeLeft = (i & 3) == 0 ? load<u8>(leftModes + (i >> 2)) : load<u8>(blockModes + i - 1);
    const costs = blockModeCostsAt(modeAbove, modeLeft);
    guessModes(pixels, costs);
    const context = contextOf(i, aboveBits, leftBits);
    const levels = blockLevels + i * COEFFICIENT_BYTES;
    let least = f32.MAX_VALUE;
    let best = 0;
    let has = 0;
    for (let tried = 0; tried < blockCandidates; tried++) {
      const mode = takeBest(BLOCK_MODES);
      forwardTransform(pixels, v128.load(predictions + ((<usize>mode) << 4)), coefficients);
      let value = lambda * <f32>load<u16>(costs + ((<usize>mode) << 1));
      value += quantiseBlock(
        coefficients,
        lumaQuantiser,
        lumaWeights,
        lambda,
        LUMA,
        0,
        context,
        triedLevels,
        triedDecoded,
      );
      if (value >= least) continue;
      least = value;
      best = mode;
      has = levelsEnd ? 1 : 0;
      copyBlock(levels, triedLevels);
      copyBlock(decoded, triedDecoded);
    }
    store<u8>(blockModes + i, <u8>best);
    storeBlock(at, STRIDE, inverseTransform(decoded, v128.load(predictions + ((<usize>best) << 4))));
    score += least;
    blockModeBits += load<u16>(costs + ((<usize>best) << 1));
    aboveBits = withFlag(aboveBits, i & 3, has);
    leftBits = withFlag(leftBits, i >> 2, has);
    if (score >= limit) return f32.MAX_VALUE;
  }
  return score;
}
