/** How a frame is divided into tiles (AV1 specification section 5.9.15), and where the data of each lies. */
import { FAULT_CORRUPT } from "../../../decoder-status";
import { readBelow, readBits, readFlag } from "./bits";

const MOST_TILE_WIDTH: i32 = 4096;
const MOST_TILE_AREA: i32 = 4096 * 2304;
const MOST_TILE_COLUMNS: i32 = 64;
const MOST_TILE_ROWS: i32 = 64;

export let tileColumns: i32 = 0;
export let tileRows: i32 = 0;
export let tileColumnsLog2: i32 = 0;
export let tileRowsLog2: i32 = 0;
/** Bytes of the size before the data of a tile. */
export let tileSizeBytes: i32 = 4;

/** Bytes of the tables below. */
export const TILE_TABLE_BYTES: u64 = 2 * 65 * 4;
/** First superblock (i32) of each column and row of tiles, and the count of all. */
let columnStarts: usize = 0;
let rowStarts: usize = 0;

export function placeTiles(at: usize): void {
  columnStarts = at;
  rowStarts = at + 65 * 4;
}

/** Returns the first superblock column of a column of tiles. */
export function columnStart(column: i32): i32 {
  return load<i32>(columnStarts + ((<usize>column) << 2));
}

/** Returns the first superblock row of a row of tiles. */
export function rowStart(row: i32): i32 {
  return load<i32>(rowStarts + ((<usize>row) << 2));
}

/** Returns the least k with `size << k` at least `target`. */
function log2Of(size: i32, target: i32): i32 {
  let k = 0;
  while (size << k < target) k++;
  return k;
}

/** Places starts that are `step` apart. @returns the count of them */
function placeUniform(table: usize, step: i32, total: i32): i32 {
  let count = 0;
  for (let start = 0; start < total; start += step, count++) store<i32>(table + ((<usize>count) << 2), start);
  store<i32>(table + ((<usize>count) << 2), total);
  return count;
}

/** Reads sizes of at most `most`. @returns the count of them, or 65 when there are too many */
function readSizes(table: usize, most: i32, total: i32, limit: i32): i32 {
  let count = 0;
  widest = 0;
  for (let start = 0; start < total;) {
    if (count == limit) return limit + 1;
    store<i32>(table + ((<usize>count) << 2), start);
    count++;
    const size = readBelow(min(total - start, most)) + 1;
    widest = max(widest, size);
    start += size;
  }
  store<i32>(table + ((<usize>count) << 2), total);
  return count;
}
let widest: i32 = 0;

function readLog2(least: i32, most: i32): i32 {
  let log2 = least;
  while (log2 < most && readFlag()) log2++;
  return log2;
}

/** Implements tile_info(). */
export function readTiles(columns: i32, rows: i32, sbLog2: i32): i32 {
  const mostWidth = MOST_TILE_WIDTH >> sbLog2;
  const mostArea = MOST_TILE_AREA >> (2 * sbLog2);
  const leastColumnsLog2 = log2Of(mostWidth, columns);
  const leastLog2 = max(leastColumnsLog2, log2Of(mostArea, rows * columns));
  if (readFlag()) {
    const columnsLog2 = readLog2(leastColumnsLog2, log2Of(1, min(columns, MOST_TILE_COLUMNS)));
    tileColumns = placeUniform(columnStarts, (columns + (1 << columnsLog2) - 1) >> columnsLog2, columns);
    const rowsLog2 = readLog2(max(leastLog2 - columnsLog2, 0), log2Of(1, min(rows, MOST_TILE_ROWS)));
    tileRows = placeUniform(rowStarts, (rows + (1 << rowsLog2) - 1) >> rowsLog2, rows);
    tileColumnsLog2 = columnsLog2;
    tileRowsLog2 = rowsLog2;
  } else {
    tileColumns = readSizes(columnStarts, mostWidth, columns, MOST_TILE_COLUMNS);
    const area = leastLog2 > 0 ? (rows * columns) >> (leastLog2 + 1) : rows * columns;
    tileRows = readSizes(rowStarts, max(area / widest, 1), rows, MOST_TILE_ROWS);
    tileColumnsLog2 = log2Of(1, tileColumns);
    tileRowsLog2 = log2Of(1, tileRows);
  }
  if (tileColumns > MOST_TILE_COLUMNS || tileRows > MOST_TILE_ROWS) return FAULT_CORRUPT;
  tileSizeBytes = 4;
  if (tileColumnsLog2 > 0 || tileRowsLog2 > 0) {
    readBits(tileRowsLog2 + tileColumnsLog2);
    tileSizeBytes = readBits(2) + 1;
  }
  return 0;
}
