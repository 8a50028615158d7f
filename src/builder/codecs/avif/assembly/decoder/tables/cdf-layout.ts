/**
 * Where each distribution lies in the memory of a tile: byte offsets. A distribution of N symbols has 2, 4, 8 or 16 words
 * (u16), at least N: 32768 minus its cumulative probabilities up to symbol N - 2, zeros, and in the last word the count of
 * symbols that it has decoded. So vectors hold whole distributions.
 */
/** [5][5] of 13 symbols. */
export const KEY_Y_MODE: usize = 0;
/** [13] of 13 symbols. */
export const UV_MODE: usize = 800;
/** [13] of 14 symbols. */
export const UV_MODE_CFL: usize = 1216;
/** [8] of 7 symbols. */
export const ANGLE_DELTA: usize = 1632;
/** [4] of 4 symbols. */
export const PARTITION_8: usize = 1760;
/** [4] of 10 symbols. */
export const PARTITION_16: usize = 1792;
/** [4] of 10 symbols. */
export const PARTITION_32: usize = 1920;
/** [4] of 10 symbols. */
export const PARTITION_64: usize = 2048;
/** [3] of 2 symbols. */
export const TX_DEPTH_8: usize = 2176;
/** [3] of 3 symbols. */
export const TX_DEPTH_16: usize = 2188;
/** [3] of 3 symbols. */
export const TX_DEPTH_32: usize = 2212;
/** [3] of 3 symbols. */
export const TX_DEPTH_64: usize = 2236;
/** [3] of 2 symbols. */
export const SKIP: usize = 2260;
/** [] of 4 symbols. */
export const DELTA_Q: usize = 2272;
/** [2][13] of 7 symbols. */
export const TX_TYPE_7: usize = 2280;
/** [3][13] of 5 symbols. */
export const TX_TYPE_5: usize = 2696;
/** [] of 8 symbols. */
export const CFL_SIGN: usize = 3320;
/** [6] of 16 symbols. */
export const CFL_ALPHA: usize = 3336;
/** [7][3] of 2 symbols. */
export const PALETTE_Y: usize = 3528;
/** [2] of 2 symbols. */
export const PALETTE_UV: usize = 3612;
/** [7] of 7 symbols. */
export const PALETTE_Y_SIZE: usize = 3620;
/** [7] of 7 symbols. */
export const PALETTE_UV_SIZE: usize = 3732;
/** [5] of 2 symbols. */
export const PALETTE_Y_COLOR_2: usize = 3844;
/** [5] of 3 symbols. */
export const PALETTE_Y_COLOR_3: usize = 3864;
/** [5] of 4 symbols. */
export const PALETTE_Y_COLOR_4: usize = 3904;
/** [5] of 5 symbols. */
export const PALETTE_Y_COLOR_5: usize = 3944;
/** [5] of 6 symbols. */
export const PALETTE_Y_COLOR_6: usize = 4024;
/** [5] of 7 symbols. */
export const PALETTE_Y_COLOR_7: usize = 4104;
/** [5] of 8 symbols. */
export const PALETTE_Y_COLOR_8: usize = 4184;
/** [5] of 2 symbols. */
export const PALETTE_UV_COLOR_2: usize = 4264;
/** [5] of 3 symbols. */
export const PALETTE_UV_COLOR_3: usize = 4284;
/** [5] of 4 symbols. */
export const PALETTE_UV_COLOR_4: usize = 4324;
/** [5] of 5 symbols. */
export const PALETTE_UV_COLOR_5: usize = 4364;
/** [5] of 6 symbols. */
export const PALETTE_UV_COLOR_6: usize = 4444;
/** [5] of 7 symbols. */
export const PALETTE_UV_COLOR_7: usize = 4524;
/** [5] of 8 symbols. */
export const PALETTE_UV_COLOR_8: usize = 4604;
/** [4] of 8 symbols. */
export const PARTITION_128: usize = 4684;
/** [3] of 8 symbols. */
export const SEGMENT_ID: usize = 4748;
/** [5]: the common one, and one per level of 4 symbols. */
export const DELTA_LF: usize = 4796;
/** [22] of 2 symbols. */
export const FILTER_INTRA: usize = 4836;
/** [] of 5 symbols. */
export const FILTER_INTRA_MODE: usize = 4924;
/** [] of 2 symbols. */
export const INTRA_BLOCK_COPY: usize = 4940;
/** [21] of 2 symbols. */
export const TX_SPLIT: usize = 4944;
/** [2] of 16 symbols. */
export const INTER_TX_TYPE_16: usize = 5028;
/** [] of 12 symbols. */
export const INTER_TX_TYPE_12: usize = 5092;
/** [4] of 2 symbols. */
export const INTER_TX_TYPE_2: usize = 5124;
/** [] of 2 symbols. */
export const USE_WIENER: usize = 5140;
/** [] of 2 symbols. */
export const USE_SELF_GUIDED: usize = 5144;
/** [] of 3 symbols. */
export const RESTORATION_TYPE: usize = 5148;
/** [] of 4 symbols. */
export const MV_JOINT: usize = 5156;
/** [2] of 2 symbols. */
export const MV_SIGN: usize = 5164;
/** [2] of 11 symbols. */
export const MV_CLASS: usize = 5172;
/** [2] of 2 symbols. */
export const MV_CLASS0_BIT: usize = 5236;
/** [2][10] of 2 symbols. */
export const MV_BIT: usize = 5244;
/** [5][13] of 2 symbols. */
export const TXB_SKIP: usize = 5324;
/** [2][2] of 5 symbols. */
export const EOB_16: usize = 5584;
/** [2][2] of 6 symbols. */
export const EOB_32: usize = 5648;
/** [2][2] of 7 symbols. */
export const EOB_64: usize = 5712;
/** [2][2] of 8 symbols. */
export const EOB_128: usize = 5776;
/** [2][2] of 9 symbols. */
export const EOB_256: usize = 5840;
/** [2] of 10 symbols. */
export const EOB_512: usize = 5968;
/** [2] of 11 symbols. */
export const EOB_1024: usize = 6032;
/** [5][2][9] of 2 symbols. */
export const EOB_EXTRA: usize = 6096;
/** [2][3] of 2 symbols. */
export const DC_SIGN: usize = 6456;
/** [5][2][4] of 3 symbols. */
export const BASE_EOB: usize = 6480;
/** [5][2][42] of 4 symbols. */
export const BASE: usize = 6800;
/** [5][2][21] of 4 symbols. */
export const RANGE: usize = 10160;

/** Bytes of all of them. */
export const CDF_BYTES: usize = 11840;

/** Count of distributions and of their symbols, in the order of the tables of defaults: modes, others, coefficients. */
export const MODE_GROUPS = memory.data<u16>([
  25, 13, 13, 13, 13, 14, 8, 7, 4, 4, 4, 10, 4, 10, 4, 10, 3, 2, 3, 3, 3, 3, 3, 3, 3, 2, 1, 4, 26, 7, 39, 5,
  1, 8, 6, 16, 21, 2, 2, 2, 7, 7, 7, 7, 5, 2, 5, 3, 5, 4, 5, 5, 5, 6, 5, 7, 5, 8, 5, 2, 5, 3, 5, 4, 5, 5, 5,
  6, 5, 7, 5, 8,
]);
export const MODE_GROUPS_COUNT = 36;
export const OTHER_GROUPS = memory.data<u16>([
  4, 8, 3, 8, 5, 4, 22, 2, 1, 5, 1, 2, 21, 2, 2, 16, 1, 12, 4, 2, 1, 2, 1, 2, 1, 3, 1, 4, 2, 2, 2, 11, 2, 2,
  20, 2,
]);
export const OTHER_GROUPS_COUNT = 18;
export const COEFFICIENT_GROUPS = memory.data<u16>([
  65, 2, 4, 5, 4, 6, 4, 7, 4, 8, 4, 9, 2, 10, 2, 11, 90, 2, 6, 2, 40, 3, 420, 4, 210, 4,
]);
export const COEFFICIENT_GROUPS_COUNT = 13;
