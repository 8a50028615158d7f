/** Transforms of the open block: the best of those that are tried, its levels and their reconstruction by a decoder. */
import { symbolCost } from "../coder/bit-cost";
import { putSymbol } from "../coder/range-coder";
import { dequantise, firstCategory, levelSum } from "../coefficients/dequantise";
import { putLevels } from "../coefficients/emit";
import { lastCount, levelError, levelRate, quantiseBlock, recallLevels } from "../coefficients/quantise";
import { keepLevels } from "../coefficients/round";
import { MOST_CODED } from "../coefficients/scans";
import { flatErrors, flatScales, flatWeights, scalesOf, weightsOf } from "../coefficients/matrices";
import { PREDICTION_STRIDE } from "../predict/edges";
import { forwardIdentity, IDTX, inverseIdentity } from "../transform/identity";
import { forwardHorizontal, forwardVertical, H_DCT, inverseOneWay, V_DCT } from "../transform/one-way";
import { DCT_DCT, forwardColumns, forwardRows, inverseTransform, strideOf } from "../transform/transform";
import { copyVectors } from "./copy";
import { dcSignCdf, emptyCdf, noteLevels } from "./context";
import { high, isWhole, plane, prediction, residue, wide, x, y } from "./open-block";
import { reconstructedAt, reconstructedRow, shiftOf } from "./planes";
import { paintSamples } from "./samples";
import { acStep, chromaWeight, dcStep, lambda } from "./quantiser";

let coefficients = memory.data(32 * 32 * 2, 16);
let bestCoefficients = memory.data(32 * 32 * 2, 16);
let bestLevels: usize = 0;
/** The residue after the transform of its columns, with rows as columns. */
const dctColumns = memory.data(64 * 64 * 2, 16);
const adstColumns = memory.data(32 * 32 * 2, 16);
const dequantised = memory.data(64 * 64 * 2, 16);

/** Cost, error, type and count of levels of the best transform that was tried. */
export let bestCost: f32 = 0;
export let bestRate: i32 = 0;
export let bestType: i32 = 0;
let bestCount = 0;

/** The distributions of all_zero and of the sign of the first coefficient. */
let emptiness: usize = 0;
let dcSign: usize = 0;

/** Forgets the transforms that were tried, and finds the contexts of the open block. */
export function startTrial(): void {
  const shift = shiftOf(plane);
  emptiness = emptyCdf(plane, x << shift, y << shift, wide, high, isWhole);
  dcSign = dcSignCdf(plane, x << shift, y << shift, wide, high);
  bestCost = Infinity;
}

/** Transforms the columns of `residue` by those of a type. */
export function transformToColumns(type: i32): void {
  forwardColumns(residue, type & 1 ? adstColumns : dctColumns, wide, high, type);
}

/** Transforms the rows of what `transformToColumns` made of a type. */
function transformRows(type: i32): void {
  forwardRows(type & 1 ? adstColumns : dctColumns, coefficients, wide, high, type);
}

/**
 * Tries a type of transform whose columns are transformed, and keeps it if it is the best.
 * @param typeRate cost of the type, which is coded where there are levels
 */
export function tryColumns(type: i32, typeRate: i32): void {
  transformRows(type);
  tryCoefficients(type, typeRate, scalesOf(plane, wide, high));
}

/** Tries to leave the residue as it is. */
export function tryIdentity(typeRate: i32): void {
  forwardIdentity(residue, coefficients, wide, high);
  tryCoefficients(IDTX, typeRate, flatScales);
}

/** Tries to transform columns alone, whose DCT is there. */
export function tryVertical(typeRate: i32): void {
  forwardVertical(dctColumns, coefficients, wide, high);
  tryCoefficients(V_DCT, typeRate, flatScales);
}

/** Tries to transform rows alone. */
export function tryHorizontal(typeRate: i32): void {
  forwardHorizontal(residue, coefficients, wide, high);
  tryCoefficients(H_DCT, typeRate, flatScales);
}

function tryCoefficients(type: i32, typeRate: i32, scales: usize): void {
  const weight = plane > 0 ? chromaWeight : type >= IDTX ? flatErrors : 1;
  quantiseBlock(
    coefficients,
    wide,
    high,
    plane,
    type,
    scales,
    dcStep(plane),
    acStep(plane),
    lambda / weight,
    dcSign,
    symbolCost(emptiness, 1, 2),
    symbolCost(emptiness, 0, 2) + typeRate,
  );
  const error = wide > MOST_CODED ? levelError + lostError(scales) : levelError;
  const cost = weight * error + lambda * <f32>levelRate;
  if (cost >= bestCost) return;
  bestCost = cost;
  bestRate = levelRate;
  bestType = type;
  bestCount = lastCount;
  bestLevels = keepLevels();
  const other = bestCoefficients;
  bestCoefficients = coefficients;
  coefficients = other;
}

/**
 * Returns the squared error of the coefficients of a block of 64 x 64 that are not coded, weighed like the finest that
 * are.
 */
function lostError(scales: usize): f32 {
  let sums = i64x2.splat(0);
  for (let at = residue; at < residue + 64 * 64 * 2; at += 16) {
    const values = v128.load(at);
    sums = i32x4.add(sums, i32x4.dot_i16x8_s(values, values));
  }
  const whole =
    <f32>i32x4.extract_lane(sums, 0) +
    <f32>i32x4.extract_lane(sums, 1) +
    <f32>i32x4.extract_lane(sums, 2) +
    <f32>i32x4.extract_lane(sums, 3);
  let coded: f32 = 0;
  for (let at = coefficients; at < coefficients + 32 * 32 * 2; at += 2) {
    const value = <f32>load<i16>(at);
    coded += value * value;
  }
  const weight = load<f32>(scales + (32 * 32 - 1) * 4);
  return max(0, whole - coded / 4) * weight * weight;
}

/** Tries a transform type, whose symbols cost `typeRate`. */
export function tryType(type: i32, typeRate: i32): void {
  if (type == IDTX) return tryIdentity(typeRate);
  if (type == H_DCT) return tryHorizontal(typeRate);
  transformToColumns(type == V_DCT ? DCT_DCT : type);
  if (type == V_DCT) return tryVertical(typeRate);
  tryColumns(type, typeRate);
}

/** Slots for trials that are kept: count, type, rate, distributions, prediction, levels and coefficients. */
const SLOT_EMPTINESS: usize = 12;
const SLOT_DC_SIGN: usize = 16;
const SLOT_PREDICTION: usize = 32;
const SLOT_LEVELS: usize = SLOT_PREDICTION + 64 * 64;
const SLOT_COEFFICIENTS: usize = SLOT_LEVELS + 32 * 32 * 2;
const SLOT_BYTES: usize = SLOT_COEFFICIENTS + 32 * 32 * 2;
const slots = memory.data(5 * (32 + 32 * 32 * 8), 16);
/** The slot of luma, after those of chroma. */
export const LUMA_SLOT: i32 = 4;

/** Returns the bytes of the coefficients of the open block that are coded, and of their levels. */
@inline
function codedBytes(): usize {
  return (<usize>(strideOf(min(wide, MOST_CODED)) << min(high, MOST_CODED))) << 1;
}

/** Keeps the best transform of the open block in a slot, 0 to 4. */
export function keepTrial(slot: i32): void {
  const at = slots + <usize>slot * SLOT_BYTES;
  const bytes = codedBytes();
  store<i32>(at, bestCount);
  store<i32>(at, bestType, 4);
  store<i32>(at, bestRate, 8);
  store<usize>(at, emptiness, SLOT_EMPTINESS);
  store<usize>(at, dcSign, SLOT_DC_SIGN);
  copyVectors(at + SLOT_PREDICTION, prediction, PREDICTION_STRIDE << high);
  if (bestCount == 0) return;
  copyVectors(at + SLOT_LEVELS, bestLevels, bytes);
  copyVectors(at + SLOT_COEFFICIENTS, bestCoefficients, bytes);
}

/** Settles the open block as it was kept. @returns whether it has levels */
export function settleTrial(slot: i32): boolean {
  const at = slots + <usize>slot * SLOT_BYTES;
  const bytes = codedBytes();
  bestCount = load<i32>(at);
  bestType = load<i32>(at, 4);
  bestRate = load<i32>(at, 8);
  copyVectors(prediction, at + SLOT_PREDICTION, PREDICTION_STRIDE << high);
  if (bestCount > 0) {
    copyVectors(bestLevels, at + SLOT_LEVELS, bytes);
    copyVectors(bestCoefficients, at + SLOT_COEFFICIENTS, bytes);
  }
  return settle();
}

/** Returns whether the best transform that was tried has levels. */
@inline
export function bestHasLevels(): boolean {
  return bestCount > 0;
}

/** Leaves the block without levels. */
export function tryNothing(): void {
  bestCount = 0;
}

/** Reconstructs the block from its prediction and the best transform, and records its levels. */
export function settle(): boolean {
  const to = reconstructedAt(plane, x, y);
  const rowBytes = reconstructedRow();
  const weights = bestType >= IDTX ? flatWeights : weightsOf(plane, wide, high);
  dequantise(dequantised, bestLevels, bestCoefficients, bestCount, wide, high, plane, weights);
  if (bestCount > 0) {
    if (bestType == IDTX) inverseIdentity(dequantised, wide, high);
    else if (bestType > IDTX) inverseOneWay(dequantised, wide, high, bestType);
    else inverseTransform(dequantised, wide, high, bestType);
  }
  paintSamples(to, rowBytes, prediction, bestCount > 0 ? dequantised : 0, wide, high);
  const shift = shiftOf(plane);
  noteLevels(plane, x << shift, y << shift, wide, high, levelSum, firstCategory);
  return bestCount > 0;
}

/**
 * Codes the symbols of the transform that was tried last, before it is settled.
 * @param typeCdf the distribution of the type; 0 where it is not coded
 */
export function putTransform(typeCdf: usize, typeSymbol: i32, typeCount: i32): void {
  putSymbol(emptiness, i32(bestCount == 0), 2);
  if (bestCount == 0) return;
  if (typeCdf) putSymbol(typeCdf, typeSymbol, typeCount);
  putLevels(bestCoefficients, bestLevels, bestCount, wide, high, plane, bestType, dcSign);
}

/**
 * Codes the symbols of a transform of the open block that was kept, after it is settled.
 * @param typeCdf the distribution of the type; 0 where it is not coded
 */
export function putTrial(slot: i32, typeCdf: usize, typeSymbol: i32, typeCount: i32): void {
  const at = slots + <usize>slot * SLOT_BYTES;
  const count = load<i32>(at);
  putSymbol(load<usize>(at, SLOT_EMPTINESS), i32(count == 0), 2);
  if (count == 0) return;
  if (typeCdf) putSymbol(typeCdf, typeSymbol, typeCount);
  const type = load<i32>(at, 4);
  recallLevels(at + SLOT_LEVELS, count, wide, high, type);
  const signs = at + SLOT_COEFFICIENTS;
  putLevels(signs, at + SLOT_LEVELS, count, wide, high, plane, type, load<usize>(at, SLOT_DC_SIGN));
}
