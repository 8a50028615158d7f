/** How a frame is divided into tiles, and how its header says so (AV1 specification section 5.9.15). */
import type { TilesLog2 } from "../../../image/formats/avif/encoder-options.ts";
import type { BitWriter } from "./bit-writer.ts";

const SUPERBLOCK = 64;
/** Limits of tiles (section 3): width and area in superblocks, and tiles per row and column. */
const MAX_TILE_WIDTH = 4096 / SUPERBLOCK;
const MAX_TILE_AREA = (4096 * 2304) / SUPERBLOCK ** 2;
const MAX_TILES = 64;
/** Bytes in which the size of a tile is written. */
const TILE_SIZE_BYTES = 4;

/** The tiles of a frame. All but the last of each row and column have the same size. */
export interface Tiles {
  columns: number;
  rows: number;
  /** Size of a tile in pixels. */
  width: number;
  height: number;
}

/** The tiles of one direction in a header: powers of two of their number, at least, at most, and chosen. */
interface Division {
  least: number;
  most: number;
  log2: number;
}

export interface TiledFrame {
  width: number;
  height: number;
  /** More tiles than the picture needs, where AV1 allows them. */
  tilesLog2?: TilesLog2 | undefined;
}

/** Implements tile_log2(): the least k such that `unit` << k is at least `target`. */
const log2 = (unit: number, target: number): number => Math.max(0, Math.ceil(Math.log2(target / unit)));

const superblocks = (length: number): number => Math.ceil(length / SUPERBLOCK);

/** Divides into as few tiles as AV1 allows: columns only where the frame is too wide for one. */
function divide({ width, height, tilesLog2 }: TiledFrame): { columns: Division; rows: Division } {
  const [columns, rows] = [superblocks(width), superblocks(height)];
  const divided = (least: number, count: number, wanted = 0): Division => {
    const most = log2(1, Math.min(count, MAX_TILES));
    return { least, most, log2: Math.max(least, Math.min(wanted, most)) };
  };
  const leastColumns = log2(MAX_TILE_WIDTH, columns);
  const leastTiles = Math.max(leastColumns, log2(MAX_TILE_AREA, columns * rows));
  const across = divided(leastColumns, columns, tilesLog2?.columns);
  return { columns: across, rows: divided(Math.max(0, leastTiles - across.log2), rows, tilesLog2?.rows) };
}

/** @throws RangeError where a tile would be too large, which none is of 16 megapixels */
export function tilesOf(frame: TiledFrame): Tiles {
  const { columns, rows } = divide(frame);
  const wide = Math.ceil(superblocks(frame.width) / 2 ** columns.log2);
  const high = Math.ceil(superblocks(frame.height) / 2 ** rows.log2);
  if (wide * high > MAX_TILE_AREA) throw new RangeError("A tile is larger than AV1 allows");
  const [width, height] = [wide * SUPERBLOCK, high * SUPERBLOCK];
  return { columns: Math.ceil(frame.width / width), rows: Math.ceil(frame.height / height), width, height };
}

/** Writes tile_info() for the tiles that `tilesOf` says. */
export function writeTileInfo(out: BitWriter, frame: TiledFrame): void {
  const { columns, rows } = divide(frame);
  out.write(1, 1); // uniform_tile_spacing_flag
  // increment_tile_cols_log2, then increment_tile_rows_log2: a 1 for each step, and a 0 where there could be more.
  for (const { least, most, log2 } of [columns, rows]) {
    for (let step = least; step < log2; step++) out.write(1, 1);
    if (log2 < most) out.write(0, 1);
  }
  const bits = columns.log2 + rows.log2;
  if (bits === 0) return;
  out.write(0, bits); // context_update_tile_id
  out.write(TILE_SIZE_BYTES - 1, 2); // tile_size_bytes_minus_1
}

/**
 * Returns the parts of tile_group_obu() besides the data of tiles (section 5.11.1).
 * @param tiles bytes of each tile
 * @returns the bytes that come first, and those before each tile
 */
export function tileGroup(tiles: readonly number[]): { head: number[]; sizes: number[][] } {
  // tile_start_and_end_present_flag, which is there for several tiles, in a byte.
  const head = tiles.length > 1 ? [0] : [];
  // The last tile ends where the unit ends.
  const sizes = tiles.map((bytes, i) => (i < tiles.length - 1 ? littleEndian(bytes - 1) : []));
  return { head, sizes };
}

const littleEndian = (value: number): number[] =>
  Array.from({ length: TILE_SIZE_BYTES }, (_, i) => (value >>> (8 * i)) & 0xff);
