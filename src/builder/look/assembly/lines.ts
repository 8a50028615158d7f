/**
 * Lines of 32-bit floats. A line has zeros behind its last sample, so that loops may read whole vectors, and the blur
 * zeros outside of the picture, as the reference does.
 */
import { allocate } from "../../pixels/assembly/shared/arena";

/** Bytes of a vector, and the floats that it holds. */
export const VECTOR: usize = 16;
export const LANES: i32 = 4;
/** Floats behind the samples. */
const TAIL: i32 = 12;

/** Returns the bytes from one line to the next. */
@inline
export function lineBytes(width: i32): usize {
  return ((<usize>(width + TAIL + LANES - 1)) >> 2) << 4;
}

/** Allocates `count` lines. @returns the address of the first one; 0 when the memory is at its end */
export function allocateLines(width: i32, count: i32): usize {
  return allocate(<u64>lineBytes(width) * <u64>count);
}

/** Makes zeros of the samples that a vector loop wrote behind the last sample of a line. */
@inline
export function closeLine(line: usize, width: i32): void {
  for (let x = width; (x & 3) != 0; x++) store<f32>(line + ((<usize>x) << 2), 0);
}
