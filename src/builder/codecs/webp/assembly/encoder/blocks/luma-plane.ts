/** Encodes the luma of one macroblock as a plane, by the best of its four predictions. */
import {
  COEFFICIENT_BYTES,
  inverseTransform,
  inverseWht,
  loadBlock,
  storeBlock,
} from "../../shared/inverse-transform";
import { PLANE_MODES, predictPlane } from "../../shared/predict-plane";
import { luma, STRIDE } from "../../shared/work";
import { guess, takeBest } from "./candidates";
import { planeCandidates } from "./effort";
import { contextOf, flagBits, withFlag } from "./flags";
import { planeModeCost } from "../coding/modes";
import { satd } from "./satd";
import { lambda, lumaQuantiser, satdLambda, secondQuantiser } from "./segments";
import { LUMA_AC, LUMA_DC } from "../coding/tokens";
import { forwardTransform, forwardWht } from "./transform";
import { levelsEnd, quantiseBlock } from "./trellis";
import { lumaWeights, secondWeights } from "./weights";

/** Levels of 16 blocks, with their DCs as a 17th block, of the best mode; and the same of the mode that is tried. */
export let planeLevels = memory.data(17 * 32);
let triedLevels = memory.data(17 * 32);
const SECOND: usize = 16 * COEFFICIENT_BYTES;
export let planeMode = 0;

const predictions = memory.data(4 * 256);
/** Coefficients of 16 blocks; and their dequantised values, of the best mode and of the mode that is tried. */
const coefficients = memory.data(16 * 32);
let decoded = memory.data(16 * 32);
let triedDecoded = memory.data(16 * 32);
const second = memory.data(32);
const secondDecoded = memory.data(32);

@inline
function predictionOf(mode: i32, x: usize, y: usize): v128 {
  return loadBlock(predictions + ((<usize>mode) << 8) + (y << 4) + x, 16);
}

/**
 * Codes luma as one plane, and stores its levels.
 * @param above, left whether each of four blocks on that side has levels; a ninth flag is for the DCs
 * @returns error and bits as one number (the score)
 */
export function tryPlane(
  source: usize,
  stride: usize,
  hasAbove: boolean,
  hasLeft: boolean,
  above: usize,
  left: usize,
): f32 {
  predictPlane(luma, STRIDE, 16, hasAbove, hasLeft, predictions);
  for (let mode = 0; mode < PLANE_MODES; mode++) {
    const rest = satd(source, stride, predictions + ((<usize>mode) << 8), 16, 16, 16);
    guess(mode, (rest << 8) + satdLambda * planeModeCost(mode));
  }
  let best = f32.MAX_VALUE;
  for (let i = 0; i < planeCandidates; i++) {
    const mode = takeBest(PLANE_MODES);
    const score = codePlane(source, stride, mode, above, left, best);
    if (score >= best) continue;
    best = score;
    planeMode = mode;
    const levels = planeLevels;
    planeLevels = triedLevels;
    triedLevels = levels;
    const coded = decoded;
    decoded = triedDecoded;
    triedDecoded = coded;
  }
  return best;
}

/** Codes the plane with one mode. Stops once the score reaches `limit`. @returns the score */
function codePlane(source: usize, stride: usize, mode: i32, above: usize, left: usize, limit: f32): f32 {
  for (let i: usize = 0; i < 16; i++) {
    const x = (i & 3) << 2;
    const y = (i >> 2) << 2;
    const pixels = loadBlock(source + y * stride + x, stride);
    forwardTransform(pixels, predictionOf(mode, x, y), coefficients + i * COEFFICIENT_BYTES);
  }
  forwardWht(coefficients, second);
  const near = <i32>load<u8>(above, 8) + <i32>load<u8>(left, 8);
  let score = lambda * <f32>planeModeCost(mode);
  score += quantiseBlock(
    second,
    secondQuantiser,
    secondWeights,
    lambda,
    LUMA_DC,
    0,
    near,
    triedLevels + SECOND,
    secondDecoded,
  );
  let aboveBits = flagBits(above);
  let leftBits = flagBits(left);
  for (let i: usize = 0; i < 16; i++) {
    const at = i * COEFFICIENT_BYTES;
    const context = contextOf(i, aboveBits, leftBits);
    score += quantiseBlock(
      coefficients + at,
      lumaQuantiser,
      lumaWeights,
      lambda,
      LUMA_AC,
      1,
      context,
      triedLevels + at,
      triedDecoded + at,
    );
    if (score >= limit) return score;
    const has = levelsEnd ? 1 : 0;
    aboveBits = withFlag(aboveBits, i & 3, has);
    leftBits = withFlag(leftBits, i >> 2, has);
  }
  inverseWht(secondDecoded, triedDecoded);
  return score;
}

/** Copies the plane that `tryPlane` chose to the reconstruction in work.ts. */
export function usePlane(): void {
  for (let i: usize = 0; i < 16; i++) {
    const x = (i & 3) << 2;
    const y = (i >> 2) << 2;
    const block = inverseTransform(decoded + i * COEFFICIENT_BYTES, predictionOf(planeMode, x, y));
    storeBlock(luma + y * STRIDE + x, STRIDE, block);
  }
}
