/** Searches for the best way to code a block of given sides. */
import { symbolCost } from "../coder/bit-cost";
import { chromaHasLevels, chromaRate, bestAlpha, prepareDetail, tryChroma } from "../block/chroma";
import { chromaShift, noteBlock, restoreContexts, saveContexts, skipCdf } from "../block/context";
import {
  ALPHA_U,
  ALPHA_V,
  ANGLE,
  chromaModeCost,
  DEPTH,
  depthCost,
  INFO_BYTES,
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
import { pickedAngle, pickedMode, pickMode } from "./modes";

const entry = memory.data(256, 16);
const after = memory.data(256, 16);
const saved = memory.data(32 * 32, 16);
const trial = memory.data(16, 16);

/** Log2 of the largest squares whose transform may be divided. */
const LARGEST_DIVIDED: i32 = 4;

/**
 * Writes the best way to code a block to `info`, reconstructs it so, and records it. Sizes are log2.
 * @returns its cost, without that of the partition
 */
export function searchBlock(info: usize, x: i32, y: i32, wide: i32, high: i32): f32 {
  const width = 1 << wide;
  const height = 1 << high;
  saveContexts(entry, x, y, width, height);
  let cost = searchLuma(info, x, y, wide, high);
  let hasLevels = lumaHasLevels;
  let rate = lumaRate;
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
  memory.fill(info, 0, INFO_BYTES);
  store<u8>(info, pickedMode, MODE);
  store<i8>(info, pickedAngle, ANGLE);
  const modes = modeCost(x, y, pickedMode, pickedAngle);
  const flat = lambda * <f32>(modes + depthCost(x, y, wide, high, 0));
  const best = tryLuma(info, x, y, wide, high, ALL_TYPES) + flat;
  if (wide != high || wide > LARGEST_DIVIDED) return best;
  // The same in smaller transforms.
  const deep = lambda * <f32>(modes + depthCost(x, y, wide, high, 1));
  const hasLevels = lumaHasLevels;
  const rate = lumaRate;
  saveContexts(after, x, y, width, height);
  saveBlock(saved, 0, x, y, width, height);
  restoreContexts(entry, x, y, width, height);
  memory.copy(trial, info, INFO_BYTES);
  store<u8>(trial, 1, DEPTH);
  const cost = tryLuma(trial, x, y, wide, high, LIKELY_TYPES) + deep;
  if (cost < best) {
    memory.copy(info, trial, INFO_BYTES);
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
  prepareDetail(x, y, wide, high);
  memory.copy(trial, info, INFO_BYTES);
  for (let plane = 1; plane <= 2; plane++) {
    openBlock(plane, x >> chromaShift, y >> chromaShift, wide, high, true);
    collectBlockEdges();
    predict(prediction, DC_PRED, 0, 1 << wide, 1 << high);
    store<i8>(trial + plane - 1, bestAlpha(plane, x, y, wide, high), ALPHA_U);
  }
  const canUseLuma = load<u16>(trial, ALPHA_U) != 0;
  saveContexts(after, x, y, 1 << (wide + chromaShift), 1 << (high + chromaShift));
  let best: f32 = Infinity;
  let last = -1;
  // Chroma from luma, the mode of luma, and DC.
  for (let i = 0; i < 3; i++) {
    const mode = i == 0 ? CFL_PRED : i == 1 ? luma : DC_PRED;
    if ((i == 0 && !canUseLuma) || (i == 2 && luma == DC_PRED)) continue;
    store<u8>(trial, mode, UV_MODE);
    store<i8>(trial, i == 1 ? angle : 0, UV_ANGLE);
    if (last >= 0) restoreContexts(after, x, y, 1 << (wide + chromaShift), 1 << (high + chromaShift));
    const rate = chromaModeCost(
      luma,
      mode,
      i == 1 ? angle : 0,
      load<i8>(trial, ALPHA_U),
      load<i8>(trial, ALPHA_V),
    );
    const cost = tryChroma(trial, x, y, wide, high) + lambda * <f32>rate;
    last = i;
    if (cost >= best) continue;
    best = cost;
    memory.copy(info, trial, INFO_BYTES);
  }
  const isLast = load<u8>(info, UV_MODE) == load<u8>(trial, UV_MODE);
  if (!isLast) {
    restoreContexts(after, x, y, 1 << (wide + chromaShift), 1 << (high + chromaShift));
    tryChroma(info, x, y, wide, high);
  }
  return best;
}
