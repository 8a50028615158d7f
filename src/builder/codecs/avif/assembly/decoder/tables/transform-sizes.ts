/** Sizes of transforms by the standard's numbers (AV1 specification section 9.3). */
export const TX_4X4: i32 = 0;
export const TX_8X8: i32 = 1;
export const TX_16X16: i32 = 2;
export const TX_32X32: i32 = 3;
export const TX_64X64: i32 = 4;
export const TX_16X32: i32 = 9;
export const TX_32X16: i32 = 10;

const WIDTH_LOG2 = memory.data<u8>([2, 3, 4, 5, 6, 2, 3, 3, 4, 4, 5, 5, 6, 2, 4, 3, 5, 4, 6]);
const HEIGHT_LOG2 = memory.data<u8>([2, 3, 4, 5, 6, 3, 2, 4, 3, 5, 4, 6, 5, 4, 2, 5, 3, 6, 4]);
/** Split_Tx_Size. */
const DIVIDED = memory.data<u8>([0, 0, 1, 2, 3, 0, 0, 1, 1, 2, 2, 3, 3, 5, 6, 7, 8, 9, 10]);
/** Numbers by log2 of width and height, both minus 2; 255 where there is none. */
const SIZES = memory.data<u8>([
  0, 5, 13, 255, 255, 6, 1, 7, 15, 255, 14, 8, 2, 9, 17, 255, 16, 10, 3, 11, 255, 255, 18, 12, 4,
]);

/** Returns log2 of the width in samples. */
@inline
export function wideOf(size: i32): i32 {
  return load<u8>(WIDTH_LOG2 + size);
}

@inline
export function highOf(size: i32): i32 {
  return load<u8>(HEIGHT_LOG2 + size);
}

@inline
export function dividedTransform(size: i32): i32 {
  return load<u8>(DIVIDED + size);
}

/** Returns the size with these logarithms of its sides in samples. */
@inline
export function transformSize(wide: i32, high: i32): i32 {
  return load<u8>(SIZES + (wide - 2) * 5 + high - 2);
}
