/** Which parts of the superblock are coded already: a bit per 4 x 4 luma samples, as BlockDecoded has it for luma. */

/** Rows -1 to 16. Bit 0 is the column to the left of the superblock. */
const rows = memory.data(18 * 4, 16);

/** Starts a superblock. @param columns 4 x 4 blocks from its left edge to that of the picture; @param lines downwards */
export function startSuperblock(columns: i32, lines: i32): void {
  store<u32>(rows, columns > 16 ? 0x3ffff : (1 << (columns + 1)) - 1);
  for (let y = 0; y < 17; y++) store<u32>(rows + ((<usize>(y + 1)) << 2), y < min(lines, 16) ? 1 : 0);
}

@inline
function maskOf(x: i32, width: i32): u32 {
  return ((1 << (width >> 2)) - 1) << (((x & 63) >> 2) + 1);
}

/** Marks a block as coded, or as not coded. Coordinates and sizes are of luma samples. */
export function markCoded(x: i32, y: i32, width: i32, height: i32, isCoded: boolean): void {
  const mask = maskOf(x, width);
  let at = rows + ((<usize>(((y & 63) >> 2) + 1)) << 2);
  for (let i = 0; i < height >> 2; i++, at += 4) {
    store<u32>(at, isCoded ? load<u32>(at) | mask : load<u32>(at) & ~mask);
  }
}

@inline
function isCoded(column: i32, row: i32): boolean {
  return ((load<u32>(rows + ((<usize>(row + 1)) << 2)) >> (column + 1)) & 1) != 0;
}

/** Returns whether the samples above and to the right of a block are there. */
export function hasAboveRight(x: i32, y: i32, width: i32): boolean {
  return isCoded(((x & 63) + width) >> 2, ((y & 63) >> 2) - 1);
}

/** Returns whether the samples below and to the left of a block are there. */
export function hasBelowLeft(x: i32, y: i32, height: i32): boolean {
  return isCoded(((x & 63) >> 2) - 1, ((y & 63) + height) >> 2);
}
