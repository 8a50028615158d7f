/**
 * Finds the tiles of a grid in an AVIF file (HEIF, ISO/IEC 23008-12, section 6.6.2.3).
 *
 * A grid is an item without coded data of its own. Its `dimg` reference lists the tiles row by row, each a coded
 * picture. Alpha is a second grid with the same layout, or each tile has its own alpha.
 */
import type { AvifFacts } from "../../../image/model/facts.ts";
import { type ItemTable, readItems } from "../../../image/formats/avif/items.ts";
import { countUnits, FrameWalk } from "../../../image/formats/avif/av1/frame-walk.ts";
import { isAlpha, type Properties } from "../../../image/formats/avif/properties.ts";
import { InvalidImageError } from "../../../image/bytes/errors.ts";
import { boxesIn, firstBox } from "../../../image/formats/avif/isobmff.ts";
import { unsupported } from "./decoder/errors.ts";
import { CodecError } from "../../emscripten/errors.ts";

/** The bytes of an item: a range of the file, or bytes from the meta box. */
export type Run = { offset: number; length: number } | Uint8Array;

export interface TilePlane {
  /** The content of `av1C`. */
  configuration: Uint8Array;
  /** The operating point of `a1op`, and the layer of `lsel`; -1 for the highest. */
  operatingPoint: number;
  layer: number;
  channels: number[];
  runs: Run[];
  dataBytes: number;
}

export interface Tile {
  colour: TilePlane;
  alpha: TilePlane | null;
}

export interface GridFile {
  /** The tiles, row by row. */
  tiles: Tile[];
  /** Content of the `colr` with code points; null if there is none. */
  nclx: Uint8Array | null;
  premultiplied: boolean;
}

/**
 * Reads the tables of `file`. The tables that it returns are copied out of the memory of the file.
 * @throws InvalidImageError when the tables are damaged, or differ from the grid that was probed
 * @throws CodecError when alpha has another layout than colour
 */
export function readGrid(file: Uint8Array, facts: AvifFacts): GridFile {
  const meta = firstBox(boxesIn(file, "file"), "meta");
  if (!meta) throw new InvalidImageError("AVIF has no meta box");
  const items = readItems(meta.slice());
  const { primary } = items;
  if (primary === null || items.types.get(primary) !== "grid") {
    throw new InvalidImageError("AVIF has no grid, although it had one when it was probed");
  }
  const colours = items.parts.get(primary) ?? [];
  if (colours.length !== (facts.grid?.rows ?? 0) * (facts.grid?.columns ?? 0)) {
    throw new InvalidImageError("AVIF grid has other tiles than when it was probed");
  }
  const alphas = alphaTiles(items, primary, colours, facts);
  const planes = new Planes(items, file, facts.grid!);
  const tiles = colours.map((id, i) => {
    const alpha = alphas?.[i];
    return { colour: planes.read(id), alpha: alpha === undefined ? null : planes.read(alpha) };
  });
  // As in libavif, the colour that the grid states takes precedence over that of its tiles.
  const nclx = items.properties.get(primary)?.nclx ?? items.properties.get(colours[0]!)?.nclx ?? null;
  return { tiles, nclx, premultiplied: items.premultiplied.has(primary) };
}

/**
 * Reads a file whose picture is one item, as a grid of one tile.
 * @throws InvalidImageError as `readGrid`
 * @throws Av1DecodeError for a picture that is no item
 */
export function readSingle(file: Uint8Array, facts: AvifFacts): GridFile {
  const meta = firstBox(boxesIn(file, "file"), "meta");
  if (!meta) throw unsupported("Its picture is that of a track");
  const items = readItems(meta.slice());
  const { primary } = items;
  if (primary === null) throw unsupported("It has no primary item");
  const { codedWidth: tileWidth, codedHeight: tileHeight } = facts;
  const grid = { rows: 1, columns: 1, tileWidth, tileHeight };
  const alpha = alphaOf(items, primary);
  const planes = new Planes(items, file, grid);
  const tile = { colour: planes.read(primary), alpha: alpha === undefined ? null : planes.read(alpha) };
  const nclx = items.properties.get(primary)?.nclx ?? null;
  return { tiles: [tile], nclx, premultiplied: items.premultiplied.has(primary) };
}

/** Returns the id of the alpha of an item. */
const alphaOf = (items: ItemTable, id: number): number | undefined =>
  (items.auxiliaries.get(id) ?? []).find((auxiliary) => isAlpha(propertiesOf(items, auxiliary)));

/** Returns the ids of the alpha items, one per tile; null for a picture without alpha. */
function alphaTiles(items: ItemTable, primary: number, colours: number[], facts: AvifFacts): number[] | null {
  const beside = alphaOf(items, primary);
  const alphas =
    beside === undefined ? colours.map((id) => alphaOf(items, id)) : (items.parts.get(beside) ?? []);
  const found = alphas.filter((id) => id !== undefined);
  if (found.length === 0 && beside === undefined) return null;
  const { tileWidth, tileHeight } = facts.grid!;
  const fits = found.every((id) => {
    const size = propertiesOf(items, id).size;
    return size?.width === tileWidth && size.height === tileHeight;
  });
  if (found.length !== colours.length || !fits) {
    throw new CodecError("The alpha of this AVIF grid has another layout than its colour");
  }
  return found;
}

const propertiesOf = (items: ItemTable, id: number): Properties => items.properties.get(id) ?? {};

/**
 * A tile has at most this many bytes plus those of its pixels at 12 bits and full chroma, uncompressed. Tiles may share
 * bytes of the file (libavif writes equal ones once), so without this limit a short file could cause hours of work.
 */
const TILE_FIXED_BYTES = 65_536;
const TILE_PIXEL_BYTES = 8;

class Planes {
  readonly #items: ItemTable;
  readonly #file: Uint8Array;
  readonly #mostBytes: number;
  readonly #count = countUnits();

  constructor(items: ItemTable, file: Uint8Array, { tileWidth, tileHeight }: NonNullable<AvifFacts["grid"]>) {
    this.#items = items;
    this.#file = file;
    this.#mostBytes = TILE_FIXED_BYTES + TILE_PIXEL_BYTES * tileWidth * tileHeight;
  }

  read(id: number): TilePlane {
    const { configuration, codec, channels, operatingPoint = 0, layer = -1 } = propertiesOf(this.#items, id);
    if (this.#items.types.get(id) !== "av01" || !configuration || !codec) {
      throw new InvalidImageError(`AVIF tile ${id} is not a coded picture`);
    }
    const runs = this.#runs(id);
    const dataBytes = runs.reduce((sum, { length }) => sum + length, 0);
    if (dataBytes === 0 || dataBytes > this.#mostBytes) {
      throw new InvalidImageError(`AVIF tile ${id} has ${dataBytes} bytes of data`);
    }
    const walk = new FrameWalk(`tile ${id}`, this.#count);
    for (const run of runs) {
      walk.push(run instanceof Uint8Array ? run : this.#file.subarray(run.offset, run.offset + run.length));
    }
    const planes = codec.chroma === "400" ? 1 : 3;
    return {
      configuration,
      operatingPoint,
      layer,
      channels: channels ?? Array<number>(planes).fill(codec.bitDepth),
      runs,
      dataBytes,
    };
  }

  #runs(id: number): Run[] {
    const { extents, idat } = this.#items;
    return (extents.get(id) ?? []).map((extent) => {
      const end = extent.in === "file" ? this.#file.length : idat.length;
      const length = extent.length ?? end - extent.offset;
      if (length < 0 || extent.offset + length > end) {
        throw new InvalidImageError(`AVIF ends before the data of tile ${id}`);
      }
      const { offset } = extent;
      return extent.in === "file" ? { offset, length } : idat.subarray(offset, offset + length);
    });
  }
}
