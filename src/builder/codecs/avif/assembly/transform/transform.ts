/**
 * Two-dimensional transforms of a block (AV1 specification section 7.13.3). A block has rows of at least 8 values (i16):
 * where it is 4 samples wide, the other 4 are without meaning.
 */
import { transformColumnPairs, transformColumns } from "./columns";
import { ADST, DCT } from "./networks";

/** Types of transforms (section 6.10.19): vertical before horizontal. */
export const DCT_DCT: i32 = 0;
export const ADST_DCT: i32 = 1;
export const DCT_ADST: i32 = 2;
export const ADST_ADST: i32 = 3;

export const turnedBlock = memory.data(64 * 64 * 2, 16);
/** 2896 / 4096, the scale of blocks of 2:1, in 32768ths. */
export const RECT_SCALE: i16 = 23168;

/** Returns whether one side of a block is twice the other: those have a scale of their own. */
@inline
export function isTwice(wide: i32, high: i32): boolean {
  return ((wide + high) & 1) != 0;
}

/** Returns the values per row of a block. */
@inline
export function strideOf(log2: i32): i32 {
  return max(8, 1 << log2);
}

@inline
function kindOfRows(type: i32): i32 {
  return type >> 1 ? ADST : DCT;
}

@inline
function kindOfColumns(type: i32): i32 {
  return type & 1 ? ADST : DCT;
}

/** Copies the block of `rows` x `columns` values, both multiples of 8, to `to` with rows as columns. */
export function turnBlock(from: usize, to: usize, columns: i32, rows: i32): void {
  const stride = (<usize>columns) << 1;
  const outStride = (<usize>rows) << 1;
  for (let y = 0; y < rows; y += 8) {
    for (let x = 0; x < columns; x += 8) {
      const at = from + <usize>y * stride + ((<usize>x) << 1);
      turn8(at, stride, to + <usize>x * outStride + ((<usize>y) << 1), outStride);
    }
  }
}

@inline
function turn8(at: usize, stride: usize, to: usize, outStride: usize): void {
  const r0 = v128.load(at);
  const r1 = v128.load(at + stride);
  const r2 = v128.load(at + 2 * stride);
  const r3 = v128.load(at + 3 * stride);
  const r4 = v128.load(at + 4 * stride);
  const r5 = v128.load(at + 5 * stride);
  const r6 = v128.load(at + 6 * stride);
  const r7 = v128.load(at + 7 * stride);
  const a0 = v128.shuffle<i16>(r0, r1, 0, 8, 1, 9, 2, 10, 3, 11);
  const a1 = v128.shuffle<i16>(r2, r3, 0, 8, 1, 9, 2, 10, 3, 11);
  const a2 = v128.shuffle<i16>(r4, r5, 0, 8, 1, 9, 2, 10, 3, 11);
  const a3 = v128.shuffle<i16>(r6, r7, 0, 8, 1, 9, 2, 10, 3, 11);
  const a4 = v128.shuffle<i16>(r0, r1, 4, 12, 5, 13, 6, 14, 7, 15);
  const a5 = v128.shuffle<i16>(r2, r3, 4, 12, 5, 13, 6, 14, 7, 15);
  const a6 = v128.shuffle<i16>(r4, r5, 4, 12, 5, 13, 6, 14, 7, 15);
  const a7 = v128.shuffle<i16>(r6, r7, 4, 12, 5, 13, 6, 14, 7, 15);
  const b0 = v128.shuffle<i32>(a0, a1, 0, 4, 1, 5);
  const b1 = v128.shuffle<i32>(a2, a3, 0, 4, 1, 5);
  const b2 = v128.shuffle<i32>(a0, a1, 2, 6, 3, 7);
  const b3 = v128.shuffle<i32>(a2, a3, 2, 6, 3, 7);
  const b4 = v128.shuffle<i32>(a4, a5, 0, 4, 1, 5);
  const b5 = v128.shuffle<i32>(a6, a7, 0, 4, 1, 5);
  const b6 = v128.shuffle<i32>(a4, a5, 2, 6, 3, 7);
  const b7 = v128.shuffle<i32>(a6, a7, 2, 6, 3, 7);
  v128.store(to, v128.shuffle<i64>(b0, b1, 0, 2));
  v128.store(to + outStride, v128.shuffle<i64>(b0, b1, 1, 3));
  v128.store(to + 2 * outStride, v128.shuffle<i64>(b2, b3, 0, 2));
  v128.store(to + 3 * outStride, v128.shuffle<i64>(b2, b3, 1, 3));
  v128.store(to + 4 * outStride, v128.shuffle<i64>(b4, b5, 0, 2));
  v128.store(to + 5 * outStride, v128.shuffle<i64>(b4, b5, 1, 3));
  v128.store(to + 6 * outStride, v128.shuffle<i64>(b6, b7, 0, 2));
  v128.store(to + 7 * outStride, v128.shuffle<i64>(b6, b7, 1, 3));
}

/** Multiplies `count` values by `factor` / 32768, rounded. */
export function scale(at: usize, count: i32, factor: i16): void {
  const by = i16x8.splat(factor);
  for (const end = at + ((<usize>count) << 1); at < end; at += 16) {
    v128.store(at, i16x8.q15mulr_sat_s(v128.load(at), by));
  }
}

export function pass(at: usize, to: usize, columns: i32, kind: i32, log2: i32, forward: i32): void {
  const stride = (<usize>columns) << 1;
  let offset: usize = 0;
  // The ADST of four values has no list of steps.
  if (log2 > 2) {
    for (; offset + 32 <= stride; offset += 32) {
      transformColumnPairs(at + offset, to + offset, stride, kind, log2, forward);
    }
  }
  for (; offset < stride; offset += 16) {
    transformColumns(at + offset, to + offset, stride, kind, log2, forward);
  }
}

/**
 * Returns the bits by which the first pass of the inverse rounds (Transform_Row_Shift), by log2 of width and height.
 */
@inline
export function rowShift(wide: i32, high: i32): i32 {
  const sum = wide + high;
  return sum == 12 || sum == 10 || sum == 8 ? 2 : sum == 9 || sum == 7 || sum == 6 ? 1 : 0;
}

/**
 * Implements the inverse transform, in place: coefficients to residue. A block of 64 x 64 has 32 x 32 coefficients.
 * @param wide log2 of the width, 2 to 6; the height is the same, or up to four times less or more, up to 32
 */
export function inverseTransform(block: usize, wide: i32, high: i32, type: i32): void {
  if (wide == 6) return inverseOf64(block);
  const columns = strideOf(wide);
  const rows = strideOf(high);
  turnBlock(block, turnedBlock, columns, rows);
  const count = columns * rows;
  if (isTwice(wide, high)) scale(turnedBlock, count, RECT_SCALE);
  pass(turnedBlock, turnedBlock, rows, kindOfRows(type), wide, 0);
  const shift = rowShift(wide, high);
  if (shift > 0) scale(turnedBlock, count, <i16>((<i32>1) << (15 - shift)));
  turnBlock(turnedBlock, block, rows, columns);
  pass(block, block, columns, kindOfColumns(type), high, 0);
  scale(block, count, 1 << 11);
}

function inverseOf64(block: usize): void {
  turnBlock(block, turnedBlock, 32, 32);
  memory.fill(turnedBlock + 32 * 32 * 2, 0, 32 * 32 * 2);
  pass(turnedBlock, turnedBlock, 32, DCT, 6, 0);
  scale(turnedBlock, 64 * 32, 1 << 13);
  turnBlock(turnedBlock, block, 32, 64);
  memory.fill(block + 64 * 32 * 2, 0, 64 * 32 * 2);
  pass(block, block, 64, DCT, 6, 0);
  scale(block, 64 * 64, 1 << 11);
}

/** Returns the bits by which residue is raised before its columns are transformed: as many as 16 bits have room for. */
@inline
function raise(high: i32): i32 {
  return high == 2 ? 4 : high == 3 ? 4 : 7 - high;
}

/** The block while its columns are transformed. */
const columnsBlock = memory.data(64 * 64 * 2, 16);

/**
 * Does the first half of the forward transform: that of columns. Types that share it share the result.
 * @param to where the block goes, with rows as columns
 */
export function forwardColumns(residue: usize, to: usize, wide: i32, high: i32, type: i32): void {
  const columns = strideOf(wide);
  const rows = strideOf(high);
  const up = raise(high);
  const count = columns * rows;
  for (let at: usize = 0, end = (<usize>count) << 1; at < end; at += 16) {
    v128.store(columnsBlock + at, i16x8.shl(v128.load(residue + at), up));
  }
  pass(columnsBlock, columnsBlock, columns, kindOfColumns(type), high, 1);
  // The two passes have a gain of sqrt(2) per doubling of each side.
  const gain = (wide + high - 2) >> 1;
  const target = wide == 6 ? 1 : wide + high > 8 ? 2 : 3;
  if (isTwice(wide, high)) scale(columnsBlock, count, RECT_SCALE);
  scale(columnsBlock, count, <i16>((<i32>1) << (15 - (up + gain - target))));
  // Only the 32 lowest coefficients of each side of 64 x 64 are coded.
  turnBlock(columnsBlock, to, columns, min(rows, 32));
}

/**
 * Does the second half: that of rows. Coefficients have the scale that the inverse expects: 8, 4 beyond 256 samples,
 * and 2 of 64 x 64.
 */
export function forwardRows(turned: usize, block: usize, wide: i32, high: i32, type: i32): void {
  const rows = min(strideOf(high), 32);
  pass(turned, turnedBlock, rows, kindOfRows(type), wide, 1);
  turnBlock(turnedBlock, block, rows, min(strideOf(wide), 32));
}
