/**
 * Constants of the Lanczos3 filter. This file is TypeScript and AssemblyScript at once: the modules compute with these
 * numbers, and the sums of their memory are made of them.
 */

/** Lobes of the kernel on each side. */
export const LOBES = 3;
/** The taps of a vertical filter come in pairs, those of a horizontal one in eights. */
export const VERTICAL_TAP_MULTIPLE = 2;
export const HORIZONTAL_TAP_MULTIPLE = 8;
/** The passes work on this many samples at once: rows, lines and outputs have that much room past their end. */
export const ROW_PADDING = 16;
