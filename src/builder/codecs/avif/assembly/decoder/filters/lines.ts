/**
 * Rows as they were before CDEF: the two above a stripe, which CDEF and loop restoration read, and of the current stripe
 * the last two, which become those above the next one.
 */
import { allocate } from "../../../../../pixels/assembly/shared/arena";
import { sbColumns } from "../headers/frame";
import { planeCount, sbSize } from "../headers/sequence";
import { planeSubY } from "../planes";
import { LINES, rowBytes, ROW_MARGIN, workRow, workStride } from "./work";

/** Both rows are kept of chroma too, so its planes count as rows of luma. */
const PLANES: i32 = 3;

let current: usize = 0;
let next: usize = 0;

function setBytes(): u64 {
  return <u64>(planeCount == 1 ? 1 : PLANES) * LINES * rowBytes(0, sbColumns * sbSize);
}

export function linesBytes(): u64 {
  return 2 * setBytes();
}

export function layOutLines(): boolean {
  current = allocate(linesBytes());
  next = current + <usize>setBytes();
  return current != 0;
}

@inline
function lineIn(set: usize, plane: i32, line: i32): usize {
  return set + <usize>(plane * LINES + line) * rowBytes(0, sbColumns * sbSize) + ROW_MARGIN;
}

/** Returns the address of a row above the stripe: 0 is two rows above it, 1 is the one above it. */
export function lineAbove(plane: i32, line: i32): usize {
  return lineIn(current, plane, line);
}

/** Keeps the last two rows of luma before `end`, and those of chroma beside it. */
export function keepLines(end: i32): void {
  for (let plane = 0; plane < planeCount; plane++) {
    const first = (end >> planeSubY(plane)) - LINES;
    for (let line = 0; line < LINES; line++) {
      const from = workRow(plane, first + line) - ROW_MARGIN;
      memory.copy(lineIn(next, plane, line) - ROW_MARGIN, from, workStride(plane));
    }
  }
}

/** Goes to the next stripe. */
export function advanceLines(): void {
  const kept = current;
  current = next;
  next = kept;
}
