/** Reads the modes of a block of an intra frame (AV1 specification section 5.11.7). */
import { allowIntraBlockCopy, allowScreenTools } from "../headers/frame";
import { enableFilterIntra, subX, subY } from "../headers/sequence";
import { cdfs, readSymbol2 } from "../symbols/decoder";
import { readSymbol16, readSymbol8, readSymbolOf } from "../symbols/wide";
import { BLOCK_8X8 } from "../tables/block-sizes";
import {
  ANGLE_DELTA,
  CFL_ALPHA,
  CFL_SIGN,
  FILTER_INTRA,
  FILTER_INTRA_MODE,
  INTRA_BLOCK_COPY,
  KEY_Y_MODE,
  UV_MODE,
  UV_MODE_CFL,
} from "../tables/cdf-layout";
import { readMotion } from "./motion";
import { aboveValue, leftValue, MODE, UV_MODE as UV_MODES } from "./contexts";
import { noPalettes, paletteSizeY, readPalettes } from "./palette";
import {
  blockColumn,
  hasAbove,
  hasAboveChroma,
  hasChroma,
  hasLeft,
  hasLeftChroma,
  high,
  highLog2,
  sbRow,
  size,
  wide,
  wideLog2,
} from "./position";
import { isBlockLossless, readSegmentAndSkip } from "./segment";

export const DC_PRED: i32 = 0;
export const V_PRED: i32 = 1;
export const D67_PRED: i32 = 8;
export const SMOOTH_PRED: i32 = 9;
export const SMOOTH_H_PRED: i32 = 11;
export const PAETH_PRED: i32 = 12;
export const CFL_PRED: i32 = 13;

const MOST_ANGLE_DELTA: i32 = 3;

/** Whether the block is predicted by intra block copy. */
export let isInter = false;
export let lumaMode: i32 = 0;
export let chromaMode: i32 = 0;
/** Changes of angles, in steps of 3 degrees. */
export let lumaAngle: i32 = 0;
export let chromaAngle: i32 = 0;
/** The mode of the recursive filter; -1 for none. */
export let filterMode: i32 = -1;
export let cflAlphaU: i32 = 0;
export let cflAlphaV: i32 = 0;
/** Whether a neighbour has a smooth mode, which changes the filters of edges (section 7.11.2.8). */
export let isLumaSmooth = false;
export let isChromaSmooth = false;

/** Intra_Mode_Context. */
const MODE_CONTEXTS = memory.data<u8>([0, 1, 2, 3, 4, 4, 4, 4, 3, 0, 1, 2, 0]);

@inline
export function isDirectional(mode: i32): boolean {
  return mode >= V_PRED && mode <= D67_PRED;
}

@inline
function isSmooth(mode: i32): boolean {
  return mode >= SMOOTH_PRED && mode <= SMOOTH_H_PRED;
}

function readAngle(mode: i32): i32 {
  if (size < BLOCK_8X8 || !isDirectional(mode)) return 0;
  return readSymbol8(cdfs + ANGLE_DELTA + <usize>(mode - V_PRED) * 16, 7) - MOST_ANGLE_DELTA;
}

function readAlpha(context: i32, isNegative: boolean): i32 {
  const alpha = 1 + readSymbol16(cdfs + CFL_ALPHA + <usize>context * 32, 16);
  return isNegative ? -alpha : alpha;
}

/** Implements read_cfl_alphas(). Signs are 0 zero, 1 negative, 2 positive. */
function readAlphas(): void {
  const signs = readSymbol8(cdfs + CFL_SIGN, 8) + 1;
  const u = signs / 3;
  const v = signs % 3;
  cflAlphaU = u == 0 ? 0 : readAlpha((u - 1) * 3 + v, u == 1);
  cflAlphaV = v == 0 ? 0 : readAlpha((v - 1) * 3 + u, v == 1);
}

/** Returns whether chroma may be predicted from luma. */
function allowsCfl(): boolean {
  if (isBlockLossless) {
    return (wide == 1 || (wide == 2 && subX != 0)) && (high == 1 || (high == 2 && subY != 0));
  }
  return wide <= 8 && high <= 8;
}

function readLumaMode(): void {
  const above = aboveValue(MODE, blockColumn);
  const left = leftValue(MODE, sbRow);
  const context = <i32>load<u8>(MODE_CONTEXTS + above) * 5 + load<u8>(MODE_CONTEXTS + left);
  lumaMode = readSymbol16(cdfs + KEY_Y_MODE + <usize>context * 32, 13);
  lumaAngle = readAngle(lumaMode);
  isLumaSmooth = (hasAbove && isSmooth(above)) || (hasLeft && isSmooth(left));
}

function readChromaMode(): void {
  const mode = <usize>lumaMode * 32;
  chromaMode = allowsCfl()
    ? readSymbol16(cdfs + UV_MODE_CFL + mode, 14)
    : readSymbol16(cdfs + UV_MODE + mode, 13);
  if (chromaMode == CFL_PRED) readAlphas();
  chromaAngle = readAngle(chromaMode);
  // Blocks of chroma leave their mode at odd rows and columns.
  const above = aboveValue(UV_MODES, subX ? blockColumn | 1 : blockColumn);
  const left = leftValue(UV_MODES, subY ? sbRow | 1 : sbRow);
  isChromaSmooth = (hasAboveChroma && isSmooth(above)) || (hasLeftChroma && isSmooth(left));
}

function readFilterMode(): void {
  filterMode = -1;
  if (!enableFilterIntra || lumaMode != DC_PRED || paletteSizeY > 0 || wideLog2 > 3 || highLog2 > 3) return;
  if (readSymbol2(cdfs + FILTER_INTRA + ((<usize>size) << 2)))
    filterMode = readSymbolOf(cdfs + FILTER_INTRA_MODE, 5);
}

/** Reads all modes. @returns false when the block is damaged */
export function readModes(): boolean {
  readSegmentAndSkip();
  isInter = allowIntraBlockCopy && readSymbol2(cdfs + INTRA_BLOCK_COPY) != 0;
  noPalettes();
  if (isInter) {
    lumaMode = DC_PRED;
    chromaMode = DC_PRED;
    filterMode = -1;
    return readMotion();
  }
  readLumaMode();
  if (hasChroma) readChromaMode();
  if (allowScreenTools && size >= BLOCK_8X8 && wide <= 16 && high <= 16) {
    readPalettes(lumaMode == DC_PRED, hasChroma && chromaMode == DC_PRED);
  }
  readFilterMode();
  return true;
}
