/** CDEF of a stripe (AV1 specification section 7.15), in place. */
import { allocate } from "../../../../../../pixels/assembly/shared/arena";
import { cdefChroma, cdefDamping, cdefLuma } from "../../headers/filter-params";
import { miCols, miRows } from "../../headers/frame";
import { bitDepth, planeCount, sbSize, subX, subY } from "../../headers/sequence";
import { planeSubX, planeSubY } from "../../planes";
import { cdefIndex, isSkipped } from "../kept-info";
import { lineAbove } from "../lines";
import { LINES, workRow, workStride, workWidth } from "../work";
import { copyRow, fillRow, keepColumns, OUTSIDE, windowAt, WINDOW_STRIDE } from "../window";
import { filterBlock } from "./block";
import { findDirection, variance } from "./direction";

/** Blocks of 8 x 8 on a side of a window. */
const BLOCKS: i32 = 8;
const UNFILTERED: u8 = 255;
/** The directions of chroma in 4:2:2, where a sample is twice as wide as high. */
const WIDE_DIRECTIONS = memory.data<u8>([7, 0, 2, 4, 5, 6, 6, 6]);

/** The directions of the stripe's blocks, or UNFILTERED. */
let directions: usize = 0;

/** Returns the bytes that `layOutCdef` allocates. */
export function cdefBytes(): u64 {
  return <u64>BLOCKS * (miCols >> 1);
}

export function layOutCdef(): boolean {
  directions = allocate(cdefBytes());
  return directions != 0;
}

@inline
function primaryOf(strengths: i32): i32 {
  return (strengths >> 2) << (bitDepth - 8);
}

@inline
function secondaryOf(strengths: i32): i32 {
  const secondary = strengths & 3;
  return (secondary == 3 ? 4 : secondary) << (bitDepth - 8);
}

/** Returns a primary strength that is less where the block varies little along its direction. */
@inline
function adjusted(strength: i32): i32 {
  if (variance == 0) return 0;
  const high = variance >> 6;
  const log2 = high ? min(31 - clz(high), 12) : 0;
  return (strength * (4 + log2) + 8) >> 4;
}

/** Returns the index of the strengths of a block, in blocks of 8 x 8 of the picture; -1 for none. */
@inline
function indexOf(sbRow: i32, block: i32, column: i32): i32 {
  const row = block - sbRow * (sbSize >> 3);
  if (isSkipped(row, column)) return -1;
  return cdefIndex(row >> 3, column >> 3);
}

/** Loads the window of `width` x `height` samples of a plane whose first one is (x, y). */
function loadWindow(plane: i32, x: i32, y: i32, width: i32, height: i32, isKept: boolean): void {
  if (isKept) keepColumns(64 >> planeSubX(plane), -LINES, height + LINES);
  const isFirst = x == 0;
  const isLast = x + width == workWidth(plane);
  const rows = (miRows << 2) >> planeSubY(plane);
  for (let row = -LINES; row < height + LINES; row++) {
    if (y + row < 0 || y + row >= rows) {
      fillRow(row, OUTSIDE);
      continue;
    }
    const from = row < 0 ? lineAbove(plane, row + LINES) : workRow(plane, y + row);
    copyRow(row, from + ((<usize>x) << 1), width, isKept, isFirst, isLast, true);
  }
}

/** Finds the directions of the blocks of a window and filters its luma. */
function filterLuma(sbRow: i32, block: i32, blocks: i32, column: i32, columns: i32): void {
  const stride = workStride(0);
  for (let j = 0; j < blocks; j++) {
    const to = workRow(0, (block + j) << 3);
    for (let i = column; i < column + columns; i++) {
      const place = directions + <usize>(j * (miCols >> 1) + i);
      if (load<u8>(place) == UNFILTERED) continue;
      const index = indexOf(sbRow, block + j, i);
      const from = windowAt + <usize>(j << 3) * WINDOW_STRIDE + ((<usize>(i - column)) << 4);
      const strength = primaryOf(cdefLuma(index));
      const secondary = secondaryOf(cdefLuma(index));
      let direction = 0;
      let primary = 0;
      if (strength || primaryOf(cdefChroma(index))) {
        direction = findDirection(from, bitDepth);
        store<u8>(place, <u8>direction);
        primary = strength ? adjusted(strength) : 0;
      }
      if ((primary | secondary) == 0) continue;
      const damping = cdefDamping + bitDepth - 8;
      const along = strength ? direction : 0;
      filterBlock(
        from,
        to + ((<usize>i) << 4),
        stride,
        false,
        8,
        primary,
        secondary,
        along,
        damping,
        bitDepth,
      );
    }
  }
}

@inline
function chromaDirection(direction: i32): i32 {
  return subX && !subY ? <i32>load<u8>(WIDE_DIRECTIONS + direction) : direction;
}

function filterChroma(plane: i32, sbRow: i32, block: i32, blocks: i32, column: i32, columns: i32): void {
  const stride = workStride(plane);
  const rows = 8 >> subY;
  const bytes = 16 >> subX;
  const damping = cdefDamping + bitDepth - 9;
  for (let j = 0; j < blocks; j++) {
    const to = workRow(plane, (block + j) * rows);
    for (let i = column; i < column + columns; i++) {
      const direction = <i32>load<u8>(directions + <usize>(j * (miCols >> 1) + i));
      if (direction == UNFILTERED) continue;
      const strengths = cdefChroma(indexOf(sbRow, block + j, i));
      if (strengths == 0) continue;
      const primary = primaryOf(strengths);
      const along = primary ? chromaDirection(direction) : 0;
      const from = windowAt + <usize>(j * rows) * WINDOW_STRIDE + <usize>((i - column) * bytes);
      const at = to + <usize>(i * bytes);
      filterBlock(
        from,
        at,
        stride,
        subX != 0,
        rows,
        primary,
        secondaryOf(strengths),
        along,
        damping,
        bitDepth,
      );
    }
  }
}

/** Marks the blocks of a window that stay as they are. @returns the strengths of all others, or'ed, chroma's << 8 */
function markBlocks(sbRow: i32, block: i32, blocks: i32, column: i32, columns: i32): i32 {
  let all = 0;
  for (let j = 0; j < blocks; j++) {
    for (let i = column; i < column + columns; i++) {
      const index = indexOf(sbRow, block + j, i);
      const strengths = index < 0 ? 0 : cdefLuma(index) | (cdefChroma(index) << 8);
      all |= strengths;
      store<u8>(directions + <usize>(j * (miCols >> 1) + i), strengths ? 0 : UNFILTERED);
    }
  }
  return all;
}

/** Filters rows `y` to `end` of luma, and of chroma those beside them; both are multiples of 8. */
export function filterCdef(sbRow: i32, y: i32, end: i32): void {
  const block = y >> 3;
  const blocks = (end - y) >> 3;
  const all = miCols >> 1;
  for (let plane = 0; plane < planeCount; plane++) {
    const shiftX = planeSubX(plane);
    const shiftY = planeSubY(plane);
    let isKept = false;
    for (let column = 0; column < all; column += BLOCKS) {
      const columns = min(BLOCKS, all - column);
      // Luma comes first and marks the blocks. Its window is loaded for the directions of chroma too.
      let isOn = false;
      if (plane == 0) isOn = markBlocks(sbRow, block, blocks, column, columns) != 0;
      else isOn = hasChroma(sbRow, block, blocks, column, columns);
      if (isOn) {
        const width = (columns << 3) >> shiftX;
        loadWindow(plane, (column << 3) >> shiftX, y >> shiftY, width, (end - y) >> shiftY, isKept);
        if (plane == 0) filterLuma(sbRow, block, blocks, column, columns);
        else filterChroma(plane, sbRow, block, blocks, column, columns);
      }
      isKept = isOn;
    }
  }
}

/** Returns whether a block of the window has strengths of chroma. */
function hasChroma(sbRow: i32, block: i32, blocks: i32, column: i32, columns: i32): boolean {
  for (let j = 0; j < blocks; j++) {
    for (let i = column; i < column + columns; i++) {
      if (load<u8>(directions + <usize>(j * (miCols >> 1) + i)) == UNFILTERED) continue;
      if (cdefChroma(indexOf(sbRow, block + j, i))) return true;
    }
  }
  return false;
}
