/**
 * The rows that filters work in: a copy of the current superblock row, below the last rows of the one before it, which
 * were not finished then. Deblocking changes up to six rows above an edge, and CDEF reads two rows below a block, so the
 * rows up to eight above the next superblock row can be finished.
 */
import { allocate } from "../../../../../pixels/assembly/shared/arena";
import { miCols, miRows, sbColumns } from "../headers/frame";
import { planeCount, sbSize, subY } from "../headers/sequence";
import { bandAddress, bandStride, planeSubX, planeSubY } from "../planes";

/** Rows of luma that are kept from one superblock row to the next. */
export const KEPT_ROWS: i32 = 8;
/** Bytes before the first sample of a row and after the last, so that vectors may reach beyond them. */
export const ROW_MARGIN: usize = 64;
/** Rows below a stripe, and above it, that filters read before CDEF has changed them. */
export const LINES: i32 = 2;

let start: usize = 0;
/** The first row of luma in the buffer. */
let top: i32 = 0;

/** Returns the bytes of a row with its margins, of `samples` of luma. */
export function rowBytes(plane: i32, samples: i32): usize {
  const shift = planeSubX(plane);
  return ((<usize>((samples + shift) >> shift) * 2 + 15) & ~15) + 2 * ROW_MARGIN;
}

/** Returns the bytes of `rows` rows of luma of `samples`, and of the rows of chroma beside them. */
export function planesBytes(rows: i32, samples: i32): u64 {
  const luma = <u64>rows * rowBytes(0, samples);
  return planeCount == 1 ? luma : luma + 2 * <u64>((rows + subY) >> subY) * rowBytes(1, samples);
}

/** Returns the offset of a plane's first sample in a block of `planesBytes`. */
export function planeOffset(plane: i32, rows: i32, samples: i32): usize {
  if (plane == 0) return ROW_MARGIN;
  const chroma = <usize>((rows + subY) >> subY) * rowBytes(1, samples);
  return <usize>rows * rowBytes(0, samples) + <usize>(plane - 1) * chroma + ROW_MARGIN;
}

function codedWidth(): i32 {
  return sbColumns * sbSize;
}

export function workBytes(): u64 {
  return planesBytes(KEPT_ROWS + sbSize, codedWidth());
}

export function layOutWork(): boolean {
  start = allocate(workBytes());
  top = -KEPT_ROWS;
  return start != 0;
}

/** Returns the bytes from one row of a plane to the next. */
export function workStride(plane: i32): usize {
  return rowBytes(plane, codedWidth());
}

/** Returns the address of a row of the picture, in rows of the plane. */
export function workRow(plane: i32, row: i32): usize {
  const first = start + planeOffset(plane, KEPT_ROWS + sbSize, codedWidth());
  return first + <usize>(row - (top >> planeSubY(plane))) * workStride(plane);
}

/**
 * Returns the samples of a row of the plane, with those of blocks that the edge of the picture cuts, a multiple of
 * four.
 */
export function workWidth(plane: i32): i32 {
  return (miCols << 2) >> planeSubX(plane);
}

/** Takes the superblock row in the band below the rows that are kept. */
export function takeBand(row: i32): void {
  top = row * sbSize - KEPT_ROWS;
  const height = min(sbSize, (miRows << 2) - row * sbSize);
  for (let plane = 0; plane < planeCount; plane++) {
    const subRows = planeSubY(plane);
    const stride = workStride(plane);
    const first = workRow(plane, top >> subRows);
    const kept = <usize>(KEPT_ROWS >> subRows) * stride;
    if (row > 0) {
      const last = first + <usize>(sbSize >> subRows) * stride;
      memory.copy(first - ROW_MARGIN, last - ROW_MARGIN, kept);
    }
    const bytes = (<usize>workWidth(plane)) << 1;
    let from = bandAddress(plane);
    let to = first + kept;
    for (let y = 0; y < height >> subRows; y++) {
      memory.copy(to, from, bytes);
      from += bandStride(plane);
      to += stride;
    }
  }
}
