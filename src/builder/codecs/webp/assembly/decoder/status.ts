/** What can be wrong with a frame; the JavaScript side has the same numbers (rows/webp-decoder.ts). */
export const FAULT_CORRUPT: i32 = -1;
export const FAULT_TRUNCATED: i32 = -2;
export const FAULT_OUT_OF_MEMORY: i32 = -3;
