/** The luma of a block: one transform of its size, or smaller ones in its place. */
import { paintLuma } from "../palette/luma";
import { isDrawing } from "../palette/tools";
import { predict } from "../predict/modes";
import { IDTX } from "../transform/identity";
import { H_DCT, V_DCT } from "../transform/one-way";
import { ADST_ADST, ADST_DCT, DCT_ADST, DCT_DCT } from "../transform/transform";
import { markCoded } from "./decoded";
import {
  ANGLE,
  DEPTH,
  likelyType,
  MODE,
  PALETTE,
  typeCdf,
  typeCost,
  typeCount,
  TYPES,
  typeSymbol,
} from "./info";
import { collectBlockEdges, openBlock, prediction, subtract } from "./open-block";
import {
  bestCost,
  bestHasLevels,
  bestRate,
  bestType,
  keepTrial,
  LUMA_SLOT,
  putTransform,
  putTrial,
  settle,
  startTrial,
  transformToColumns,
  tryColumns,
  tryHorizontal,
  tryIdentity,
  tryNothing,
  tryType,
  tryVertical,
} from "./transform-block";

/** How many types of transform are tried. */
export const LIKELY_TYPES: i32 = 1;
export const ALL_TYPES: i32 = 2;

/** Rate of the luma that was coded last, in units. */
export let lumaRate: i32 = 0;
export let lumaHasLevels = false;

/** Returns log2 of the width of the transforms of a block, at a depth of 0 or 1: the longer side is halved first. */
@inline
export function txWide(wide: i32, high: i32, depth: i32): i32 {
  return depth > 0 && wide >= high ? wide - 1 : wide;
}

@inline
export function txHigh(wide: i32, high: i32, depth: i32): i32 {
  return depth > 0 && high >= wide ? high - 1 : high;
}

/**
 * Chooses the levels of the luma of a block, and reconstructs it, unless it costs `limit` or more.
 * @returns the cost, without that of the modes; Infinity when it was given up
 */
export function tryLuma(info: usize, x: i32, y: i32, wide: i32, high: i32, tries: i32, limit: f32): f32 {
  const mode = <i32>load<u8>(info, MODE);
  const depth = <i32>load<u8>(info, DEPTH);
  const w = txWide(wide, high, depth);
  const h = txHigh(wide, high, depth);
  let cost: f32 = 0;
  let types = info + TYPES;
  lumaRate = 0;
  lumaHasLevels = false;
  markCoded(x, y, 1 << wide, 1 << high, false);
  for (let row = y; row < y + (1 << high); row += 1 << h) {
    for (let column = x; column < x + (1 << wide); column += 1 << w) {
      openTransform(info, column, row, w, h, depth);
      startTrial();
      tryTypes(mode, w, h, tries);
      store<u8>(types++, bestType);
      cost += bestCost;
      if (cost >= limit) {
        markCoded(x, y, 1 << wide, 1 << high, true);
        return Infinity;
      }
      lumaRate += bestRate;
      if (settle()) lumaHasLevels = true;
      markCoded(column, row, 1 << w, 1 << h, true);
    }
  }
  return cost;
}

/** Tries DCT, and ADST where it may help: types that share the transform of columns share its result. */
function tryTypes(mode: i32, wide: i32, high: i32, tries: i32): void {
  transformToColumns(DCT_DCT);
  tryColumns(DCT_DCT, typeCost(wide, high, mode, DCT_DCT));
  if (!typeCdf(wide, high, mode) || !bestHasLevels()) return;
  if (isDrawing) tryWithout(mode, wide, high);
  const likely = likelyType(mode);
  const isAll = tries == ALL_TYPES;
  if (isAll || likely == DCT_ADST) tryColumns(DCT_ADST, typeCost(wide, high, mode, DCT_ADST));
  if (!isAll && (likely & 1) == 0) return;
  transformToColumns(ADST_DCT);
  if (isAll || likely == ADST_DCT) tryColumns(ADST_DCT, typeCost(wide, high, mode, ADST_DCT));
  // Where ADST does not help in one direction, it does not in both.
  if (isAll ? bestType == ADST_DCT || bestType == DCT_ADST : likely == ADST_ADST) {
    tryColumns(ADST_ADST, typeCost(wide, high, mode, ADST_ADST));
  }
}

/** Tries to leave out the transform in one direction or both. Blocks of 16 x 16 have no symbols for one. */
function tryWithout(mode: i32, wide: i32, high: i32): void {
  tryIdentity(typeCost(wide, high, mode, IDTX));
  if (min(wide, high) == 4) return;
  tryVertical(typeCost(wide, high, mode, V_DCT));
  tryHorizontal(typeCost(wide, high, mode, H_DCT));
}

/** Predicts a transform block, and computes its residue. */
function openTransform(info: usize, x: i32, y: i32, wide: i32, high: i32, depth: i32): void {
  openBlock(0, x, y, wide, high, depth == 0);
  if (load<u8>(info, PALETTE)) {
    paintLuma(prediction, x, y, 1 << wide, 1 << high);
    return subtract();
  }
  collectBlockEdges();
  predict(prediction, <i32>load<u8>(info, MODE), <i32>load<i8>(info, ANGLE), 1 << wide, 1 << high);
  subtract();
}

/** Quantises luma again, and codes its symbols unless the block is skipped. */
export function putLuma(info: usize, x: i32, y: i32, wide: i32, high: i32, isSkipped: boolean): void {
  const mode = <i32>load<u8>(info, MODE);
  const depth = <i32>load<u8>(info, DEPTH);
  const w = txWide(wide, high, depth);
  const h = txHigh(wide, high, depth);
  let types = info + TYPES;
  markCoded(x, y, 1 << wide, 1 << high, false);
  for (let row = y; row < y + (1 << high); row += 1 << h) {
    for (let column = x; column < x + (1 << wide); column += 1 << w) {
      openTransform(info, column, row, w, h, depth);
      const type = <i32>load<u8>(types++);
      startTrial();
      if (isSkipped) tryNothing();
      else {
        tryType(type, typeCost(w, h, mode, type));
        putTransform(typeCdf(w, h, mode), typeSymbol(w, h, type), typeCount(w, h));
      }
      settle();
      markCoded(column, row, 1 << w, 1 << h, true);
    }
  }
}

/** Chooses the levels of luma in one transform, reconstructs it, and keeps the trial for `putKeptLuma`. */
export function settleLuma(info: usize, x: i32, y: i32, wide: i32, high: i32): void {
  const mode = <i32>load<u8>(info, MODE);
  markCoded(x, y, 1 << wide, 1 << high, false);
  openTransform(info, x, y, wide, high, 0);
  startTrial();
  tryTypes(mode, wide, high, ALL_TYPES);
  store<u8>(info, bestType, TYPES);
  keepTrial(LUMA_SLOT);
  lumaHasLevels = settle();
  markCoded(x, y, 1 << wide, 1 << high, true);
}

/** Codes the symbols of luma that `settleLuma` left. */
export function putKeptLuma(info: usize, x: i32, y: i32, wide: i32, high: i32): void {
  const mode = <i32>load<u8>(info, MODE);
  const type = <i32>load<u8>(info, TYPES);
  openBlock(0, x, y, wide, high, true);
  putTrial(LUMA_SLOT, typeCdf(wide, high, mode), typeSymbol(wide, high, type), typeCount(wide, high));
}

/** Says how the luma was coded that stays, where another trial came after it. */
export function setLuma(rate: i32, hasLevels: boolean): void {
  lumaRate = rate;
  lumaHasLevels = hasLevels;
}
