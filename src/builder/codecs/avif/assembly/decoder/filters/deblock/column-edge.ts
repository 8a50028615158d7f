/** Deblocking of an edge between columns. */
import { allocate } from "../../../../../../pixels/assembly/shared/arena";
import { filterEdge, WIDE } from "./edge";
import { columnsToRows, rowsToColumns, TRANSPOSED_STRIDE } from "./transpose";

export const COLUMN_EDGE_BYTES: u64 = 16 * 16;
/** Bytes of eight samples of a row. */
const EIGHT: usize = 16;
const EIGHT_ROWS: usize = 8 * TRANSPOSED_STRIDE;

let transposed: usize = 0;

/** Allocates the transposed samples. @returns false when the memory is at its end */
export function layOutColumnEdge(): boolean {
  transposed = allocate(COLUMN_EDGE_BYTES);
  return transposed != 0;
}

/**
 * Filters `count` rows (4 or 8) across the edge between columns before `at`.
 * @param first level of the first four rows; `second` of the others
 */
export function filterColumnEdge(
  at: usize,
  stride: usize,
  size: i32,
  first: i32,
  second: i32,
  bitDepth: i32,
  count: i32,
): void {
  if (size == WIDE) {
    columnsToRows(at - EIGHT, stride, count, transposed);
    columnsToRows(at, stride, count, transposed + EIGHT_ROWS);
    const edge = transposed + EIGHT_ROWS;
    if (!filterEdge(edge, TRANSPOSED_STRIDE, size, first, second, bitDepth, false)) return;
    rowsToColumns(transposed, at - EIGHT, stride, count);
    rowsToColumns(edge, at, stride, count);
    return;
  }
  const from = at - EIGHT / 2;
  columnsToRows(from, stride, count, transposed);
  const edge = transposed + EIGHT_ROWS / 2;
  if (filterEdge(edge, TRANSPOSED_STRIDE, size, first, second, bitDepth, false)) {
    rowsToColumns(transposed, from, stride, count);
  }
}
