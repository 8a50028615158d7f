/** The samples above and to the left of a block, which predictions use (AV1 specification section 7.11.2). */

/** Bytes before the first sample of an edge: room for the corner. */
const LEAD: usize = 16;
/** An edge has at most 128 samples. Vector loads may go past it, so its last sample is repeated. */
const EDGE_BYTES: usize = LEAD + 128 + 48;

/** Bytes from one row of a prediction to the next. */
export const PREDICTION_STRIDE: usize = 64;

const edges = memory.data(384, 16);
/** The first sample of each edge. The corner is the byte before it, in both. */
export const above: usize = edges + LEAD;
export const left: usize = edges + EDGE_BYTES + LEAD;
export let hasAbove = false;
export let hasLeft = false;

/** Fills an edge with `value` from place `count` up to 32 past its end, and up to 15 more. */
@inline
function fillFrom(edge: usize, count: i32, total: i32, value: u8): void {
  const values = i8x16.splat(value);
  for (let i = count; i < total + 32; i += 16) v128.store(edge + i, values);
}

@inline
function repeatLast(edge: usize, count: i32, total: i32): void {
  fillFrom(edge, count, total, load<u8>(edge + count - 1));
}

/**
 * Collects the edges of a block.
 * @param at the first sample of the block in the reconstruction
 * @param aboveCount samples there are above, beginning with the block's first column; 0 for none
 * @param leftCount samples there are to the left
 */
export function collectEdges(
  at: usize,
  stride: usize,
  width: i32,
  height: i32,
  aboveCount: i32,
  leftCount: i32,
): void {
  const total = width + height;
  const row = at - stride;
  hasAbove = aboveCount > 0;
  hasLeft = leftCount > 0;
  if (hasAbove) {
    const count = min(aboveCount, total);
    for (let i = 0; i < count; i += 16) v128.store(above + i, v128.load(row + i));
    repeatLast(above, count, total);
  } else {
    fillFrom(above, 0, total, hasLeft ? load<u8>(at - 1) : 127);
  }
  if (hasLeft) {
    const count = min(leftCount, total);
    for (let i = 0, from = at - 1; i < count; i++, from += stride) store<u8>(left + i, load<u8>(from));
    repeatLast(left, count, total);
  } else {
    fillFrom(left, 0, total, hasAbove ? load<u8>(row) : 129);
  }
  let corner: u8 = 128;
  if (hasAbove) corner = load<u8>(hasLeft ? row - 1 : row);
  else if (hasLeft) corner = load<u8>(at - 1);
  store<u8>(above - 1, corner);
  store<u8>(left - 1, corner);
}
