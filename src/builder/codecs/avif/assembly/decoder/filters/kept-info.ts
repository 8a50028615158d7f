/** Block information of the last rows of the superblock row before the current one. */
import { allocate } from "../../../../../pixels/assembly/shared/arena";
import { cdefIndices, cdefStride, chromaSizes, infoStride, levels, lumaSizes, skips } from "../blocks/info";
import { sbSize } from "../headers/sequence";

let keptLuma: usize = 0;
let keptChroma: usize = 0;
let keptLevels: usize = 0;
let keptSkips: usize = 0;
let keptIndices: usize = 0;

/**
 * Returns the bytes that `layOutKeptInfo` allocates: sizes, levels, skip flags per 8 x 8, and CDEF indices per 64 x 64.
 */
export function keptInfoBytes(): u64 {
  return 7 * infoStride + cdefStride;
}

export function layOutKeptInfo(): boolean {
  keptLevels = allocate(keptInfoBytes());
  keptLuma = keptLevels + 4 * infoStride;
  keptChroma = keptLuma + infoStride;
  keptSkips = keptChroma + infoStride;
  keptIndices = keptSkips + infoStride;
  return keptLevels != 0;
}

/**
 * Returns the address of the transform sizes of a plane in a row of 4 x 4 blocks of luma; row -1 is the one above the
 * superblock row.
 */
@inline
export function sizesRow(plane: i32, row: i32): usize {
  if (row < 0) return plane == 0 ? keptLuma : keptChroma;
  return (plane == 0 ? lumaSizes : chromaSizes) + <usize>row * infoStride;
}

/** Returns the address of the deblocking levels of a row, of four bytes each. */
@inline
export function levelsRow(row: i32): usize {
  return row < 0 ? keptLevels : levels + ((<usize>row * infoStride) << 2);
}

@inline
function isSkippedIn(at: usize): boolean {
  return (load<u16>(at) & load<u16>(at + infoStride)) == 0x0101;
}

/** Returns whether a block of 8 x 8 has no residue. Row -1 is the last one above the superblock row. */
@inline
export function isSkipped(row: i32, column: i32): boolean {
  if (row < 0) return load<u8>(keptSkips + column) != 0;
  return isSkippedIn(skips + (<usize>row * 2 * infoStride + <usize>column * 2));
}

/** Returns the CDEF index of a square of 64; row -1 is above the superblock row. */
@inline
export function cdefIndex(row: i32, column: i32): i32 {
  return load<i8>((row < 0 ? keptIndices : cdefIndices + <usize>row * cdefStride) + column);
}

/** Keeps what the next superblock row needs. */
export function keepInfo(): void {
  const rows = sbSize >> 2;
  memory.copy(keptLuma, sizesRow(0, rows - 1), infoStride);
  memory.copy(keptChroma, sizesRow(1, rows - 1), infoStride);
  memory.copy(keptLevels, levelsRow(rows - 1), infoStride << 2);
  const lastSkips = skips + <usize>(rows - 2) * infoStride;
  for (let i: usize = 0; i < infoStride >> 1; i++)
    store<u8>(keptSkips + i, u8(isSkippedIn(lastSkips + 2 * i)));
  memory.copy(keptIndices, cdefIndices + <usize>((sbSize >> 6) - 1) * cdefStride, cdefStride);
}
