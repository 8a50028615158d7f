/**
 * The format of a list of levels, which are quantised AC coefficients that are not 0: for each, its zigzag index and
 * its value, as two i32.
 */

/** Bytes of one level. */
export const LEVEL_BYTES: usize = 8;
/** Offset of the value. The zigzag index is at 0. */
export const LEVEL_VALUE: usize = 4;
