/** Step sizes and matrices of the quantiser (AV1 specification sections 7.12.2 and 9.5). */
import { allocate } from "../../../../../pixels/assembly/shared/arena";
import { acDelta, dcDelta, indexOf, matrixLevel, usesMatrices } from "../headers/quantisation";
import { bitDepth, planeCount } from "../headers/sequence";
import { AC_STEPS, DC_STEPS } from "../../tables/quantisers";
import { DEEP_AC_STEPS, DEEP_DC_STEPS } from "../tables/deep-steps";
import { MATRICES_0 } from "../tables/matrices-0";
import { MATRICES_8 } from "../tables/matrices-8";
import { highOf, wideOf } from "../tables/transform-sizes";
import { isBlockLossless, segment } from "../blocks/segment";
import { currentIndex } from "../blocks/tile";
import { rowsOf } from "./scans";

const NO_MATRIX: i32 = 15;
const MOST_LOG2: i32 = 5;
const SIZES: i32 = 19;
/** Bytes of a matrix, in the places of coefficients, and of those of a plane. */
const MATRIX_BYTES: usize = 32 * 32;
const PLANE_BYTES: usize = 19 * MATRIX_BYTES;
/** Bytes of the fundamental matrices of a level and plane type: a triangle of 32 x 32, and 32 by 16. */
const TRIANGLE: usize = 528;
const FUNDAMENTAL_BYTES: usize = TRIANGLE + 512;

let matrices: usize = 0;

@inline
function stepAt(steps: usize, deep: usize, index: i32): i32 {
  const place = min(max(index, 0), 255);
  if (bitDepth == 8) return load<u16>(steps + ((<usize>place) << 1));
  return load<u16>(deep + ((<usize>((bitDepth == 12 ? 256 : 0) + place)) << 1));
}

/** Returns the step of the first coefficient of the block. */
export function dcStep(plane: i32): i32 {
  return stepAt(DC_STEPS, DEEP_DC_STEPS, indexOf(segment, currentIndex()) + dcDelta(plane));
}

export function acStep(plane: i32): i32 {
  return stepAt(AC_STEPS, DEEP_AC_STEPS, indexOf(segment, currentIndex()) + acDelta(plane));
}

/** Returns the address of the matrix of the block in a plane and size; 0 for none. */
export function matrixOf(plane: i32, size: i32): usize {
  if (!usesMatrices || isBlockLossless || matrixLevel(plane) == NO_MATRIX) return 0;
  return matrices + <usize>plane * PLANE_BYTES + <usize>size * MATRIX_BYTES;
}

/** Returns an entry of the fundamental matrix of 32 x 32, or of 32 by 16 and turned where the block is not square. */
function fundamental(base: usize, wide: i32, high: i32, x: i32, y: i32): u8 {
  if (wide == high) {
    const row = max(x, y);
    return load<u8>(base + ((row * (row + 1)) >> 1) + min(x, y));
  }
  return load<u8>(base + TRIANGLE + (wide > high ? y * 32 + x : x * 32 + y));
}

/** Writes the matrix of a size (section 9.5.2). */
function fillMatrix(to: usize, base: usize, size: i32): void {
  const wide = min(wideOf(size), MOST_LOG2);
  const high = min(highOf(size), MOST_LOG2);
  const shiftX = (wide >= high ? 5 : 4) - wide;
  const shiftY = (high >= wide ? 5 : 4) - high;
  for (let x = 0; x < 1 << wide; x++) {
    for (let y = 0; y < 1 << high; y++) {
      const column = (x << shiftX) + (((1 << shiftX) + 1) >> 1) - 1;
      const row = (y << shiftY) + (((1 << shiftY) + 1) >> 1) - 1;
      store<u8>(to + x * rowsOf(size) + y, fundamental(base, wide, high, column, row));
    }
  }
}

/** Returns the bytes that `layOutMatrices` allocates. */
export function matrixBytes(): u64 {
  return usesMatrices ? 3 * <u64>PLANE_BYTES : 0;
}

/** Computes the matrices of the frame. */
export function layOutMatrices(): boolean {
  if (!usesMatrices) return true;
  matrices = allocate(matrixBytes());
  if (!matrices) return false;
  for (let plane = 0; plane < planeCount; plane++) {
    const level = matrixLevel(plane);
    if (level == NO_MATRIX) continue;
    const tables = level < 8 ? MATRICES_0 : MATRICES_8;
    const base = tables + <usize>((level & 7) * 2 + i32(plane > 0)) * FUNDAMENTAL_BYTES;
    for (let size = 0; size < SIZES; size++) {
      fillMatrix(matrices + <usize>plane * PLANE_BYTES + <usize>size * MATRIX_BYTES, base, size);
    }
  }
  return true;
}
