/** Luma of one macroblock, predicted as a plane or in blocks: which predictions serve best, and what they leave. */
import {
  COEFFICIENT_BYTES,
  inverseTransform,
  inverseWht,
  loadBlock,
  storeBlock,
} from "../shared/inverse-transform";
import { BLOCK_MODES, predictBlock } from "../shared/predict-block";
import { PLANE_MODES, predictPlane } from "../shared/predict-plane";
import { luma, STRIDE } from "../shared/work";
import { blockCost } from "./level-cost";
import { blockModeCostsAt, inBlocksCost, planeModeCost } from "./modes";
import { quantise } from "./quantise";
import { satd, satdOfTwo, squaredError } from "./satd";
import { lambda, lumaQuantiser, satdLambda, secondQuantiser } from "./segments";
import { LUMA, LUMA_AC, LUMA_DC, nonZero } from "./tokens";
import { forwardTransform, forwardWht } from "./transform";

/** Levels of both ways: 16 blocks, and for the plane their DCs as a 17th. */
export const planeLevels = memory.data(17 * 32);
export const blockLevels = memory.data(16 * 32);
/** The plane's mode and the sixteen of the blocks. */
export let planeMode = 0;
export const blockModes = memory.data(16);

/** Predictions: four planes, or ten blocks. */
const predictions = memory.data(4 * 256);
const coefficients = memory.data(16 * 32);
const second = memory.data(32);
/** The plane as decoded, in rows of 16. */
const decoded = memory.data(256);

/** Which of a block's ten predictions is the best, by what it leaves and costs to name. */
// @ts-ignore: decorator
@inline
function bestBlockMode(source: v128, costs: usize): i32 {
  let best = i32.MAX_VALUE;
  let mode = 0;
  for (let i = 0; i < BLOCK_MODES; i += 2) {
    const at = predictions + (<usize>i << 4);
    const left = satdOfTwo(source, v128.load(at), v128.load(at, 16));
    const a = (i32x4.extract_lane(left, 0) << 8) + satdLambda * <i32>load<u16>(costs + (<usize>i << 1));
    const b = (i32x4.extract_lane(left, 1) << 8) + satdLambda * <i32>load<u16>(costs + (<usize>i << 1), 2);
    if (a < best) {
      best = a;
      mode = i;
    }
    if (b < best) {
      best = b;
      mode = i + 1;
    }
  }
  return mode;
}

/**
 * Codes the plane as one, and keeps its levels and what a decoder makes of it.
 * @param above, left whether each of four blocks on that side has levels; a fifth tells of the DCs
 * @returns error and bits as one number
 */
export function tryPlane(
  source: usize,
  stride: usize,
  hasAbove: bool,
  hasLeft: bool,
  above: usize,
  left: usize,
): f32 {
  predictPlane(luma, STRIDE, 16, hasAbove, hasLeft, predictions);
  let best = i32.MAX_VALUE;
  for (let mode = 0; mode < PLANE_MODES; mode++) {
    const rest = satd(source, stride, predictions + (<usize>mode << 8), 16, 16, 16);
    const score = (rest << 8) + satdLambda * planeModeCost(mode);
    if (score >= best) continue;
    best = score;
    planeMode = mode;
  }
  const prediction = predictions + (<usize>planeMode << 8);
  for (let i: usize = 0; i < 16; i++) {
    const x = (i & 3) << 2;
    const y = (i >> 2) << 2;
    forwardTransform(
      loadBlock(source + y * stride + x, stride),
      loadBlock(prediction + (y << 4) + x, 16),
      coefficients + i * COEFFICIENT_BYTES,
    );
  }
  forwardWht(coefficients, second);
  quantise(second, secondQuantiser, planeLevels + 16 * COEFFICIENT_BYTES, false);
  const context = <i32>load<u8>(above, 8) + <i32>load<u8>(left, 8);
  let bits = planeModeCost(planeMode) + blockCost(planeLevels + 16 * COEFFICIENT_BYTES, LUMA_DC, 0, context);
  for (let i: usize = 0; i < 16; i++) {
    const at = i * COEFFICIENT_BYTES;
    quantise(coefficients + at, lumaQuantiser, planeLevels + at, true);
  }
  inverseWht(second, coefficients);
  let error = 0;
  let aboveBits = contextBits(above);
  let leftBits = contextBits(left);
  for (let i: usize = 0; i < 16; i++) {
    const x = (i & 3) << 2;
    const y = (i >> 2) << 2;
    const at = i * COEFFICIENT_BYTES;
    const block = inverseTransform(coefficients + at, loadBlock(prediction + (y << 4) + x, 16));
    storeBlock(decoded + (y << 4) + x, 16, block);
    error += squaredError(block, loadBlock(source + y * stride + x, stride));
    const near = ((aboveBits >> <i32>(i & 3)) & 1) + ((leftBits >> <i32>(i >> 2)) & 1);
    bits += blockCost(planeLevels + at, LUMA_AC, 1, near);
    const has = nonZero(planeLevels + at) ? 1 : 0;
    aboveBits = (aboveBits & ~(1 << <i32>(i & 3))) | (has << <i32>(i & 3));
    leftBits = (leftBits & ~(1 << <i32>(i >> 2))) | (has << <i32>(i >> 2));
  }
  return <f32>error + lambda * <f32>bits;
}

/** Four flags of a byte each as bits. */
// @ts-ignore: decorator
@inline
function contextBits(flags: usize): i32 {
  return <i32>(((load<u32>(flags) & 0x01010101) * 0x01020408) >> 24);
}

/** Puts the plane that `tryPlane` made at work. */
export function usePlane(): void {
  for (let y: usize = 0; y < 16; y++) v128.store(luma + y * STRIDE, v128.load(decoded + (y << 4)));
}

/** What naming the modes cost in the last call of `tryBlocks`, in 1/256 bits. */
export let blockModeBits = 0;

/**
 * Codes the sixteen blocks one after another, each predicted from those before, in the macroblock at work.
 * @param aboveModes, leftModes of the four blocks on that side
 * @param limit gives up once the score reaches this
 * @returns error and bits as one number
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
  let error = 0;
  let bits = inBlocksCost();
  blockModeBits = bits;
  let aboveBits = contextBits(above);
  let leftBits = contextBits(left);
  for (let i: usize = 0; i < 16; i++) {
    const x = (i & 3) << 2;
    const y = (i >> 2) << 2;
    const at = luma + y * STRIDE + x;
    const pixels = loadBlock(source + y * stride + x, stride);
    predictBlock(at, STRIDE, predictions);
    const modeAbove = i < 4 ? load<u8>(aboveModes + i) : load<u8>(blockModes + i - 4);
    const modeLeft = (i & 3) == 0 ? load<u8>(leftModes + (i >> 2)) : load<u8>(blockModes + i - 1);
    const costs = blockModeCostsAt(modeAbove, modeLeft);
    const mode = bestBlockMode(pixels, costs);
    const modeCost = <i32>load<u16>(costs + (<usize>mode << 1));
    store<u8>(blockModes + i, <u8>mode);
    const prediction = v128.load(predictions + (<usize>mode << 4));
    const levels = blockLevels + i * COEFFICIENT_BYTES;
    forwardTransform(pixels, prediction, coefficients);
    quantise(coefficients, lumaQuantiser, levels, false);
    const block = inverseTransform(coefficients, prediction);
    storeBlock(at, STRIDE, block);
    error += squaredError(block, pixels);
    const near = ((aboveBits >> <i32>(i & 3)) & 1) + ((leftBits >> <i32>(i >> 2)) & 1);
    bits += modeCost + blockCost(levels, LUMA, 0, near);
    blockModeBits += modeCost;
    const has = nonZero(levels) ? 1 : 0;
    aboveBits = (aboveBits & ~(1 << <i32>(i & 3))) | (has << <i32>(i & 3));
    leftBits = (leftBits & ~(1 << <i32>(i >> 2))) | (has << <i32>(i >> 2));
    if (<f32>error + lambda * <f32>bits >= limit) return f32.MAX_VALUE;
  }
  return <f32>error + lambda * <f32>bits;
}
