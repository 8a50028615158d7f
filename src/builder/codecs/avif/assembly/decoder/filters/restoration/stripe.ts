/** Loop restoration of a stripe (AV1 specification section 7.17), in place. */
import { restorationUnit, unitColumns, unitRows, unitSize } from "../../blocks/restoration";
import { RESTORE_NONE, RESTORE_WIENER } from "../../headers/filter-params";
import { bitDepth } from "../../headers/sequence";
import { copyRow, keepColumns, WINDOW_SIZE } from "../window";
import { filterSelfGuided } from "./self-guided";
import { filterWiener } from "./wiener";

/** Rows above and below the stripe that the filters read. The outermost repeats the one beside it. */
const AROUND: i32 = 3;
/** Samples after a window that does not end at the edge of the picture. */
const LEAST_AFTER: i32 = 8;

/** The rows of the stripe. */
let stripe: usize = 0;
let stripeStride: usize = 0;
let stripeRows: i32 = 0;
/** Rows around it, before CDEF: two above, 0 at the top of the picture, and up to two below. */
let farAbove: usize = 0;
let nearAbove: usize = 0;
let nearBelow: usize = 0;
let farBelow: usize = 0;
let countBelow: i32 = 0;

/** Sets the stripe that `restoreStripe` filters. */
export function setStripe(at: usize, stride: usize, rows: i32): void {
  stripe = at;
  stripeStride = stride;
  stripeRows = rows;
}

/** Sets the rows above the stripe, the farther one first; 0 at the top of the picture. */
export function setAbove(far: usize, near: usize): void {
  farAbove = far;
  nearAbove = near;
}

/** Sets the rows below the stripe. @param count rows of the picture below it */
export function setBelow(near: usize, far: usize, count: i32): void {
  nearBelow = near;
  farBelow = far;
  countBelow = count;
}

/** Returns the address of a row from three above the stripe to two below its last. */
function sourceRow(row: i32): usize {
  if (row < 0) {
    if (nearAbove == 0) return stripe;
    return row == -1 ? nearAbove : farAbove;
  }
  if (row < stripeRows) return stripe + <usize>row * stripeStride;
  if (countBelow == 0) return stripe + <usize>(stripeRows - 1) * stripeStride;
  return row == stripeRows || countBelow == 1 ? nearBelow : farBelow;
}

/**
 * Returns the end of the window at `x` in a unit that ends at `end`. The samples to the right of it that filters read are
 * in the picture or all past its edge. The last unit has half the size of others or more, so only it needs a shorter one.
 */
@inline
function windowEnd(x: i32, end: i32, width: i32): i32 {
  const next = x + WINDOW_SIZE;
  if (next >= end) return end;
  return next + LEAST_AFTER > width ? x + WINDOW_SIZE / 2 : next;
}

/** Filters the stripe. @param index of the stripe in the picture; `width` is the plane's */
export function restoreStripe(plane: i32, index: i32, width: i32, shiftY: i32): void {
  const size = unitSize(plane);
  const columns = unitColumns(plane);
  const unitRow = min(unitRows(plane) - 1, ((index << 6) >> shiftY) / size);
  let before = 0;
  for (let x = 0; x < width;) {
    const column = min(columns - 1, x / size);
    const end = windowEnd(x, column == columns - 1 ? width : (column + 1) * size, width);
    const unit = restorationUnit(plane, unitRow, column);
    const type = load<u8>(unit);
    if (type == RESTORE_NONE) {
      before = 0;
      x = end;
      continue;
    }
    if (before) keepColumns(before, -AROUND, stripeRows + AROUND);
    const offset = (<usize>x) << 1;
    for (let row = -AROUND; row < stripeRows + AROUND; row++) {
      copyRow(row, sourceRow(row) + offset, end - x, before != 0, x == 0, end == width, false);
    }
    before = end - x;
    const to = stripe + offset;
    if (type == RESTORE_WIENER) filterWiener(before, stripeRows, unit + 1, to, stripeStride, bitDepth);
    else {
      const first = load<i8>(unit, 2);
      const second = load<i8>(unit, 3);
      filterSelfGuided(before, stripeRows, load<u8>(unit, 1), first, second, to, stripeStride, bitDepth);
    }
    x = end;
  }
}
