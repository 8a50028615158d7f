/** The trials and choices for the squares of a superblock. */
import { INFO_BYTES } from "../block/info";

/** Partitions (AV1 specification section 6.10.4). */
export const NONE: i32 = 0;
export const HORIZONTAL: i32 = 1;
export const VERTICAL: i32 = 2;
export const SPLIT: i32 = 3;
export const HORIZONTAL_4: i32 = 8;
export const VERTICAL_4: i32 = 9;

/** Smallest and largest squares that are searched, log2. */
export const SMALLEST: i32 = 3;
export const LARGEST: i32 = 6;
/** The squares that those of 8 x 8 may be divided into. */
export const TINY: i32 = 2;

/** Records of blocks by size of square, partition and place in units of 8 x 8, and the partitions chosen. */
const infos = memory.data(4 * 3 * 64 * 16, 16);
const partitions = memory.data(4 * 64);
/** Records of blocks of 4 x 4, 8 x 4 and 4 x 8, by place in units of 4 x 4. */
const tinyInfos = memory.data(3 * 16 * 16 * 16, 16);

/** Records of quarters from side to side of squares of 16 and 32, whose largest count is 64. */
const quarterInfos = memory.data(2 * 2 * 64 * 16, 16);

@inline
function unitOf(x: i32, y: i32): i32 {
  return (((y & 63) >> 3) << 3) + ((x & 63) >> 3);
}

/** Returns the record of the block that begins at (x, y) and is of a square of 1 << log2 in a partition. */
@inline
export function infoAt(x: i32, y: i32, log2: i32, partition: i32): usize {
  if (partition >= HORIZONTAL_4) {
    const isAcross = partition == HORIZONTAL_4;
    const along = (isAcross ? y & 63 : x & 63) >> (log2 - 2);
    const square = (isAcross ? x & 63 : y & 63) >> log2;
    const table = (log2 - 4) * 2 + partition - HORIZONTAL_4;
    return quarterInfos + <usize>(table * 64 + along * (64 >> log2) + square) * INFO_BYTES;
  }
  if (log2 == TINY || (log2 == SMALLEST && partition != NONE)) {
    const unit = (((y & 63) >> 2) << 4) + ((x & 63) >> 2);
    return tinyInfos + <usize>((log2 == TINY ? 0 : partition) * 256 + unit) * INFO_BYTES;
  }
  return infos + <usize>(((log2 - SMALLEST) * 3 + partition) * 64 + unitOf(x, y)) * INFO_BYTES;
}

/** Returns where the partition that was chosen for a square is noted. */
@inline
export function partitionAt(x: i32, y: i32, log2: i32): usize {
  return partitions + <usize>((log2 - SMALLEST) * 64 + unitOf(x, y));
}

/** Returns how many blocks a partition other than SPLIT makes of a square, and the sides of each, log2. */
@inline
export function stripCount(partition: i32): i32 {
  return partition == NONE ? 1 : partition < SPLIT ? 2 : 4;
}

@inline
function isStacked(partition: i32): boolean {
  return partition == HORIZONTAL || partition == HORIZONTAL_4;
}

@inline
export function stripWide(log2: i32, partition: i32): i32 {
  return isStacked(partition) ? log2 : log2 - (stripCount(partition) >> 1);
}

@inline
export function stripHigh(log2: i32, partition: i32): i32 {
  return isStacked(partition) ? log2 - (stripCount(partition) >> 1) : log2;
}

/** Returns where block `i` of a partition of a square begins. */
@inline
export function stripX(x: i32, log2: i32, partition: i32, i: i32): i32 {
  return isStacked(partition) ? x : x + (i << stripWide(log2, partition));
}

@inline
export function stripY(y: i32, log2: i32, partition: i32, i: i32): i32 {
  return isStacked(partition) ? y + (i << stripHigh(log2, partition)) : y;
}
