/** Searches for the best way to code the chroma of a block. */
import { BIT, symbolCost } from "../coder/bit-cost";
import { keepChroma, predictChroma, settleChroma, tryChroma, tryLargeChroma } from "../block/chroma";
import { bestAlpha, prepareDetail } from "../block/chroma-from-luma";
import { chromaShift } from "../block/context";
import {
  ALPHA_U,
  ALPHA_V,
  ANGLE,
  chromaModeCost,
  isTiny,
  mayUseLuma,
  MODE,
  PALETTE,
  UV_ANGLE,
  UV_MODE,
  UV_PALETTE,
} from "../block/info";
import { lambda } from "../block/quantiser";
import { collectBlockEdges, openBlock, prediction } from "../block/open-block";
import { chromaPaletteRate, pickChroma } from "../palette/chroma";
import { chromaFlagCdf } from "../palette/modes";
import { isDrawing } from "../palette/tools";
import { CFL_PRED, DC_PRED, predict } from "../predict/modes";
import { isQuick } from "./effort";
import { RATE_WEIGHT } from "./modes";
import { satd } from "./satd";

const trial = memory.data(16, 16);

/** Chroma that is worth no more bits than this gets no palette. */
const PLAIN_BITS: i32 = 8;

/**
 * The costs of chroma modes before transforms (f32), and how near to the least of them a mode must be for a full trial.
 */
const guesses = memory.data(3 * 4, 16);
const NEAR: f32 = 1.15;
const NEAR_IN_DRAWINGS: f32 = 1.4;
const NEAR_IN_HASTE: f32 = 1;

/** Writes the best modes of chroma to `info`, and reconstructs it so. Sizes are log2, of chroma. @returns the cost */
export function searchChroma(info: usize, x: i32, y: i32, wide: i32, high: i32): f32 {
  if (wide == 6) return searchLargeChroma(info, x, y);
  const luma = <i32>load<u8>(info, MODE);
  const angle = <i32>load<i8>(info, ANGLE);
  const weight = <f32>(Math.sqrt(lambda) * RATE_WEIGHT);
  if (mayUseLuma) prepareDetail(x, y, wide, high);
  v128.store(trial, v128.load(info));
  for (let plane = 1; mayUseLuma && plane <= 2; plane++) {
    openBlock(plane, x >> chromaShift, y >> chromaShift, wide, high, true);
    collectBlockEdges();
    predict(prediction, DC_PRED, 0, 1 << wide, 1 << high);
    store<i8>(trial + plane - 1, bestAlpha(plane, x, y, wide, high), ALPHA_U);
  }
  const canUseLuma = mayUseLuma && load<u16>(trial, ALPHA_U) != 0;
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
  const most = least * (isQuick ? NEAR_IN_HASTE : isDrawing ? NEAR_IN_DRAWINGS : NEAR);
  let best: f32 = Infinity;
  for (let i = 0; i < 3; i++) {
    if (load<f32>(guesses + ((<usize>i) << 2)) > most) continue;
    store<u8>(trial, i == 0 ? CFL_PRED : i == 1 ? luma : DC_PRED, UV_MODE);
    store<i8>(trial, i == 1 ? angle : 0, UV_ANGLE);
    const rate = lambda * <f32>chromaModesCost(trial);
    const cost = tryChroma(trial, x, y, wide, high, rate, best);
    if (cost >= best) continue;
    best = cost;
    keepChroma();
    v128.store(info, v128.load(trial));
  }
  if (isDrawing && mayUseLuma && !isTiny && best > lambda * <f32>(PLAIN_BITS * BIT)) {
    best = searchChromaPalette(info, x, y, wide, high, best);
  }
  settleChroma(x, y, wide, high);
  return best;
}

/** Returns the same for a block of 64 x 64 at full resolution: DC, or the mode of luma. */
function searchLargeChroma(info: usize, x: i32, y: i32): f32 {
  const luma = <i32>load<u8>(info, MODE);
  store<u8>(info, DC_PRED, UV_MODE);
  store<i8>(info, 0, UV_ANGLE);
  const plain = lambda * <f32>chromaModesCost(info) + tryLargeChroma(info, x, y);
  if (luma == DC_PRED) return plain;
  v128.store(trial, v128.load(info));
  store<u8>(info, luma, UV_MODE);
  store<i8>(info, load<i8>(info, ANGLE), UV_ANGLE);
  const same = lambda * <f32>chromaModesCost(info) + tryLargeChroma(info, x, y);
  if (same < plain) return same;
  v128.store(info, v128.load(trial));
  tryLargeChroma(info, x, y);
  return plain;
}

/** Tries a palette for chroma, and keeps it if it costs less than `best`. @returns the cost of what is kept */
function searchChromaPalette(info: usize, x: i32, y: i32, wide: i32, high: i32, best: f32): f32 {
  const count = pickChroma(x, y, wide, high, load<u8>(info, PALETTE) != 0);
  if (count == 0) return best;
  v128.store(trial, v128.load(info));
  store<u8>(trial, DC_PRED, UV_MODE);
  store<i8>(trial, 0, UV_ANGLE);
  store<u16>(trial, 0, ALPHA_U);
  store<u8>(trial, count, UV_PALETTE);
  const rate = chromaModeCost(load<u8>(info, MODE), DC_PRED, 0, 0, 0) + chromaPaletteRate;
  const cost = tryChroma(trial, x, y, wide, high, lambda * <f32>rate, best);
  if (cost >= best) return best;
  keepChroma();
  v128.store(info, v128.load(trial));
  return cost;
}

/** Returns the cost of the chroma modes of a block. */
function chromaModesCost(info: usize): i32 {
  const luma = <i32>load<u8>(info, MODE);
  const mode = <i32>load<u8>(info, UV_MODE);
  const angle = <i32>load<i8>(info, UV_ANGLE);
  const cost = chromaModeCost(luma, mode, angle, load<i8>(info, ALPHA_U), load<i8>(info, ALPHA_V));
  if (!isDrawing || isTiny || mode != DC_PRED) return cost;
  return cost + symbolCost(chromaFlagCdf(load<u8>(info, PALETTE) != 0), 0, 2);
}

/** Returns the cost of what the chroma modes of a block leave, before transforms. */
function chromaResidue(info: usize, x: i32, y: i32, wide: i32, high: i32): f32 {
  let sum = 0;
  for (let plane = 1; plane <= 2; plane++) {
    predictChroma(info, plane, x, y, wide, high);
    sum += satd(wide, high);
  }
  return <f32>sum;
}
