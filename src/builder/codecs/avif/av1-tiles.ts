/** Writes how a frame is divided into tiles (AV1 specification section 5.9.15). */
import type { Tiling } from "../../../image/formats/avif/tiling.ts";
import { Av1Error } from "../../../image/formats/avif/av1-bits.ts";
import type { BitWriter } from "./bit-writer.ts";

/** Limits of tiles (section 3). */
const MAX_TILE_WIDTH = 4096;
const MAX_TILE_AREA = 4096 * 2304;
const MAX_TILE_COLUMNS = 64;
const MAX_TILE_ROWS = 64;

/** Bytes in which the size of a tile is written. */
export const TILE_SIZE_BYTES = 4;

/** tile_log2(): the least k such that `unit` << k is at least `target`. */
function log2(unit: number, target: number): number {
  let power = 0;
  while (unit * 2 ** power < target) power += 1;
  return power;
}

export interface TileLimits {
  /** Size of the frame in superblocks. */
  columns: number;
  rows: number;
  maxWidth: number;
  minLog2Tiles: number;
  maxLog2Columns: number;
  maxLog2Rows: number;
}

export function tileLimits(width: number, height: number, superblock: number): TileLimits {
  const columns = Math.ceil(width / superblock);
  const rows = Math.ceil(height / superblock);
  const maxWidth = MAX_TILE_WIDTH / superblock;
  const maxArea = MAX_TILE_AREA / superblock ** 2;
  return {
    columns,
    rows,
    maxWidth,
    minLog2Tiles: Math.max(log2(maxWidth, columns), log2(maxArea, rows * columns)),
    maxLog2Columns: log2(1, Math.min(columns, MAX_TILE_COLUMNS)),
    maxLog2Rows: log2(1, Math.min(rows, MAX_TILE_ROWS)),
  };
}

/**
 * Writes tile_info() for tiles of these sizes.
 * @throws Av1Error when AV1 does not allow them
 */
export function writeTileInfo(out: BitWriter, { columns, rows }: Tiling, superblock: number): void {
  const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0);
  const aligned = (sizes: readonly number[]): boolean =>
    sizes.slice(0, -1).every((size) => size % superblock === 0);
  if (!aligned(columns) || !aligned(rows)) throw new Av1Error("Tiles are not made of whole superblocks");
  if (columns.length > MAX_TILE_COLUMNS || rows.length > MAX_TILE_ROWS) {
    throw new Av1Error("AV1 does not allow this many tiles");
  }
  const limits = tileLimits(sum(columns), sum(rows), superblock);
  out.write(0, 1); // uniform_tile_spacing_flag
  const widest = writeSizes(out, columns, limits.columns, limits.maxWidth, superblock);
  const area = limits.rows * limits.columns;
  const maxArea = limits.minLog2Tiles > 0 ? area >> (limits.minLog2Tiles + 1) : area;
  const maxHeight = Math.max(Math.floor(maxArea / widest), 1);
  writeSizes(out, rows, limits.rows, maxHeight, superblock);
  const bits = log2(1, columns.length) + log2(1, rows.length);
  if (bits === 0) return;
  out.write(0, bits); // context_update_tile_id
  out.write(TILE_SIZE_BYTES - 1, 2);
}

/** Writes width_in_sbs_minus_1 of all columns, or height_in_sbs_minus_1 of all rows. @returns the largest size */
function writeSizes(
  out: BitWriter,
  sizes: readonly number[],
  superblocks: number,
  most: number,
  superblock: number,
): number {
  let left = superblocks;
  let largest = 0;
  for (const size of sizes) {
    const count = Math.ceil(size / superblock);
    const limit = Math.min(left, most);
    if (count > limit) throw new Av1Error("A tile is larger than AV1 allows");
    out.writeBelow(count - 1, limit);
    left -= count;
    largest = Math.max(largest, count);
  }
  return largest;
}
