/** The orders that coefficients of a block are coded in, and the levels that their contexts look at. */
import { IDTX } from "../transform/identity";

/** An entry of a scan has four words (u16): place in a block, place in `levels`, and two offsets of contexts. */
export const ENTRY_BYTES: usize = 8;

/** Orders of coefficients: along diagonals, by rows where only columns are transformed, and by columns. */
export const DIAGONAL: i32 = 0;
export const ROWS: i32 = 1;
export const COLUMNS: i32 = 2;

/** Returns the order of a type of transform. */
@inline
export function orderOf(type: i32): i32 {
  return max(DIAGONAL, type - IDTX);
}

/** Values per row of `levels`: 32 and those beyond, which are 0. */
export const LEVEL_STRIDE: i32 = 36;

/**
 * Levels of the block being coded, a word each: the low byte up to 3, as contexts of base symbols count them, the high
 * byte up to 15, as contexts of range symbols do (AV1 specification section 8.3.2).
 */
export const levels = memory.data(LEVEL_STRIDE * 35 * 2, 16);

/**
 * Returns where contexts look, in bytes from a level, besides the levels to the right of it and below it: range symbols
 * at the third, base symbols at all. `levels` has the columns of COLUMNS as rows, so that both orders look at what is
 * below.
 */
@inline
export function thirdOf(order: i32): usize {
  return order == DIAGONAL ? LEVEL_STRIDE * 2 + 2 : LEVEL_STRIDE * 4;
}

@inline
export function fourthOf(order: i32): usize {
  return order == DIAGONAL ? 4 : LEVEL_STRIDE * 6;
}

@inline
export function fifthOf(order: i32): usize {
  return order == DIAGONAL ? LEVEL_STRIDE * 4 : LEVEL_STRIDE * 8;
}

/** How far below a level they look, at most. */
export const NEIGHBOURS: i32 = 4;
