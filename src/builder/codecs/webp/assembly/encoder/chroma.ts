/** Both chroma planes of one macroblock, which share a prediction mode (RFC 6386, 12.2). */
import { COEFFICIENT_BYTES, inverseTransform, loadBlock, storeBlock } from "../shared/inverse-transform";
import { PLANE_MODES, predictPlane } from "../shared/predict-plane";
import { cb, cr, STRIDE } from "../shared/work";
import { chromaModeCost } from "./modes";
import { quantise } from "./quantise";
import { satd } from "./satd";
import { chromaQuantiser, satdLambda } from "./segments";
import { forwardTransform } from "./transform";

/** Levels of four blocks of Cb, then four of Cr. */
export const chromaLevels = memory.data(8 * 32);

const cbPredictions = memory.data(4 * 64);
const crPredictions = memory.data(4 * 64);
const coefficients = memory.data(32);

function encodePlane(source: usize, stride: usize, to: usize, prediction: usize, levels: usize): void {
  for (let i: usize = 0; i < 4; i++) {
    const x = (i & 1) << 2;
    const y = (i >> 1) << 2;
    const predicted = loadBlock(prediction + (y << 3) + x, 8);
    forwardTransform(loadBlock(source + y * stride + x, stride), predicted, coefficients);
    quantise(coefficients, chromaQuantiser, levels + i * COEFFICIENT_BYTES, false);
    storeBlock(to + y * STRIDE + x, STRIDE, inverseTransform(coefficients, predicted));
  }
}

/** Codes both planes in the macroblock at work. @returns the mode */
export function encodeChroma(
  cbSource: usize,
  crSource: usize,
  stride: usize,
  hasAbove: bool,
  hasLeft: bool,
): i32 {
  predictPlane(cb, STRIDE, 8, hasAbove, hasLeft, cbPredictions);
  predictPlane(cr, STRIDE, 8, hasAbove, hasLeft, crPredictions);
  let best = i32.MAX_VALUE;
  let chosen = 0;
  for (let mode = 0; mode < PLANE_MODES; mode++) {
    const offset = (<usize>mode) << 6;
    const rest =
      satd(cbSource, stride, cbPredictions + offset, 8, 8, 8) +
      satd(crSource, stride, crPredictions + offset, 8, 8, 8);
    const score = (rest << 8) + satdLambda * chromaModeCost(mode);
    if (score >= best) continue;
    best = score;
    chosen = mode;
  }
  const offset = (<usize>chosen) << 6;
  encodePlane(cbSource, stride, cb, cbPredictions + offset, chromaLevels);
  encodePlane(crSource, stride, cr, crPredictions + offset, chromaLevels + 4 * COEFFICIENT_BYTES);
  return chosen;
}
