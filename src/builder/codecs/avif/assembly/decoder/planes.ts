/**
 * The samples of the current row of superblocks, and the row above it. With intra block copy, of the whole row of tiles.
 */
import { allocate } from "../../../../pixels/assembly/shared/arena";
import { sbColumns } from "./headers/frame";
import { planeCount, sbSize, subX, subY } from "./headers/sequence";

/** Bytes before the first sample of a row and after the last, so that vectors may reach beyond them. */
const MARGIN: usize = 64;

let lumaStart: usize = 0;
let cbStart: usize = 0;
let crStart: usize = 0;
let lumaStride: usize = 0;
let chromaStride: usize = 0;
/** Rows of luma that a band holds below the one above. */
let heldRows: i32 = 0;
/** Rows of luma in the band above the current superblock row. */
let rowsBefore: i32 = 0;

/** Returns the address of the first sample of a plane in the current row of superblocks. */
@inline
export function bandAddress(plane: i32): usize {
  if (plane == 0) return lumaStart + <usize>rowsBefore * lumaStride;
  return (plane == 1 ? cbStart : crStart) + <usize>(rowsBefore >> subY) * chromaStride;
}

/** Returns the bytes from one row of a plane to the next. */
@inline
export function bandStride(plane: i32): usize {
  return plane == 0 ? lumaStride : chromaStride;
}

@inline
export function planeSubX(plane: i32): i32 {
  return plane == 0 ? 0 : subX;
}

@inline
export function planeSubY(plane: i32): i32 {
  return plane == 0 ? 0 : subY;
}

function strideOf(shift: i32): usize {
  return ((<usize>(sbColumns * sbSize)) >> shift) * 2 + 2 * MARGIN;
}

/** Returns the bytes of the band. */
export function bandBytes(superblockRows: i32): u64 {
  const rows = <u64>superblockRows * sbSize;
  const luma = (rows + 2) * strideOf(0);
  return planeCount == 1 ? luma : luma + 2 * ((rows >> subY) + 2) * strideOf(subX);
}

export function layOutBand(superblockRows: i32): boolean {
  const at = allocate(bandBytes(superblockRows));
  if (!at) return false;
  heldRows = superblockRows * sbSize;
  rowsBefore = 0;
  lumaStride = strideOf(0);
  chromaStride = strideOf(subX);
  lumaStart = at + lumaStride + MARGIN;
  const chromaRows = <usize>(heldRows >> subY) + 2;
  cbStart = at + <usize>(heldRows + 2) * lumaStride + chromaStride + MARGIN;
  crStart = cbStart + chromaRows * chromaStride;
  return true;
}

/** Keeps the last row of a plane above the next band. */
function keepLast(start: usize, stride: usize, rows: i32): void {
  memory.copy(start - stride - MARGIN, start + <usize>(rows - 1) * stride - MARGIN, stride);
}

/** Goes to the next row of superblocks. @param startsTiles whether that is the first row of tiles */
export function advanceBand(startsTiles: boolean): void {
  rowsBefore += sbSize;
  if (rowsBefore < heldRows && !startsTiles) return;
  const rows = rowsBefore;
  rowsBefore = 0;
  keepLast(lumaStart, lumaStride, rows);
  if (planeCount == 1) return;
  keepLast(cbStart, chromaStride, rows >> subY);
  keepLast(crStart, chromaStride, rows >> subY);
}
