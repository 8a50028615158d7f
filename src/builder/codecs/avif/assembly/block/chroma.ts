/** The chroma of a block. */
import { paintChroma } from "../palette/chroma";
import { CFL_PRED, DC_PRED, predict } from "../predict/modes";
import { DCT_DCT } from "../transform/transform";
import { addDetail, prepareDetail } from "./chroma-from-luma";
import { chromaShift } from "./context";
import { markCoded } from "./decoded";
import { ALPHA_U, chromaType, UV_ANGLE, UV_MODE, UV_PALETTE } from "./info";
import { collectBlockEdges, openBlock, prediction, subtract } from "./open-block";
import {
  bestCost,
  bestRate,
  keepTrial,
  putTransform,
  putTrial,
  settle,
  settleTrial,
  startTrial,
  tryNothing,
  tryType,
} from "./transform-block";

export let chromaRate: i32 = 0;
export let chromaHasLevels = false;

/** Predicts a plane by the modes of a block. Coordinates are of luma; sizes are log2, of chroma. */
export function predictChroma(
  info: usize,
  plane: i32,
  x: i32,
  y: i32,
  wide: i32,
  high: i32,
  isWhole: boolean = true,
): void {
  const mode = <i32>load<u8>(info, UV_MODE);
  const isFromLuma = mode == CFL_PRED;
  openBlock(plane, x >> chromaShift, y >> chromaShift, wide, high, isWhole);
  if (load<u8>(info, UV_PALETTE)) {
    paintChroma(prediction, plane, wide, high);
    return subtract();
  }
  collectBlockEdges();
  predict(prediction, isFromLuma ? DC_PRED : mode, <i32>load<i8>(info, UV_ANGLE), 1 << wide, 1 << high);
  if (isFromLuma) addDetail(<i32>load<i8>(info + plane - 1, ALPHA_U), wide, high);
  subtract();
}

/** The slots of the trial at hand: this one, and the next. The other two are those of the best trial. */
let slot = 0;

/** Makes the trial at hand the best one. */
export function keepChroma(): void {
  slot ^= 2;
}

/** Reconstructs chroma by the best trial. Sizes are log2, of chroma. */
export function settleChroma(x: i32, y: i32, wide: i32, high: i32): void {
  chromaRate = 0;
  chromaHasLevels = false;
  for (let plane = 1; plane <= 2; plane++) {
    openBlock(plane, x >> chromaShift, y >> chromaShift, wide, high, true);
    if (settleTrial((slot ^ 2) + plane - 1)) chromaHasLevels = true;
    chromaRate += bestRate;
  }
}

/**
 * Chooses the levels of chroma, unless it costs `limit` or more.
 * @param modes the cost of the modes
 * @returns the cost with that of the modes; Infinity when it was given up
 */
export function tryChroma(info: usize, x: i32, y: i32, wide: i32, high: i32, modes: f32, limit: f32): f32 {
  const type = chromaType(<i32>load<u8>(info, UV_MODE), wide, high);
  let cost = modes;
  for (let plane = 1; plane <= 2; plane++) {
    predictChroma(info, plane, x, y, wide, high);
    startTrial();
    tryType(type, 0);
    cost += bestCost;
    if (cost >= limit) return Infinity;
    keepTrial(slot + plane - 1);
  }
  return cost;
}

/** Codes the symbols of chroma that `settleChroma` left. */
export function putKeptChroma(x: i32, y: i32, wide: i32, high: i32): void {
  for (let plane = 1; plane <= 2; plane++) {
    openBlock(plane, x >> chromaShift, y >> chromaShift, wide, high, true);
    putTrial((slot ^ 2) + plane - 1, 0, 0, 0);
  }
}

export function putChroma(info: usize, x: i32, y: i32, wide: i32, high: i32, isSkipped: boolean): void {
  if (wide > LARGEST) return putLargeChroma(info, x, y, isSkipped);
  const mode = <i32>load<u8>(info, UV_MODE);
  const type = chromaType(mode, wide, high);
  if (mode == CFL_PRED) prepareDetail(x, y, wide, high);
  for (let plane = 1; plane <= 2; plane++) {
    predictChroma(info, plane, x, y, wide, high);
    startTrial();
    if (isSkipped) tryNothing();
    else {
      tryType(type, 0);
      putTransform(0, 0, 0);
    }
    settle();
  }
}

/** Log2 of the sides of the largest transforms of chroma. Blocks of 64 x 64 at full resolution have four of them. */
const LARGEST: i32 = 5;

/**
 * Chooses the levels of chroma of a block of 64 x 64 at full resolution, and reconstructs it.
 * @returns the cost without that of the modes
 */
export function tryLargeChroma(info: usize, x: i32, y: i32): f32 {
  let cost: f32 = 0;
  chromaRate = 0;
  chromaHasLevels = false;
  for (let plane = 1; plane <= 2; plane++) {
    markCoded(x, y, 64, 64, false);
    for (let i = 0; i < 4; i++) {
      openQuarter(info, plane, x, y, i);
      tryType(DCT_DCT, 0);
      cost += bestCost;
      chromaRate += bestRate;
      if (settleQuarter(x, y, i)) chromaHasLevels = true;
    }
  }
  return cost;
}

/** Quantises it again, and codes its symbols unless the block is skipped. */
function putLargeChroma(info: usize, x: i32, y: i32, isSkipped: boolean): void {
  for (let plane = 1; plane <= 2; plane++) {
    markCoded(x, y, 64, 64, false);
    for (let i = 0; i < 4; i++) {
      openQuarter(info, plane, x, y, i);
      if (isSkipped) tryNothing();
      else {
        tryType(DCT_DCT, 0);
        putTransform(0, 0, 0);
      }
      settleQuarter(x, y, i);
    }
  }
}

function openQuarter(info: usize, plane: i32, x: i32, y: i32, i: i32): void {
  predictChroma(info, plane, x + (i & 1) * 32, y + (i >> 1) * 32, LARGEST, LARGEST, false);
  startTrial();
}

function settleQuarter(x: i32, y: i32, i: i32): boolean {
  const hasLevels = settle();
  markCoded(x + (i & 1) * 32, y + (i >> 1) * 32, 32, 32, true);
  return hasLevels;
}
