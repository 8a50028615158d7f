/** Searches for the best way to code a block of given sides. */
import { symbolCost } from "../coder/bit-cost";
import {
  bestAlpha,
  chromaHasLevels,
  chromaRate,
  keepChroma,
  predictChroma,
  prepareDetail,
  settleChroma,
  tryChroma,
} from "../block/chroma";
import { chromaShift, noteBlock, restoreContexts, saveContexts, skipCdf } from "../block/context";
import {
  ALPHA_U,
  ALPHA_V,
  ANGLE,
  chromaModeCost,
  DEPTH,
  depthCost,
  MODE,
  modeCost,
  SKIPPED,
  UV_ANGLE,
  UV_MODE,
} from "../block/info";
import {
  ALL_TYPES,
  LIKELY_TYPES,
  lumaHasLevels,
  lumaRate,
  setLuma,
  tryLuma,
  txHigh,
  txWide,
} from "../block/luma";
import { planeCount, restoreBlock, saveBlock } from "../block/planes";
import { lambda } from "../block/quantiser";
import { collectBlockEdges, openBlock, prediction } from "../block/transform-block";
import { CFL_PRED, DC_PRED, predict } from "../predict/modes";
import { pickedAngle, pickedMode, pickMode, RATE_WEIGHT } from "./modes";
import { satd } from "./satd";

const entry = memory.data(256, 16);
const after = memory.data(256, 16);
const saved = memory.data(32 * 32, 16);
const trial = memory.data(16, 16);

/** What chroma modes cost before transforms (f32), and how near to the least of them one must be for a full trial. */
const guesses = memory.data(3 * 4, 16);
const NEAR: f32 = 1.4;

/** Log2 of the largest squares whose transform may be divided. */
const LARGEST_DIVIDED: i32 = 4;

/**
 * Writes the best way to code a block to `info`, reconstructs it so, and records it. Sizes are log2.
 * @returns its cost, without that of the partition; Infinity when it was given up because it costs `limit` or more
 */
export function searchBlock(info: usize, x: i32, y: i32, wide: i32, high: i32, limit: f32): f32 {
  const width = 1 << wide;
  const height = 1 << high;
  saveContexts(entry, x, y, width, height);
  let cost = searchLuma(info, x, y, wide, high);
  let hasLevels = lumaHasLevels;
  let rate = lumaRate;
  // Without levels, a block may do without what says so of each transform.
  if (cost - (hasLevels ? 0 : lambda * <f32>rate) >= limit) return Infinity;
  if (planeCount > 1) {
    cost += searchChroma(info, x, y, wide - chromaShift, high - chromaShift);
    hasLevels = hasLevels || chromaHasLevels;
    rate += chromaRate;
  }
  const skip = skipCdf(x, y);
  if (hasLevels) cost += lambda * <f32>symbolCost(skip, 0, 2);
  else cost += lambda * <f32>(symbolCost(skip, 1, 2) - rate);
  store<u8>(info, hasLevels ? 0 : 1, SKIPPED);
  noteInfo(info, x, y, wide, high);
  return cost;
}

/** Records a block for those after it. */
export function noteInfo(info: usize, x: i32, y: i32, wide: i32, high: i32): void {
  const depth = <i32>load<u8>(info, DEPTH);
  const skipped = <i32>load<u8>(info, SKIPPED);
  noteBlock(
    x,
    y,
    wide,
    high,
    load<u8>(info, MODE),
    skipped,
    txWide(wide, high, depth),
    txHigh(wide, high, depth),
  );
}

function searchLuma(info: usize, x: i32, y: i32, wide: i32, high: i32): f32 {
  const width = 1 << wide;
  const height = 1 << high;
  pickMode(x, y, wide, high);
  v128.store(info, i64x2.splat(0));
  store<u8>(info, pickedMode, MODE);
  store<i8>(info, pickedAngle, ANGLE);
  const modes = modeCost(x, y, pickedMode, pickedAngle);
  const flat = lambda * <f32>(modes + depthCost(x, y, wide, high, 0));
  const best = tryLuma(info, x, y, wide, high, ALL_TYPES, Infinity) + flat;
  if (wide != high || wide > LARGEST_DIVIDED || !lumaHasLevels) return best;
  // The same in smaller transforms.
  const deep = lambda * <f32>(modes + depthCost(x, y, wide, high, 1));
  const hasLevels = lumaHasLevels;
  const rate = lumaRate;
  saveContexts(after, x, y, width, height);
  saveBlock(saved, 0, x, y, width, height);
  restoreContexts(entry, x, y, width, height);
  v128.store(trial, v128.load(info));
  store<u8>(trial, 1, DEPTH);
  const cost = tryLuma(trial, x, y, wide, high, LIKELY_TYPES, best - deep) + deep;
  if (cost < best) {
    v128.store(info, v128.load(trial));
    return cost;
  }
  restoreContexts(after, x, y, width, height);
  restoreBlock(saved, 0, x, y, width, height);
  setLuma(rate, hasLevels);
  return best;
}

function searchChroma(info: usize, x: i32, y: i32, wide: i32, high: i32): f32 {
  const luma = <i32>load<u8>(info, MODE);
  const angle = <i32>load<i8>(info, ANGLE);
  const weight = <f32>(Math.sqrt(lambda) * RATE_WEIGHT);
  prepareDetail(x, y, wide, high);
  v128.store(trial, v128.load(info));
  for (let plane = 1; plane <= 2; plane++) {
    openBlock(plane, x >> chromaShift, y >> chromaShift, wide, high, true);
    collectBlockEdges();
    predict(prediction, DC_PRED, 0, 1 << wide, 1 << high);
    store<i8>(trial + plane - 1, bestAlpha(plane, x, y, wide, high), ALPHA_U);
  }
  const canUseLuma = load<u16>(trial, ALPHA_U) != 0;
  // Chroma from luma, the mode of luma, and DC.
  let least: f32 = Infinity;
  for (let i = 0; i < 3; i++) {
    const mode = i == 0 ? CFL_PRED : i == 1 ? luma : DC_PRED;
    const isOut = (i == 0 && !canUseLuma) || (i == 2 && luma == DC_PRED);
    store<u8>(trial, mode, UV_MODE);
    store<i8>(trial, i == 1 ? angle : 0, UV_ANGLE);
    const cost = isOut
      ? <f32>Infinity
      : chromaResidue(trial, x, y, wide, high) + weight * <f32>chromaModesCost(trial);
    store<f32>(guesses + ((<usize>i) << 2), cost);
    least = min(least, cost);
  }
  let best: f32 = Infinity;
  for (let i = 0; i < 3; i++) {
    if (load<f32>(guesses + ((<usize>i) << 2)) > least * NEAR) continue;
    store<u8>(trial, i == 0 ? CFL_PRED : i == 1 ? luma : DC_PRED, UV_MODE);
    store<i8>(trial, i == 1 ? angle : 0, UV_ANGLE);
    const rate = lambda * <f32>chromaModesCost(trial);
    const cost = tryChroma(trial, x, y, wide, high, rate, best);
    if (cost >= best) continue;
    best = cost;
    keepChroma();
    v128.store(info, v128.load(trial));
  }
  settleChroma(x, y, wide, high);
  return best;
}

/** The cost of the chroma modes of a block. */
function chromaModesCost(info: usize): i32 {
  const luma = <i32>load<u8>(info, MODE);
  const mode = <i32>load<u8>(info, UV_MODE);
  const angle = <i32>load<i8>(info, UV_ANGLE);
  return chromaModeCost(luma, mode, angle, load<i8>(info, ALPHA_U), load<i8>(info, ALPHA_V));
}

/** The cost of what the chroma modes of a block leave, before transforms. */
function chromaResidue(info: usize, x: i32, y: i32, wide: i32, high: i32): f32 {
  let sum = 0;
  for (let plane = 1; plane <= 2; plane++) {
    predictChroma(info, plane, x, y, wide, high);
    sum += satd(wide, high);
  }
  return <f32>sum;
}
