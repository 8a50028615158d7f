/** Deblocking of a superblock row (AV1 specification section 7.14): all edges between columns, then those between rows. */
import {
  loopFilterLevelH,
  loopFilterLevelU,
  loopFilterLevelV,
  loopFilterLevelW,
  loopFilterSharpness,
} from "../../headers/filter-params";
import { frameHeight, frameWidth } from "../../headers/frame";
import { bitDepth, planeCount, sbSize } from "../../headers/sequence";
import { planeSubX, planeSubY } from "../../planes";
import { levelsRow, sizesRow } from "../kept-info";
import { workRow, workStride } from "../work";
import { COLUMN_EDGE_BYTES, filterColumnEdge, layOutColumnEdge } from "./column-edge";
import { CHROMA, filterEdge, MIDDLE, NARROW, WIDE } from "./edge";
import { layOutLimits, LIMITS_BYTES, setLimits } from "./limits";

/** Widths and heights of the transform sizes, in units of 4 samples. */
const WIDTHS = memory.data<u8>([1, 2, 4, 8, 16, 1, 2, 2, 4, 4, 8, 8, 16, 1, 4, 2, 8, 4, 16]);
const HEIGHTS = memory.data<u8>([1, 2, 4, 8, 16, 2, 1, 4, 2, 8, 4, 16, 8, 4, 1, 8, 2, 16, 4]);

export const DEBLOCK_BYTES: u64 = LIMITS_BYTES + COLUMN_EDGE_BYTES;

/** The filter and level of the edge that was looked at last. */
let edgeLevel: i32 = 0;
/** Units up to the next edge that there may be after it. */
let edgeStep: i32 = 0;

/** Returns whether the frame has deblocking at all. */
export function deblocks(): boolean {
  return loopFilterLevelV != 0 || loopFilterLevelH != 0;
}

/** Allocates memory. @returns false when it is at its end */
export function layOutDeblocking(): boolean {
  if (!layOutLimits() || !layOutColumnEdge()) return false;
  setLimits(loopFilterSharpness, bitDepth);
  return true;
}

@inline
function filterOf(plane: i32, units: i32): i32 {
  if (units == 1) return NARROW;
  if (plane > 0) return CHROMA;
  return units == 2 ? MIDDLE : WIDE;
}

/**
 * Looks at the edge between two blocks of 4 x 4.
 * @param lengths WIDTHS or HEIGHTS
 * @param place of the edge in units, from an edge of all transforms
 * @returns the filter; 0 when there is no edge or the level is 0
 */
@inline
function lookAt(
  plane: i32,
  lengths: usize,
  place: i32,
  size: usize,
  before: usize,
  level: usize,
  levelBefore: usize,
): i32 {
  const length = <i32>load<u8>(lengths + load<u8>(size));
  const inside = place & (length - 1);
  edgeStep = length - inside;
  if (inside) return 0;
  edgeLevel = load<u8>(level);
  if (edgeLevel == 0) edgeLevel = load<u8>(levelBefore);
  if (edgeLevel == 0) return 0;
  return filterOf(plane, min(length, <i32>load<u8>(lengths + load<u8>(before))));
}

/** Filters edges between columns in two rows of blocks, or one. */
function filterColumns(plane: i32, unitRow: i32, rows: i32, columns: i32, at: usize): void {
  const shiftX = planeSubX(plane);
  const shiftY = planeSubY(plane);
  const stride = workStride(plane);
  const kind = plane == 0 ? 0 : plane + 1;
  const row = (unitRow << shiftY) | shiftY;
  const nextRow = rows > 1 ? ((unitRow + 1) << shiftY) | shiftY : row;
  const sizes = sizesRow(plane, row);
  const nextSizes = sizesRow(plane, nextRow);
  const levels = levelsRow(row) + kind;
  const nextLevels = levelsRow(nextRow) + kind;
  let step = 1;
  for (let x = 0; x < columns; x += step) {
    const column = <usize>((x << shiftX) | shiftX);
    const before = column - (1 << shiftX);
    if (x == 0) {
      step = min(
        <i32>load<u8>(WIDTHS + load<u8>(sizes + column)),
        <i32>load<u8>(WIDTHS + load<u8>(nextSizes + column)),
      );
      continue;
    }
    const place = at + ((<usize>x) << 3);
    const first = lookAt(
      plane,
      WIDTHS,
      x,
      sizes + column,
      sizes + before,
      levels + (column << 2),
      levels + (before << 2),
    );
    const firstLevel = edgeLevel;
    step = edgeStep;
    if (rows == 1) {
      if (first) filterColumnEdge(place, stride, first, firstLevel, firstLevel, bitDepth, 4);
      continue;
    }
    const second = lookAt(
      plane,
      WIDTHS,
      x,
      nextSizes + column,
      nextSizes + before,
      nextLevels + (column << 2),
      nextLevels + (before << 2),
    );
    step = min(step, edgeStep);
    if (first == second) {
      if (first) filterColumnEdge(place, stride, first, firstLevel, edgeLevel, bitDepth, 8);
      continue;
    }
    if (first) filterColumnEdge(place, stride, first, firstLevel, firstLevel, bitDepth, 4);
    if (second) filterColumnEdge(place + 4 * stride, stride, second, edgeLevel, edgeLevel, bitDepth, 4);
  }
}

/** Filters edges between a row of blocks and the one above it. */
function filterRows(plane: i32, unitRow: i32, columns: i32, at: usize): void {
  const shiftX = planeSubX(plane);
  const shiftY = planeSubY(plane);
  const stride = workStride(plane);
  const kind = plane == 0 ? 1 : plane + 1;
  const row = (unitRow << shiftY) | shiftY;
  const rowBefore = row - (1 << shiftY);
  const sizes = sizesRow(plane, row);
  const sizesBefore = sizesRow(plane, rowBefore);
  const levels = levelsRow(row) + kind;
  const levelsBefore = levelsRow(rowBefore) + kind;
  for (let x = 0; x < columns; x += 2) {
    const column = <usize>((x << shiftX) | shiftX);
    const place = at + ((<usize>x) << 3);
    const first = lookAt(
      plane,
      HEIGHTS,
      unitRow,
      sizes + column,
      sizesBefore + column,
      levels + (column << 2),
      levelsBefore + (column << 2),
    );
    const firstLevel = edgeLevel;
    if (x + 1 == columns) {
      if (first) filterEdge(place, stride, first, firstLevel, firstLevel, bitDepth, true);
      continue;
    }
    const next = column + (1 << shiftX);
    const second = lookAt(
      plane,
      HEIGHTS,
      unitRow,
      sizes + next,
      sizesBefore + next,
      levels + (next << 2),
      levelsBefore + (next << 2),
    );
    if (first == second) {
      if (first) filterEdge(place, stride, first, firstLevel, edgeLevel, bitDepth, false);
      continue;
    }
    if (first) filterEdge(place, stride, first, firstLevel, firstLevel, bitDepth, true);
    if (second) filterEdge(place + 8, stride, second, edgeLevel, edgeLevel, bitDepth, true);
  }
}

/** Filters the superblock row that was taken last, and the rows above it that its upper edge changes. */
export function deblockRow(row: i32): void {
  const firstRow = row * sbSize;
  const height = min(sbSize, frameHeight - firstRow);
  for (let plane = 0; plane < planeCount; plane++) {
    if (plane == 1 && loopFilterLevelU == 0) continue;
    if (plane == 2 && loopFilterLevelW == 0) continue;
    const unitX = 4 << planeSubX(plane);
    const unitY = 4 << planeSubY(plane);
    const columns = (frameWidth + unitX - 1) / unitX;
    const rows = (height + unitY - 1) / unitY;
    const stride = workStride(plane);
    const start = workRow(plane, firstRow >> planeSubY(plane));
    for (let y = 0; y < rows; y += 2) {
      filterColumns(plane, y, min(2, rows - y), columns, start + <usize>y * 4 * stride);
    }
    for (let y = 0; y < rows; y++) {
      if (row > 0 || y > 0) filterRows(plane, y, columns, start + <usize>y * 4 * stride);
    }
  }
}
