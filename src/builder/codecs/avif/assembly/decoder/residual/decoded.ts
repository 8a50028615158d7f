/**
 * Which samples around a transform block are reconstructed already (BlockDecoded, AV1 specification section 5.11.3). Blocks of
 * a column follow each other from top to bottom, so each column of a superblock has one count.
 */
import { blockRow, sbRow } from "../blocks/position";
import { tileBottom, tileRight } from "../blocks/tile";
import { planeCount, sbSize } from "../headers/sequence";
import { planeSubX, planeSubY } from "../planes";
import { highOf, wideOf } from "../tables/transform-sizes";

/** Rows (u8) that are reconstructed per column of the current superblock and plane, in units of 4 samples. */
const STRIDE: usize = 48;
const counts = memory.data(3 * 48, 16);
/** The superblock's first column, in units of 4 samples of luma. */
let firstColumn: i32 = 0;

/** Starts a superblock. */
export function clearDecoded(column: i32): void {
  firstColumn = column;
  memory.fill(counts, 0, <usize>planeCount * STRIDE);
}

/** Notes a transform block. Places are in units of 4 samples of the plane; rows count from the superblock row. */
export function markDecoded(plane: i32, column: i32, row: i32, size: i32): void {
  const at = counts + <usize>plane * STRIDE + <usize>(column - (firstColumn >> planeSubX(plane)));
  const end = <u8>(row + ((1 << highOf(size)) >> 2));
  const columns = (1 << wideOf(size)) >> 2;
  for (let i = 0; i < columns; i++) store<u8>(at + i, end);
}

/** Returns the samples above and to the right of a block: as many as it is wide, or 0. */
export function countAboveRight(plane: i32, column: i32, row: i32, wide: i32): i32 {
  const shift = planeSubX(plane);
  const next = column + (wide >> 2) - (firstColumn >> shift);
  if (row == 0) return next < (tileRight - firstColumn) >> shift ? wide : 0;
  return <i32>load<u8>(counts + <usize>plane * STRIDE + <usize>next) >= row ? wide : 0;
}

/** Returns the samples to the left of a block and below it: as many as it is high, or 0. */
export function countBelowLeft(plane: i32, column: i32, row: i32, high: i32): i32 {
  const shift = planeSubY(plane);
  const next = row + (high >> 2);
  const before = column - (firstColumn >> planeSubX(plane)) - 1;
  if (before >= 0) return <i32>load<u8>(counts + <usize>plane * STRIDE + <usize>before) > next ? high : 0;
  const end = min(tileBottom - (blockRow - sbRow), sbSize >> 2);
  return next < end >> shift ? high : 0;
}
