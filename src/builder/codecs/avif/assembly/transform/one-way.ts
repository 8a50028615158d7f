/** Transforms in one direction, with none in the other (AV1 specification section 7.13.3): V_DCT and H_DCT. */
import { factorOf, scaled } from "./identity";
import { DCT } from "./networks";
import {
  DCT_DCT,
  forwardRows,
  isTwice,
  pass,
  RECT_SCALE,
  rowShift,
  scale,
  strideOf,
  turnBlock,
  turnedBlock,
} from "./transform";

/** The DCT of columns, and that of rows. */
export const V_DCT: i32 = 10;
export const H_DCT: i32 = 11;

const untransformed = memory.data(16 * 16 * 2, 16);

/** Multiplies `count` values by `factor` / 4096, as the transform does that leaves samples where they are. */
function widen(from: usize, to: usize, count: i32, factor: i32): void {
  const by = i32x4.splat(factor);
  const half = i32x4.splat(2048);
  for (let at: usize = 0, end = (<usize>count) << 1; at < end; at += 16) {
    v128.store(to + at, scaled(v128.load(from + at), by, half, 12));
  }
}

/**
 * Implements the forward V_DCT, at the scale that the inverse expects.
 * @param turned what `forwardColumns` made of the residue by DCT
 */
export function forwardVertical(turned: usize, block: usize, wide: i32, high: i32): void {
  const columns = strideOf(wide);
  const rows = strideOf(high);
  widen(turned, untransformed, columns * rows, factorOf(wide));
  turnBlock(untransformed, block, rows, columns);
}

/** Bits by which residue is raised before it is scaled down. */
const RAISE: i32 = 6;

/** Implements the forward H_DCT. */
export function forwardHorizontal(residue: usize, block: usize, wide: i32, high: i32): void {
  const columns = strideOf(wide);
  const rows = strideOf(high);
  // The DCT of rows has a gain of sqrt(width / 2), and coefficients 8 times their orthonormal scale.
  const ratio: i32 = (4096 * 4096) / factorOf(wide);
  const factor = i16x8.splat(<i16>ratio);
  for (let at: usize = 0, end = (<usize>(columns * rows)) << 1; at < end; at += 16) {
    const value = i16x8.shl(v128.load(residue + at), RAISE);
    v128.store(untransformed + at, i16x8.q15mulr_sat_s(value, factor));
  }
  turnBlock(untransformed, block, columns, rows);
  memory.copy(untransformed, block, (<usize>(columns * rows)) << 1);
  forwardRows(untransformed, block, wide, high, DCT_DCT);
}

/** Implements the inverse of either, in place. */
export function inverseOneWay(block: usize, wide: i32, high: i32, type: i32): void {
  const columns = strideOf(wide);
  const rows = strideOf(high);
  const count = columns * rows;
  const shift = rowShift(wide, high);
  if (type == H_DCT) turnBlock(block, turnedBlock, columns, rows);
  const first = type == H_DCT ? turnedBlock : block;
  if (isTwice(wide, high)) scale(first, count, RECT_SCALE);
  if (type == H_DCT) pass(first, first, rows, DCT, wide, 0);
  else widen(first, first, count, factorOf(wide));
  if (shift > 0) scale(first, count, <i16>((<i32>1) << (15 - shift)));
  if (type == H_DCT) {
    turnBlock(turnedBlock, block, rows, columns);
    widen(block, block, count, factorOf(high));
  } else pass(block, block, columns, DCT, high, 0);
  scale(block, count, 1 << 11);
}
