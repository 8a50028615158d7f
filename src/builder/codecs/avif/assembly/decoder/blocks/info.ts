/**
 * The facts of the blocks of the current row of superblocks, per 4 x 4 samples of luma ("mi"), for the filters and for
 * blocks that come later.
 */
import { allocate } from "../../../../../pixels/assembly/shared/arena";
import { allowIntraBlockCopy, sbColumns } from "../headers/frame";
import { hasSegments } from "../headers/quantisation";
import { sbSize } from "../headers/sequence";

/** Rows above the current one that motion vectors are predicted from. */
const MOTION_ROWS: usize = 8;

export let infoStride: usize = 0;
let infoRows: usize = 0;
/** Transform sizes (u8), skip flags (u8) and deblocking levels (u32), as README.md says. */
export let lumaSizes: usize = 0;
export let chromaSizes: usize = 0;
export let skips: usize = 0;
export let levels: usize = 0;
/** Segments (u8), with one more row above; 0 without segments. */
export let segments: usize = 0;
/** Motion vectors (row and column, i16 each) and kinds of blocks (u8), with `MOTION_ROWS` more above; 0 without them. */
export let motions: usize = 0;
export let kinds: usize = 0;
/** CDEF indices (i8) per 64 x 64. */
export let cdefIndices: usize = 0;
export let cdefStride: usize = 0;

function shape(): void {
  infoStride = (<usize>(sbColumns * sbSize)) >> 2;
  infoRows = (<usize>sbSize) >> 2;
  cdefStride = (<usize>(sbColumns * sbSize)) >> 6;
}

/** Returns the bytes that `layOutInfo` allocates. */
export function infoBytes(): u64 {
  shape();
  let bytes: u64 = 7 * infoRows * infoStride + 2 * cdefStride;
  if (hasSegments) bytes += (infoRows + 1) * infoStride;
  if (allowIntraBlockCopy) bytes += 5 * (infoRows + MOTION_ROWS) * infoStride;
  return bytes;
}

export function layOutInfo(): boolean {
  const bytes = infoBytes();
  const at = allocate(bytes);
  if (!at) return false;
  const size = infoRows * infoStride;
  levels = at;
  lumaSizes = levels + 4 * size;
  chromaSizes = lumaSizes + size;
  skips = chromaSizes + size;
  cdefIndices = skips + size;
  let next = cdefIndices + 2 * cdefStride;
  if (hasSegments) {
    segments = next + infoStride;
    next = segments + size;
  }
  if (allowIntraBlockCopy) {
    motions = next + 4 * MOTION_ROWS * infoStride;
    kinds = motions + 4 * size + MOTION_ROWS * infoStride;
  }
  return true;
}

/** Keeps the last rows of what is read above the next row of superblocks. */
export function advanceInfo(): void {
  const size = infoRows * infoStride;
  if (segments) memory.copy(segments - infoStride, segments + size - infoStride, infoStride);
  if (kinds) {
    const above = MOTION_ROWS * infoStride;
    memory.copy(kinds - above, kinds + size - above, above);
    memory.copy(motions - 4 * above, motions + 4 * (size - above), 4 * above);
    memory.fill(kinds, 0, size);
  }
}

/** Fills `count` bytes, a power of two up to 32, at any address. */
@inline
export function fillRun(at: usize, value: u8, count: i32): void {
  if (count >= 16) {
    const values = i8x16.splat(value);
    v128.store(at, values);
    if (count == 32) v128.store(at, values, 16);
  } else if (count == 8) store<u64>(at, 0x0101010101010101 * <u64>value);
  else if (count == 4) store<u32>(at, 0x01010101 * <u32>value);
  else if (count == 2) store<u16>(at, 0x0101 * <u16>value);
  else store<u8>(at, value);
}

/** Fills `rows` rows of `columns` bytes, both powers of two up to 32. */
export function fillArea(at: usize, value: u8, columns: i32, rows: i32): void {
  for (let y = 0; y < rows; y++, at += infoStride) fillRun(at, value, columns);
}

/** Fills words of 32 bits in the same way. */
export function fillWords(at: usize, value: u32, columns: i32, rows: i32): void {
  const values = i32x4.splat(value);
  for (let y = 0; y < rows; y++, at += infoStride << 2) {
    if (columns >= 4) for (let x = 0; x < columns << 2; x += 16) v128.store(at + x, values);
    else if (columns == 2) v128.store64_lane(at, values, 0);
    else store<u32>(at, value);
  }
}
