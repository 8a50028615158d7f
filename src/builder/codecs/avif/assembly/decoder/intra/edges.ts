/** The samples above and to the left of a transform block, which predictions use (AV1 specification section 7.11.2). */
import { bitDepth } from "../headers/sequence";

/** Samples before the first of an edge: the corner, and those that vectors read before it. */
const LEAD: usize = 32;
/** Samples of an edge, and those that vectors read after it. */
const EDGE_SAMPLES: usize = LEAD + 128 + 32;

const edges = memory.data(2 * 192 * 2, 16);
/** The first sample (u16) of each edge. The corner is the sample before it, in both. */
export const above: usize = edges + LEAD * 2;
export const left: usize = above + EDGE_SAMPLES * 2;

/** Fills an edge with `value` from sample `from` up to 16 past `end`, and up to 7 more. */
@inline
export function padEdge(edge: usize, from: i32, end: i32, value: u16): void {
  const values = i16x8.splat(value);
  const stop = edge + ((<usize>(end + 16)) << 1);
  for (let at = edge + ((<usize>from) << 1); at < stop; at += 16) v128.store(at, values);
}

/**
 * Collects the edges of a block.
 * @param at the block's first sample
 * @param aboveCount samples there are above from the block's first column on; 0 for none
 * @param aboveNeeded samples of the edge that the prediction uses
 */
export function collectEdges(
  at: usize,
  stride: usize,
  aboveCount: i32,
  leftCount: i32,
  aboveNeeded: i32,
  leftNeeded: i32,
): void {
  const row = at - stride;
  const middle = 1 << (bitDepth - 1);
  if (aboveCount > 0) {
    const count = min(aboveCount, aboveNeeded);
    for (let i: usize = 0; i < (<usize>count) << 1; i += 16) v128.store(above + i, v128.load(row + i));
    padEdge(above, count, aboveNeeded, load<u16>(above + ((<usize>count) << 1) - 2));
  } else {
    padEdge(above, 0, aboveNeeded, leftCount > 0 ? load<u16>(at - 2) : <u16>(middle - 1));
  }
  if (leftCount > 0) {
    const count = min(leftCount, leftNeeded);
    let from = at - 2;
    for (let i: usize = 0; i < <usize>count; i++, from += stride)
      store<u16>(left + (i << 1), load<u16>(from));
    padEdge(left, count, leftNeeded, load<u16>(left + ((<usize>count) << 1) - 2));
  } else {
    padEdge(left, 0, leftNeeded, aboveCount > 0 ? load<u16>(row) : <u16>(middle + 1));
  }
  let corner = <u16>middle;
  if (aboveCount > 0) corner = load<u16>(leftCount > 0 ? row - 2 : row);
  else if (leftCount > 0) corner = load<u16>(at - 2);
  store<u16>(above - 2, corner);
  store<u16>(left - 2, corner);
}
