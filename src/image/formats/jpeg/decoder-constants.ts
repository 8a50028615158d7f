/**
 * Constants of the JPEG decoder. This file is both TypeScript and AssemblyScript: the module is built with these
 * numbers, and the plan computes the module's memory from them.
 */

/** The data stored between decoding and output: nothing, whole planes of samples, or all coefficients. */
export const STORE_NOTHING = 0;
export const STORE_PLANES = 1;
export const STORE_COEFFICIENTS = 2;

/** Bytes of the file that the module holds before it parses them. */
export const INBOX_BYTES = 131_072;
/** Bytes of entropy-coded data that the module holds, stuffed zeros removed. */
export const WINDOW_BYTES = 65_536;

/** Rows are handed out in batches of at most this many bytes (but at least one row) and this many rows. */
export const BATCH_BYTES = 131_072;
export const MAX_BATCH_ROWS = 32;
/** Bytes that vector loops may read or write past the end of the rows. */
export const ROW_SLACK = 32;
