/**
 * Constants of the JPEG decoder. This file is TypeScript and AssemblyScript at once: the module is built with these
 * numbers, and the sums of its memory are made of them.
 */

/** How decoded data waits for the output: not at all, as whole planes of samples, or as coefficients. */
export const STORE_NOTHING = 0;
export const STORE_PLANES = 1;
export const STORE_COEFFICIENTS = 2;

/** Bytes of the file that the module holds before they are read. */
export const INBOX_BYTES = 131_072;
/** Bytes of entropy-coded data, without stuffed zeros, that the module holds. */
export const WINDOW_BYTES = 65_536;

/** Rows are handed out by about this many bytes, and never more than so many at once. */
export const BATCH_BYTES = 131_072;
export const MAX_BATCH_ROWS = 32;
/** Bytes that vector loops may touch past the end of the rows. */
export const ROW_SLACK = 32;
