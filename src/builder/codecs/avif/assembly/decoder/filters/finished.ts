/** The rows that the last call of `filterRow` finished, in the work rows or, with super-resolution, the enlarged ones. */
import { planeSubY } from "../planes";
import { enlargedRow, enlargedStride, isEnlarged } from "./upscale/planes";
import { workRow, workStride } from "./work";

/** The first finished row of luma, and the one after the last. */
export let firstRow: i32 = 0;
export let endRow: i32 = 0;

/** Starts a picture. */
export function resetFinished(): void {
  firstRow = 0;
  endRow = 0;
}

/** Starts a call, whose rows come after those of the last one. */
export function openFinished(): void {
  firstRow = endRow;
}

/** Adds rows up to before `end` to the finished ones. */
export function extendFinished(end: i32): void {
  endRow = end;
}

/** Returns the address of the first finished sample of a plane. */
export function finishedAddress(plane: i32): usize {
  return isEnlarged() ? enlargedRow(plane, 0) : workRow(plane, firstRow >> planeSubY(plane));
}

/** Returns the bytes from one finished row to the next. */
export function finishedStride(plane: i32): usize {
  return isEnlarged() ? enlargedStride(plane) : workStride(plane);
}
