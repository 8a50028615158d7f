/** The enlarged rows of a picture with super-resolution. */
import { allocate } from "../../../../../../pixels/assembly/shared/arena";
import { frameWidth, upscaledWidth } from "../../headers/frame";
import { bitDepth, sbSize } from "../../headers/sequence";
import { planeSubX } from "../../planes";
import { KEPT_ROWS, planeOffset, planesBytes, rowBytes, ROW_MARGIN, workStride, workWidth } from "../work";
import { upscaleRows, upscaleStart, upscaleStep } from "./rows";

/** Rows around a stripe: two above it and two below. */
const LINES: i32 = 4;

let start: usize = 0;
let lines: usize = 0;

/** Returns whether the frame has super-resolution. */
export function isEnlarged(): boolean {
  return upscaledWidth != frameWidth;
}

/** Returns the rows of luma that one call of `filterRow` can finish. */
@inline
function heldRows(): i32 {
  return sbSize + KEPT_ROWS;
}

export function enlargedBytes(): u64 {
  if (!isEnlarged()) return 0;
  return planesBytes(heldRows(), upscaledWidth) + LINES * rowBytes(0, upscaledWidth);
}

export function layOutEnlarged(): boolean {
  if (!isEnlarged()) return true;
  start = allocate(enlargedBytes());
  lines = start + <usize>planesBytes(heldRows(), upscaledWidth);
  return start != 0;
}

export function enlargedStride(plane: i32): usize {
  return rowBytes(plane, upscaledWidth);
}

/** Returns the address of an enlarged row, counted from the first one that is finished by the current call. */
export function enlargedRow(plane: i32, row: i32): usize {
  return start + planeOffset(plane, heldRows(), upscaledWidth) + <usize>row * enlargedStride(plane);
}

/** Returns the address of a row around a stripe: 0 and 1 above it, 2 and 3 below. */
export function enlargedLine(line: i32): usize {
  return lines + <usize>line * rowBytes(0, upscaledWidth) + ROW_MARGIN;
}

/** Enlarges rows of a plane. */
export function enlarge(plane: i32, from: usize, to: usize, rows: i32): void {
  const sub = planeSubX(plane);
  const width = (frameWidth + sub) >> sub;
  const wanted = (upscaledWidth + sub) >> sub;
  const step = upscaleStep(width, wanted);
  const first = upscaleStart(width, wanted);
  const coded = workWidth(plane);
  upscaleRows(from, workStride(plane), coded, to, enlargedStride(plane), wanted, rows, step, first, bitDepth);
}
