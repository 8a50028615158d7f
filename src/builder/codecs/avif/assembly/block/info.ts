/** The coding of a block, as a record of bytes, and the cost of stating it. */
import { symbolCost } from "../coder/bit-cost";
import { cdfs } from "../coder/cdfs";
import { putSymbol } from "../coder/range-coder";
import { CFL_PRED, hasDirection, V_PRED } from "../predict/modes";
import {
  ANGLE_DELTA,
  CFL_ALPHA,
  CFL_SIGN,
  TX_TYPE_5,
  TX_TYPE_7,
  UV_MODE as UV_MODES,
  UV_MODE_CFL,
} from "../tables/cdf-layout";
import { IDTX } from "../transform/identity";
import { V_DCT } from "../transform/one-way";
import { ADST_ADST, ADST_DCT, DCT_ADST, DCT_DCT } from "../transform/transform";
import { modeCdf, txDepthCdf, txDepthCount } from "./context";

/** Bytes of a record. */
export const INFO_BYTES: usize = 16;
/** Fields: modes, angle deltas (i8), tx_depth, whether there are no levels at all, alphas of chroma from luma (i8). */
export const MODE: usize = 0;
export const ANGLE: usize = 1;
export const DEPTH: usize = 2;
export const SKIPPED: usize = 3;
export const UV_MODE: usize = 4;
export const UV_ANGLE: usize = 5;
export const ALPHA_U: usize = 6;
export const ALPHA_V: usize = 7;
/** Types of up to 4 transforms of luma. */
export const TYPES: usize = 8;
/** How many colours the palettes of luma and chroma have; 0 without one. */
export const PALETTE: usize = 12;
export const UV_PALETTE: usize = 13;

const ANGLE_DELTAS: i32 = 7;

/** The type that a chroma mode has (Mode_To_Txfm). */
const TYPE_OF_MODE = memory.data<u8>([0, 1, 2, 0, 3, 1, 2, 2, 1, 3, 1, 2, 3, 0]);

export function chromaType(mode: i32, wide: i32, high: i32): i32 {
  return max(wide, high) > 4 ? DCT_DCT : <i32>load<u8>(TYPE_OF_MODE + mode);
}

/** Returns the type that mostly suits a luma mode. */
@inline
export function likelyType(mode: i32): i32 {
  return <i32>load<u8>(TYPE_OF_MODE + mode);
}

@inline
export function angleCdf(mode: i32): usize {
  return cdfs + ANGLE_DELTA + <usize>(mode - V_PRED) * 14;
}

/** Whether chroma of the block may be predicted from its luma: not in blocks of 64 x 64. */
export let mayUseLuma = true;
/** Whether a side of the block has 4 samples. Then its directions have no angles, and it has no palettes. */
export let isTiny = false;

/** Says what size the block has whose modes come next, log2. */
export function setBlockSize(wide: i32, high: i32): void {
  mayUseLuma = wide < 6;
  isTiny = wide + high < 6;
}

/** Returns whether an angle is said with a mode. */
@inline
function hasAngle(mode: i32): boolean {
  return !isTiny && hasDirection(mode);
}

/** Returns the cost of a luma mode and its angle. */
export function modeCost(x: i32, y: i32, mode: i32, angle: i32): i32 {
  const cost = symbolCost(modeCdf(x, y), mode, 13);
  return hasAngle(mode) ? cost + symbolCost(angleCdf(mode), angle + 3, ANGLE_DELTAS) : cost;
}

@inline
function uvModeCdf(lumaMode: i32): usize {
  return cdfs + (mayUseLuma ? UV_MODE_CFL + <usize>lumaMode * 28 : UV_MODES + <usize>lumaMode * 26);
}

@inline
function uvModeCount(): i32 {
  return mayUseLuma ? 14 : 13;
}

/** Returns the distribution of the type of a luma transform; 0 where only DCT is allowed. */
export function typeCdf(wide: i32, high: i32, mode: i32): usize {
  if (max(wide, high) > 4) return 0;
  const smaller = min(wide, high) - 2;
  if (smaller == 2) return cdfs + TX_TYPE_5 + <usize>(smaller * 13 + mode) * 10;
  return cdfs + TX_TYPE_7 + <usize>(smaller * 13 + mode) * 14;
}

/** Returns the number of symbols of types: IDTX, DCT_DCT, [V_DCT, H_DCT,] ADST_ADST, ADST_DCT, DCT_ADST. */
@inline
export function typeCount(wide: i32, high: i32): i32 {
  return min(wide, high) == 4 ? 5 : 7;
}

export function typeSymbol(wide: i32, high: i32, type: i32): i32 {
  if (type == DCT_DCT) return 1;
  if (type == IDTX) return 0;
  if (type > IDTX) return type == V_DCT ? 2 : 3;
  const first = min(wide, high) == 4 ? 2 : 4;
  return first + (type == ADST_ADST ? 0 : type == ADST_DCT ? 1 : type == DCT_ADST ? 2 : 0);
}

export function typeCost(wide: i32, high: i32, mode: i32, type: i32): i32 {
  const cdf = typeCdf(wide, high, mode);
  return cdf ? symbolCost(cdf, typeSymbol(wide, high, type), typeCount(wide, high)) : 0;
}

export function depthCost(x: i32, y: i32, wide: i32, high: i32, depth: i32): i32 {
  const count = txDepthCount(wide, high);
  return count > 1 ? symbolCost(txDepthCdf(x, y, wide, high), depth, count) : 0;
}

/** Returns the sign for cfl_alpha_signs: 0 for none, 1 below, 2 above. */
@inline
function signOf(alpha: i32): i32 {
  return alpha == 0 ? 0 : alpha < 0 ? 1 : 2;
}

@inline
function alphaCdf(sign: i32, other: i32): usize {
  return cdfs + CFL_ALPHA + <usize>((sign - 1) * 3 + other) * 32;
}

/** Returns the cost of the modes of chroma. */
export function chromaModeCost(lumaMode: i32, mode: i32, angle: i32, alphaU: i32, alphaV: i32): i32 {
  let cost = symbolCost(uvModeCdf(lumaMode), mode, uvModeCount());
  if (hasAngle(mode)) cost += symbolCost(angleCdf(mode), angle + 3, ANGLE_DELTAS);
  if (mode == CFL_PRED) {
    const u = signOf(alphaU);
    const v = signOf(alphaV);
    cost += symbolCost(cdfs + CFL_SIGN, u * 3 + v - 1, 8);
    if (u) cost += symbolCost(alphaCdf(u, v), abs(alphaU) - 1, 16);
    if (v) cost += symbolCost(alphaCdf(v, u), abs(alphaV) - 1, 16);
  }
  return cost;
}

/** Codes the modes of a block. @param hasChroma whether the picture has chroma */
export function putModes(info: usize, x: i32, y: i32, hasChroma: boolean): void {
  const mode = <i32>load<u8>(info, MODE);
  putSymbol(modeCdf(x, y), mode, 13);
  if (hasAngle(mode)) putSymbol(angleCdf(mode), <i32>load<i8>(info, ANGLE) + 3, ANGLE_DELTAS);
  if (!hasChroma) return;
  const chroma = <i32>load<u8>(info, UV_MODE);
  putSymbol(uvModeCdf(mode), chroma, uvModeCount());
  if (chroma == CFL_PRED) {
    const alphaU = <i32>load<i8>(info, ALPHA_U);
    const alphaV = <i32>load<i8>(info, ALPHA_V);
    const u = signOf(alphaU);
    const v = signOf(alphaV);
    putSymbol(cdfs + CFL_SIGN, u * 3 + v - 1, 8);
    if (u) putSymbol(alphaCdf(u, v), abs(alphaU) - 1, 16);
    if (v) putSymbol(alphaCdf(v, u), abs(alphaV) - 1, 16);
  }
  if (hasAngle(chroma)) putSymbol(angleCdf(chroma), <i32>load<i8>(info, UV_ANGLE) + 3, ANGLE_DELTAS);
}
