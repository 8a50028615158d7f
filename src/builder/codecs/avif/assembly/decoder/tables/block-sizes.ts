/**
 * Sizes of blocks by the standard's numbers (AV1 specification section 9.3): squares of 4 to 128 with the halves between
 * them, and then the quarters.
 */
export const BLOCK_8X8: i32 = 3;
export const BLOCK_16X16: i32 = 6;
export const BLOCK_32X32: i32 = 9;
export const BLOCK_64X64: i32 = 12;
export const BLOCK_128X128: i32 = 15;

const WIDTH_LOG2 = memory.data<u8>([0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 0, 2, 1, 3, 2, 4]);
const HEIGHT_LOG2 = memory.data<u8>([0, 1, 0, 1, 2, 1, 2, 3, 2, 3, 4, 3, 4, 5, 4, 5, 2, 0, 3, 1, 4, 2]);
/** Max_Tx_Size_Rect. */
const LARGEST = memory.data<u8>([0, 5, 6, 1, 7, 8, 2, 9, 10, 3, 11, 12, 4, 4, 4, 4, 13, 14, 15, 16, 17, 18]);
/** Max_Tx_Depth. */
const DEPTHS = memory.data<u8>([0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 4, 4, 4, 2, 2, 3, 3, 4, 4]);

/** Returns log2 of the width in units of 4 samples. */
@inline
export function widthLog2(size: i32): i32 {
  return load<u8>(WIDTH_LOG2 + size);
}

@inline
export function heightLog2(size: i32): i32 {
  return load<u8>(HEIGHT_LOG2 + size);
}

@inline
export function largestTransform(size: i32): i32 {
  return load<u8>(LARGEST + size);
}

/** Returns the count of divisions from the largest transform to the smallest. */
@inline
export function deepestDivision(size: i32): i32 {
  return load<u8>(DEPTHS + size);
}

/** Numbers of block sizes by log2 of width and height in units of 4; 255 where there is none. */
const SIZES = memory.data<u8>([
  0, 1, 16, 255, 255, 255, 2, 3, 4, 18, 255, 255, 17, 5, 6, 7, 20, 255, 255, 19, 8, 9, 10, 255, 255, 255, 21,
  11, 12, 13, 255, 255, 255, 255, 14, 15,
]);

/** Returns the block size with these logarithms of its sides in units of 4; 255 where there is none. */
@inline
export function blockSize(wide: i32, high: i32): i32 {
  return load<u8>(SIZES + wide * 6 + high);
}
