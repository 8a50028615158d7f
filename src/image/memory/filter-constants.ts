/**
 * Constants of the Lanczos3 filter. This file is both TypeScript and AssemblyScript: the WebAssembly modules compute
 * with these numbers, and the plan computes the modules' memory from them.
 */

/** Lobes on each side of the kernel. */
export const LOBES = 3;
/** The number of taps is rounded up to a multiple: of 2 for vertical filters, of 8 for horizontal ones. */
export const VERTICAL_TAP_MULTIPLE = 2;
export const HORIZONTAL_TAP_MULTIPLE = 8;
/** Samples that the filter passes work on at once. Buffers of rows have this much room past their end. */
export const ROW_PADDING = 16;
