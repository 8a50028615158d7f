/** Searches for the best way to code a block of given sides. */
import { BIT, symbolCost } from "../coder/bit-cost";
import { chromaHasLevels, chromaRate } from "../block/chroma";
import {
  chromaShift,
  noteBlock,
  notePalettes,
  restoreContexts,
  saveContexts,
  skipCdf,
} from "../block/context";
import {
  DEPTH,
  depthCost,
  MODE,
  ANGLE,
  modeCost,
  isTiny,
  PALETTE,
  setBlockSize,
  SKIPPED,
  UV_PALETTE,
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
import { acStep, lambda } from "../block/quantiser";
import { colours, lumaPaletteRate, pickLuma } from "../palette/luma";
import { lumaFlagCdf } from "../palette/modes";
import { isDrawing } from "../palette/tools";
import { DC_PRED, hasDirection } from "../predict/modes";
import { searchChroma } from "./chroma";
import { directedAngle, directedMode, isWide, least, pickedAngle, pickedMode, pickMode } from "./modes";

const entry = memory.data(1024, 16);
const after = memory.data(1024, 16);
const saved = memory.data(64 * 64, 16);
const trial = memory.data(16, 16);

/** Log2 of the largest squares whose transform may be divided. */
const LARGEST_DIVIDED: i32 = 3;
const LARGEST_DIVIDED_IN_DRAWINGS: i32 = 4;

/** A square of 32 or 64 whose residue has more than this part of a step per sample is given up: it is better divided. */
const BUSY: f32 = 1.5;

/** Luma that is worth no more bits than this is not tried in other ways. */
const PLAIN_BITS: i32 = 8;

/**
 * Writes the best way to code a block to `info`, reconstructs it so, and records it. Sizes are log2.
 * @param modes of luma that are tried, a bit each
 * @returns its cost, without that of the partition; Infinity when it was given up because it costs `limit` or more
 */
export function searchBlock(info: usize, x: i32, y: i32, wide: i32, high: i32, modes: i32, limit: f32): f32 {
  const width = 1 << wide;
  const height = 1 << high;
  saveContexts(entry, x, y, width, height);
  setBlockSize(wide, high);
  let cost = searchLuma(info, x, y, wide, high, modes);
  if (cost == Infinity) return Infinity;
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
  if (isDrawing) {
    const counts = (<i32>load<u8>(info, PALETTE)) | ((<i32>load<u8>(info, UV_PALETTE)) << 8);
    notePalettes(x, y, wide, high, counts, colours);
  }
}

/** @returns the cost; Infinity when the block is better divided */
function searchLuma(info: usize, x: i32, y: i32, wide: i32, high: i32, among: i32): f32 {
  pickMode(x, y, wide, high, among);
  if (!isDrawing && wide + high >= 10 && least > <f32>(acStep(0) << (wide + high - 3)) * BUSY)
    return Infinity;
  v128.store(info, i64x2.splat(0));
  store<u8>(info, pickedMode, MODE);
  store<i8>(info, pickedAngle, ANGLE);
  let modes = modeCost(x, y, pickedMode, pickedAngle);
  if (isDrawing && !isTiny && pickedMode == DC_PRED) modes += symbolCost(lumaFlagCdf(x, y, wide, high), 0, 2);
  const flat = lambda * <f32>(modes + depthCost(x, y, wide, high, 0));
  let best = tryLuma(info, x, y, wide, high, ALL_TYPES, Infinity) + flat;
  const mayDivide =
    wide == high && !isTiny && wide <= (isDrawing ? LARGEST_DIVIDED_IN_DRAWINGS : LARGEST_DIVIDED);
  if (mayDivide && lumaHasLevels) {
    v128.store(trial, v128.load(info));
    best = tryInstead(info, x, y, wide, high, 1, modes, best);
  }
  if (best <= lambda * <f32>(PLAIN_BITS * BIT)) return best;
  if (isWide) best = tryUsualModes(info, x, y, wide, high, best);
  if (!isDrawing || isTiny || wide == 6) return best;
  const count = pickLuma(x, y, wide, high);
  if (count == 0) return best;
  modes = modeCost(x, y, DC_PRED, 0) + lumaPaletteRate;
  v128.store(trial, i64x2.splat(0));
  store<u8>(trial, count, PALETTE);
  best = tryInstead(info, x, y, wide, high, 0, modes, best);
  if (mayDivide && lumaHasLevels) {
    v128.store(trial, i64x2.splat(0));
    store<u8>(trial, count, PALETTE);
    best = tryInstead(info, x, y, wide, high, 1, modes, best);
  }
  return best;
}

/** Luma modes that are tried in full in smooth superblocks: DC, V, H, three SMOOTH and PAETH. */
const USUAL_MODES: i32 = 0b1_1110_0000_0111;

function tryUsualModes(info: usize, x: i32, y: i32, wide: i32, high: i32, best: f32): f32 {
  const picked = <i32>load<u8>(info, MODE);
  for (let mode = 0; mode < 13; mode++) {
    if (mode == picked || !((USUAL_MODES >> mode) & 1)) continue;
    v128.store(trial, i64x2.splat(0));
    store<u8>(trial, mode, MODE);
    let modes = modeCost(x, y, mode, 0);
    if (isDrawing && mode == DC_PRED) modes += symbolCost(lumaFlagCdf(x, y, wide, high), 0, 2);
    best = tryInstead(info, x, y, wide, high, 0, modes, best);
  }
  if (!hasDirection(picked)) {
    v128.store(trial, i64x2.splat(0));
    store<u8>(trial, directedMode, MODE);
    store<i8>(trial, directedAngle, ANGLE);
    best = tryInstead(info, x, y, wide, high, 0, modeCost(x, y, directedMode, directedAngle), best);
  }
  return best;
}

/** Tries luma as `trial` has it, with transforms at a depth, and leaves what costs less. @returns the cost of that */
function tryInstead(
  info: usize,
  x: i32,
  y: i32,
  wide: i32,
  high: i32,
  depth: i32,
  modes: i32,
  best: f32,
): f32 {
  const width = 1 << wide;
  const height = 1 << high;
  const rate = lambda * <f32>(modes + depthCost(x, y, wide, high, depth));
  const bestHasLevels = lumaHasLevels;
  const bestRate = lumaRate;
  saveContexts(after, x, y, width, height);
  saveBlock(saved, 0, x, y, width, height);
  restoreContexts(entry, x, y, width, height);
  store<u8>(trial, depth, DEPTH);
  const cost = tryLuma(trial, x, y, wide, high, depth > 0 ? LIKELY_TYPES : ALL_TYPES, best - rate) + rate;
  if (cost < best) {
    v128.store(info, v128.load(trial));
    return cost;
  }
  restoreContexts(after, x, y, width, height);
  restoreBlock(saved, 0, x, y, width, height);
  setLuma(bestRate, bestHasLevels);
  return best;
}
