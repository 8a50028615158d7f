/** Types of transforms (AV1 specification sections 5.11.40, 5.11.47 and 5.11.48). */
import { hasReducedTransforms } from "../headers/frame";
import { baseIndex, indexOf } from "../headers/quantisation";
import { subX, subY } from "../headers/sequence";
import { chromaMode, filterMode, isInter, lumaMode } from "../blocks/modes";
import { blockColumn, blockRow } from "../blocks/position";
import { isBlockLossless, segment } from "../blocks/segment";
import { cdfs, readSymbol2 } from "../symbols/decoder";
import { readSymbol16, readSymbol8 } from "../symbols/wide";
import {
  INTER_TX_TYPE_12,
  INTER_TX_TYPE_16,
  INTER_TX_TYPE_2,
  TX_TYPE_5,
  TX_TYPE_7,
} from "../tables/cdf-layout";
import { highOf, TX_16X16, TX_32X32, wideOf } from "../tables/transform-sizes";
import { DIAGONAL, HORIZONTAL, VERTICAL } from "./scans";

export const DCT_DCT: i32 = 0;
export const IDTX: i32 = 9;

/** Sets of types: DCT alone; for intra blocks 7 or 5 types; with intra block copy 16, 12 or 2. */
const SET_DCT: i32 = 0;
const SET_7: i32 = 1;
const SET_5: i32 = 2;
const SET_16: i32 = 3;
const SET_12: i32 = 4;
const SET_2: i32 = 5;

/** Types by symbol in each set. */
const TYPES_7 = memory.data<u8>([9, 0, 10, 11, 3, 1, 2]);
const TYPES_5 = memory.data<u8>([9, 0, 3, 1, 2]);
const TYPES_16 = memory.data<u8>([9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 4, 5, 3, 6, 7, 8]);
const TYPES_12 = memory.data<u8>([9, 10, 11, 0, 1, 2, 4, 5, 3, 6, 7, 8]);
/** Bits of the types that a set has. */
const MEMBERS = memory.data<u32>([0x0001, 0x0e0f, 0x020f, 0xffff, 0x0fff, 0x0201]);

/** Mode_To_Txfm. */
const MODE_TYPES = memory.data<u8>([0, 1, 2, 0, 3, 1, 2, 2, 1, 3, 1, 2, 3, 0]);
/** Filter_Intra_Mode_To_Intra_Dir. */
const FILTER_DIRECTIONS = memory.data<u8>([0, 1, 2, 6, 0]);

/** Types (u8) of the luma of a block that is copied, by place in a superblock. They are not read again after it. */
const TYPE_STRIDE: usize = 32;
const copiedTypes = memory.data(32 * 32, 16);

/** Implements get_tx_set(). */
function setOf(size: i32): i32 {
  const least = min(wideOf(size), highOf(size)) - 2;
  const most = max(wideOf(size), highOf(size)) - 2;
  if (most > TX_32X32) return SET_DCT;
  if (isInter) {
    if (hasReducedTransforms || most == TX_32X32) return SET_2;
    return least == TX_16X16 ? SET_12 : SET_16;
  }
  if (most == TX_32X32) return SET_DCT;
  return hasReducedTransforms || least == TX_16X16 ? SET_5 : SET_7;
}

@inline
function placeOf(row: i32, column: i32): usize {
  return copiedTypes + <usize>(row & 31) * TYPE_STRIDE + <usize>(column & 31);
}

/** Notes the type of a transform of a copied block. Rows and columns are in units of 4 samples of luma. */
export function keepType(row: i32, column: i32, size: i32, type: i32): void {
  if (!isInter) return;
  const columns = ((<usize>1) << wideOf(size)) >> 2;
  for (let y = 0; y < (1 << highOf(size)) >> 2; y++) memory.fill(placeOf(row + y, column), <u8>type, columns);
}

/** Implements transform_type(): reads the type of a transform of luma. */
export function readType(size: i32): i32 {
  const set = setOf(size);
  if (set == SET_DCT || isBlockLossless || indexOf(segment, baseIndex) == 0) return DCT_DCT;
  const least = <usize>(min(wideOf(size), highOf(size)) - 2);
  if (set == SET_16) return load<u8>(TYPES_16 + readSymbol16(cdfs + INTER_TX_TYPE_16 + least * 32, 16));
  if (set == SET_12) return load<u8>(TYPES_12 + readSymbol16(cdfs + INTER_TX_TYPE_12, 12));
  if (set == SET_2) return readSymbol2(cdfs + INTER_TX_TYPE_2 + least * 4) ? DCT_DCT : IDTX;
  const direction = filterMode >= 0 ? <i32>load<u8>(FILTER_DIRECTIONS + filterMode) : lumaMode;
  const place = (least * 13 + <usize>direction) * 16;
  if (set == SET_7) return load<u8>(TYPES_7 + readSymbol8(cdfs + TX_TYPE_7 + place, 7));
  return load<u8>(TYPES_5 + readSymbol8(cdfs + TX_TYPE_5 + place, 5));
}

/** Returns the type of a transform of chroma (compute_tx_type). @param column in units of 4 samples of chroma */
export function chromaType(size: i32, row: i32, column: i32): i32 {
  if (isBlockLossless) return DCT_DCT;
  let type = <i32>load<u8>(MODE_TYPES + chromaMode);
  if (isInter) type = load<u8>(placeOf(max(blockRow, row << subY), max(blockColumn, column << subX)));
  return (load<u32>(MEMBERS + ((<usize>setOf(size)) << 2)) >> type) & 1 ? type : DCT_DCT;
}

/** Returns the order of the coefficients of a type. */
@inline
export function orderOf(type: i32): i32 {
  if (type <= IDTX) return DIAGONAL;
  return type & 1 ? HORIZONTAL : VERTICAL;
}
