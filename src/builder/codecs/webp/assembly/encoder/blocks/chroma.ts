/** Encodes both chroma planes of one macroblock, which share a prediction mode (RFC 6386, 12.2). */
import { COEFFICIENT_BYTES, inverseTransform, loadBlock, storeBlock } from "../../shared/inverse-transform";
import { PLANE_MODES, predictPlane } from "../../shared/predict-plane";
import { cb, cr, STRIDE } from "../../shared/work";
import { guess, takeBest } from "./candidates";
import { planeCandidates } from "./effort";
import { chromaModeCost } from "../coding/modes";
import { satd } from "./satd";
import { chromaLambda, chromaQuantiser, satdLambda } from "./segments";
import { CHROMA } from "../coding/tokens";
import { forwardTransform } from "./transform";
import { levelsEnd, quantiseBlock } from "./trellis";
import { chromaWeights } from "./weights";

/** Levels of four blocks of Cb, then four of Cr, of the best mode; and the same of the mode that is tried. */
export let chromaLevels = memory.data(8 * 32);
let triedLevels = memory.data(8 * 32);
let decoded = memory.data(8 * 32);
let triedDecoded = memory.data(8 * 32);

const cbPredictions = memory.data(4 * 64);
const crPredictions = memory.data(4 * 64);
const coefficients = memory.data(32);

/**
 * Codes one plane with one mode.
 * @param from number of the plane's first block
 * @param above, left whether both blocks on that side have levels
 * @returns error and bits as one number (the score)
 */
function codePlane(
  source: usize,
  stride: usize,
  prediction: usize,
  from: usize,
  above: usize,
  left: usize,
): f32 {
  let score: f32 = 0;
  let aboveBits = (<i32>load<u8>(above)) | ((<i32>load<u8>(above, 1)) << 1);
  for (let y: usize = 0; y < 2; y++) {
    let side = <i32>load<u8>(left + y);
    for (let x: usize = 0; x < 2; x++) {
      const pixels = loadBlock(source + 4 * (y * stride + x), stride);
      forwardTransform(pixels, loadBlock(prediction + 32 * y + 4 * x, 8), coefficients);
      const at = (from + 2 * y + x) * COEFFICIENT_BYTES;
      const context = side + ((aboveBits >> (<i32>x)) & 1);
      score += quantiseBlock(
        coefficients,
        chromaQuantiser,
        chromaWeights,
        chromaLambda,
        CHROMA,
        0,
        context,
        triedLevels + at,
        triedDecoded + at,
      );
      side = levelsEnd ? 1 : 0;
      aboveBits = (aboveBits & ~(1 << (<i32>x))) | (side << (<i32>x));
    }
  }
  return score;
}

/** Copies one plane of the best mode to the reconstruction in work.ts. */
function usePlane(to: usize, prediction: usize, from: usize): void {
  for (let i: usize = 0; i < 4; i++) {
    const x = (i & 1) << 2;
    const y = (i >> 1) << 2;
    const block = inverseTransform(
      decoded + (from + i) * COEFFICIENT_BYTES,
      loadBlock(prediction + (y << 3) + x, 8),
    );
    storeBlock(to + y * STRIDE + x, STRIDE, block);
  }
}

/**
 * Codes both planes of the current macroblock.
 * @param above, left whether two blocks of Cb, then two of Cr on that side have levels
 * @returns the mode
 */
export function encodeChroma(
  cbSource: usize,
  crSource: usize,
  stride: usize,
  hasAbove: boolean,
  hasLeft: boolean,
  above: usize,
  left: usize,
): i32 {
  predictPlane(cb, STRIDE, 8, hasAbove, hasLeft, cbPredictions);
  predictPlane(cr, STRIDE, 8, hasAbove, hasLeft, crPredictions);
  for (let mode = 0; mode < PLANE_MODES; mode++) {
    const offset = (<usize>mode) << 6;
    const rest =
      satd(cbSource, stride, cbPredictions + offset, 8, 8, 8) +
      satd(crSource, stride, crPredictions + offset, 8, 8, 8);
    guess(mode, (rest << 8) + satdLambda * chromaModeCost(mode));
  }
  let least = f32.MAX_VALUE;
  let best = 0;
  for (let tried = 0; tried < planeCandidates; tried++) {
    const mode = takeBest(PLANE_MODES);
    const offset = (<usize>mode) << 6;
    let score = chromaLambda * <f32>chromaModeCost(mode);
    score += codePlane(cbSource, stride, cbPredictions + offset, 0, above, left);
    score += codePlane(crSource, stride, crPredictions + offset, 4, above + 2, left + 2);
    if (score >= least) continue;
    least = score;
    best = mode;
    const levels = chromaLevels;
    chromaLevels = triedLevels;
    triedLevels = levels;
    const coded = decoded;
    decoded = triedDecoded;
    triedDecoded = coded;
  }
  const offset = (<usize>best) << 6;
  usePlane(cb, cbPredictions + offset, 0);
  usePlane(cr, crPredictions + offset, 4);
  return best;
}
