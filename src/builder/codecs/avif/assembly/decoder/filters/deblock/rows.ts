/** The rows of samples across an edge. */

let across: usize = 0;

@inline
export function setStride(stride: usize): void {
  across = stride;
}

/** Returns eight samples of the row `offset` from the first one after the edge. */
@inline
export function row(at: usize, offset: i32): v128 {
  return v128.load(at + offset * across);
}

/** Writes a row, or its first four samples. */
@inline
export function putRow(at: usize, offset: i32, samples: v128, isHalf: boolean): void {
  const to = at + offset * across;
  if (isHalf) v128.store64_lane(to, samples, 0);
  else v128.store(to, samples);
}

/** Writes the lanes of `mask` of a row. */
@inline
export function putLanes(at: usize, offset: i32, samples: v128, mask: v128, isHalf: boolean): void {
  putRow(at, offset, v128.bitselect(samples, row(at, offset), mask), isHalf);
}
