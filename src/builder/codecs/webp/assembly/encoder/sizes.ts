/** Room that the encoder keeps, and how often it looks at its statistics. */

/** Bytes that the vector loops may touch past the end of a row. */
export const SLACK: u64 = 64;
/** Most bytes that one macroblock adds to a partition: 400 levels of 24 booleans, of at most one byte each. */
export const MOST_MACROBLOCK_BYTES: usize = 9600;
/** Most bits of modes in the first partition: the limit of its size field of 19 bits, minus the header. */
export const FIRST_PARTITION_BITS: i64 = 8 * ((1 << 19) - 1 - 4096);
/** After this many rows of macroblocks, costs are computed again from the counts. */
export const ROWS_TO_REFRESH: i32 = 4;
/**
 * Bytes of modes after the frame header, without the bytes that end the partition. libwebp's incremental decoder, which
 * Chromium uses, refuses a first partition that ends within the header and the bytes that the decoder reads ahead.
 */
export const MODE_BYTES_MIN: usize = 2;
