/** Applies the loop filter to one row of macroblocks, in their order (RFC 6386, 15). */
import { allocate } from "../../../../pixels/assembly/shared/arena";
import { filterInnerEdge, filterOuterEdge, filterSimply } from "./edge-filters";
import { cbRows, chromaStride, crRows, lumaRows, lumaStride } from "./planes";
import { filterKind, filterOf, FILTER_NONE, FILTER_SIMPLE } from "./segments";
import { across, transposeIn, transposeOut } from "./transpose";

/** How much higher the limit is at the edge of a macroblock. */
const OUTER: u8 = 4;
/** Offset of the edge in `across`. */
const MIDDLE: usize = 4 * 16;

/** Per macroblock of the row: limit, interior limit, threshold, and whether edges between its blocks are filtered. */
let filters: usize = 0;
const FILTER_BYTES: usize = 4;

/** Allocates the filters of a row. @returns false when the memory is at its end */
export function layOutFilters(macroblocksWide: i32): boolean {
  filters = allocate(FILTER_BYTES * <u64>macroblocksWide);
  return filters ? true : false;
}

/**
 * Stores the filter of macroblock `x`.
 * @param isCoded whether it has coefficients; without any, no edges within it are filtered
 */
export function noteFilter(x: i32, segment: i32, inBlocks: boolean, isCoded: boolean): void {
  const to = filters + <usize>x * FILTER_BYTES;
  store<u32>(to, load<u32>(filterOf(segment, i32(inBlocks))));
  store<u8>(to, u8(inBlocks || isCoded), 3);
}

export function filterRow(macroblocksWide: i32, isFirst: boolean): void {
  if (filterKind == FILTER_NONE) return;
  for (let x: usize = 0; x < <usize>macroblocksWide; x++) {
    const filter = filters + x * FILTER_BYTES;
    if (!load<u8>(filter)) continue;
    if (filterKind == FILTER_SIMPLE) filterLumaSimply(filter, x, isFirst);
    else {
      filterLuma(filter, x, isFirst);
      filterChroma(filter, x, isFirst);
    }
  }
}

function filterLumaSimply(filter: usize, x: usize, isFirst: boolean): void {
  const limit = load<u8>(filter);
  const hasBlocks = load<u8>(filter, 3) != 0;
  const at = lumaRows + (x << 4);
  for (let column: usize = 0; column < 16; column += 4) {
    if (column ? !hasBlocks : x == 0) continue;
    const from = at + column - 4;
    transposeIn(from, from + 8 * lumaStride, lumaStride);
    filterSimply(across + MIDDLE, 16, column ? limit : limit + OUTER);
    transposeOut(from, from + 8 * lumaStride, lumaStride);
  }
  for (let row: usize = 0; row < 16; row += 4) {
    if (row ? !hasBlocks : isFirst) continue;
    filterSimply(at + row * lumaStride, lumaStride, row ? limit : limit + OUTER);
  }
}

function filterLuma(filter: usize, x: usize, isFirst: boolean): void {
  const limit = load<u8>(filter);
  const interior = load<u8>(filter, 1);
  const threshold = load<u8>(filter, 2);
  const hasBlocks = load<u8>(filter, 3) != 0;
  const at = lumaRows + (x << 4);
  for (let column: usize = 0; column < 16; column += 4) {
    if (column ? !hasBlocks : x == 0) continue;
    const from = at + column - 4;
    transposeIn(from, from + 8 * lumaStride, lumaStride);
    if (column) filterInnerEdge(across + MIDDLE, 16, limit, interior, threshold);
    else filterOuterEdge(across + MIDDLE, 16, limit + OUTER, interior, threshold);
    transposeOut(from, from + 8 * lumaStride, lumaStride);
  }
  if (!isFirst) filterOuterEdge(at, lumaStride, limit + OUTER, interior, threshold);
  if (!hasBlocks) return;
  for (let row: usize = 4; row < 16; row += 4) {
    filterInnerEdge(at + row * lumaStride, lumaStride, limit, interior, threshold);
  }
}

/** Filters Cb and Cr side by side: 8 places of each. */
function filterChroma(filter: usize, x: usize, isFirst: boolean): void {
  const limit = load<u8>(filter);
  const interior = load<u8>(filter, 1);
  const threshold = load<u8>(filter, 2);
  const hasBlocks = load<u8>(filter, 3) != 0;
  const cb = cbRows + (x << 3);
  const cr = crRows + (x << 3);
  if (x > 0) {
    transposeIn(cb - 4, cr - 4, chromaStride);
    filterOuterEdge(across + MIDDLE, 16, limit + OUTER, interior, threshold);
    transposeOut(cb - 4, cr - 4, chromaStride);
  }
  if (hasBlocks) {
    transposeIn(cb, cr, chromaStride);
    filterInnerEdge(across + MIDDLE, 16, limit, interior, threshold);
    transposeOut(cb, cr, chromaStride);
  }
  if (!isFirst) {
    join(cb - 4 * chromaStride, cr - 4 * chromaStride);
    filterOuterEdge(across + MIDDLE, 16, limit + OUTER, interior, threshold);
    part(cb - 4 * chromaStride, cr - 4 * chromaStride);
  }
  if (hasBlocks) {
    join(cb, cr);
    filterInnerEdge(across + MIDDLE, 16, limit, interior, threshold);
    part(cb, cr);
  }
}

/** Takes 8 rows of 8 samples of both planes to `across`. */
function join(cb: usize, cr: usize): void {
  for (let y: usize = 0; y < 8; y++) {
    store<u64>(across + (y << 4), load<u64>(cb + y * chromaStride));
    store<u64>(across + (y << 4), load<u64>(cr + y * chromaStride), 8);
  }
}

function part(cb: usize, cr: usize): void {
  for (let y: usize = 0; y < 8; y++) {
    store<u64>(cb + y * chromaStride, load<u64>(across + (y << 4)));
    store<u64>(cr + y * chromaStride, load<u64>(across + (y << 4), 8));
  }
}
