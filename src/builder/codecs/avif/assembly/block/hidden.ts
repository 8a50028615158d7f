/**
 * The colour of pixels that are fully transparent. It is invisible, so it becomes the colour that takes the fewest
 * bytes: the predicted one where a whole square is transparent, else the mean of visible pixels nearby.
 */
import {
  alphaAt,
  codedHeight,
  codedWidth,
  planeCount,
  reconstructedAt,
  reconstructedRow,
  shiftOf,
  sourceAt,
  sourceRow,
} from "./planes";
import { tileLeft, tileTop } from "./tile";
import { hasAlpha } from "./visible";

const SQUARE: i32 = 32;
/** Log2 of the side of a cell of luma, whose hidden samples get one value; and cells in a row of a square. */
const CELL_LOG2: i32 = 3;
const CELLS: i32 = 4;
const NO_MEAN: i32 = -1;
/** The prediction without neighbours. */
const MIDDLE: i32 = 128;

/** Means of the cells of a square, and the same after a step outwards. */
const means = memory.data(16 * 4, 16);
const spread = memory.data(16 * 4, 16);

/**
 * Returns whether all samples of a rectangle of luma are hidden, or with `isAny`, whether any is. Widths are multiples
 * of 8.
 */
function areHidden(x: i32, y: i32, wide: i32, high: i32, isAny: boolean): boolean {
  for (let row = y; row < y + high; row++) {
    for (let at = alphaAt(x, row), end = at + wide; at < end; at += 8) {
      const isZero = i8x16.eq(v128.load64_zero(at), i64x2.splat(0));
      const eight = <u64>i64x2.extract_lane(isZero, 0);
      if (isAny) {
        if (eight != 0) return true;
      } else if (eight != u64.MAX_VALUE) return false;
    }
  }
  return !isAny;
}

/** Returns whether nothing is visible of the 8 x 8 samples of luma at (x, y). */
export function isHiddenBlock(x: i32, y: i32): boolean {
  return hasAlpha() && areHidden(x, y, 8, 8, false);
}

/** Gives the hidden samples of a square of 32 that shows something the means of what it shows. */
export function fillMixedSquare(x: i32, y: i32): void {
  const wide = min(SQUARE, codedWidth - x);
  const high = min(SQUARE, codedHeight - y);
  if (wide <= 0 || high <= 0 || !areHidden(x, y, wide, high, true) || areHidden(x, y, wide, high, false))
    return;
  for (let plane = 0; plane < planeCount; plane++) {
    for (let cell = 0; cell < CELLS * CELLS; cell++) {
      const left = x + ((cell & 3) << CELL_LOG2);
      const top = y + ((cell >> 2) << CELL_LOG2);
      const isOut = left >= codedWidth || top >= codedHeight;
      store<i32>(means + ((<usize>cell) << 2), isOut ? NO_MEAN : meanOf(plane, left, top));
    }
    while (spreadMeans()) {}
    for (let cell = 0; cell < CELLS * CELLS; cell++) {
      const left = x + ((cell & 3) << CELL_LOG2);
      const top = y + ((cell >> 2) << CELL_LOG2);
      if (left >= codedWidth || top >= codedHeight) continue;
      fillCell(plane, left, top, load<i32>(means + ((<usize>cell) << 2)));
    }
  }
}

/** Returns whether the sample of a plane is hidden, for which luma's samples at (x, y) and beside it count. */
@inline
function isHidden(x: i32, y: i32, shift: i32): boolean {
  const at = alphaAt(x, y);
  if (!shift) return load<u8>(at) == 0;
  return (load<u16>(at) | load<u16>(at + sourceRow())) == 0;
}

/** Returns the mean of the visible samples of a cell; NO_MEAN without any. Coordinates are of luma. */
function meanOf(plane: i32, x: i32, y: i32): i32 {
  const shift = shiftOf(plane);
  let sum = 0;
  let count = 0;
  for (let row = y; row < y + (1 << CELL_LOG2); row += 1 << shift) {
    for (let column = x; column < x + (1 << CELL_LOG2); column += 1 << shift) {
      if (isHidden(column, row, shift)) continue;
      sum += <i32>load<u8>(sourceAt(plane, column >> shift, row >> shift));
      count++;
    }
  }
  return count ? (sum + (count >> 1)) / count : NO_MEAN;
}

/** Gives cells without a mean that of the cells beside them. @returns whether there may be cells left */
function spreadMeans(): boolean {
  let isMissing = false;
  for (let cell = 0; cell < CELLS * CELLS; cell++) {
    const at = means + ((<usize>cell) << 2);
    let value = load<i32>(at);
    if (value == NO_MEAN) {
      isMissing = true;
      let sum = 0;
      let count = 0;
      for (let side = 0; side < 4; side++) {
        const column = (cell & 3) + (side == 0 ? -1 : side == 1 ? 1 : 0);
        const row = (cell >> 2) + (side == 2 ? -1 : side == 3 ? 1 : 0);
        if (((column | row) & ~3) != 0) continue;
        const beside = load<i32>(means + ((<usize>(row * CELLS + column)) << 2));
        if (beside == NO_MEAN) continue;
        sum += beside;
        count++;
      }
      if (count) value = (sum + (count >> 1)) / count;
    }
    store<i32>(spread + ((<usize>cell) << 2), value);
  }
  memory.copy(means, spread, 64);
  return isMissing;
}

function fillCell(plane: i32, x: i32, y: i32, value: i32): void {
  const shift = shiftOf(plane);
  for (let row = y; row < y + (1 << CELL_LOG2); row += 1 << shift) {
    for (let column = x; column < x + (1 << CELL_LOG2); column += 1 << shift) {
      if (isHidden(column, row, shift)) store<u8>(sourceAt(plane, column >> shift, row >> shift), value);
    }
  }
}

/** Gives a square of 32 that shows nothing what is predicted from its edges, which must be reconstructed. */
export function fillHiddenSquare(x: i32, y: i32): void {
  const wide = min(SQUARE, codedWidth - x);
  const high = min(SQUARE, codedHeight - y);
  if (wide <= 0 || high <= 0 || !areHidden(x, y, wide, high, false)) return;
  for (let plane = 0; plane < planeCount; plane++) {
    const shift = shiftOf(plane);
    const value = edgeMean(plane, x >> shift, y >> shift, wide >> shift, high >> shift);
    for (let row = y >> shift; row < (y + high) >> shift; row++) {
      memory.fill(sourceAt(plane, x >> shift, row), <u8>value, wide >> shift);
    }
  }
}

/** Returns the prediction of DC_PRED (AV1 specification section 7.11.2.5). */
function edgeMean(plane: i32, x: i32, y: i32, wide: i32, high: i32): i32 {
  const corner = reconstructedAt(plane, x, y);
  const shift = shiftOf(plane);
  let sum = 0;
  let count = 0;
  if (y > tileTop >> shift) {
    const above = corner - reconstructedRow();
    for (let i = 0; i < wide; i++) sum += <i32>load<u8>(above + i);
    count += wide;
  }
  if (x > tileLeft >> shift) {
    for (let i = 0; i < high; i++) sum += <i32>load<u8>(corner + <usize>i * reconstructedRow() - 1);
    count += high;
  }
  return count ? (sum + (count >> 1)) / count : MIDDLE;
}
