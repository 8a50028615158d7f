/**
 * Decodes AVIF grids tile by tile. Memory holds the file, one row of tiles, and the memory for decoding one tile, for
 * pictures of any size.
 *
 * Each tile is handed to jSquash as a still AVIF. This also reads tiles of odd size in 4:2:0, which jSquash refuses
 * in a grid (HEIF requires even sizes there).
 */
import type { AvifFacts } from "../../../image/model/facts.ts";
import type { Rect } from "../../../image/geometry/size.ts";
import type { Arena } from "../../memory/arena.ts";
import type { Emscripten, Span } from "../../emscripten/emscripten.ts";
import type { RowSource } from "../../pixels/row-source.ts";
import { readAll } from "../../streams/source.ts";
import type { BuildContext } from "../../streams/build-context.ts";
import type { WorkMeter } from "../../scheduling/work-meter.ts";
import { type GridFile, readGrid, type Tile, type TilePlane } from "./grid-file.ts";
import { codedCrop } from "./coded-crop.ts";
import { stillHead } from "./still-writer.ts";
import { CodecError } from "../../emscripten/errors.ts";

const RGBA_BYTES = 4;
const BITS_PER_SAMPLE = 8;
/** Approximate bytes of the pieces in which rows are handed out. */
const STRIP_BYTES = 65_536;

type Grid = NonNullable<AvifFacts["grid"]>;

/**
 * Reads the master into the arena, and hands out the rows of its grid. The clean aperture is applied, orientation is
 * not.
 * @param canvasBytes bytes of the canvas, which the arena must have room for
 * @param part the rectangle within the clean aperture to hand out; null for all of it
 * @throws SourceLost when the master does not arrive
 * @throws InvalidImageError | CodecError here or from `next`, when the file is damaged or does not fit
 */
export async function decodeGrid(
  { memory: { arena }, source, work }: BuildContext,
  facts: AvifFacts,
  canvasBytes: number,
  part: Rect | null = null,
): Promise<RowSource> {
  const { byteLength: sourceBytes } = source;
  const { grid } = facts;
  if (!grid) throw new CodecError("The picture is not a grid");
  const crop = codedCrop(facts, part);
  const channels = facts.hasAlpha ? 4 : 3;
  const bandBytes = crop.width * grid.tileHeight * channels;
  const kept = arena.keep(sourceBytes + bandBytes, canvasBytes);
  const file = { pointer: kept.pointer, length: sourceBytes };
  await readAll(source.stream, (chunk, offset) => arena.bytes(file).set(chunk, offset));
  const band = { pointer: kept.pointer + sourceBytes, length: bandBytes };
  return new GridRows(arena, file, band, readGrid(arena.bytes(file), facts), grid, crop, channels, work);
}

class GridRows implements RowSource {
  readonly width: number;
  readonly height: number;
  readonly layout: "rgb" | "rgba";
  readonly #arena: Arena;
  readonly #file: Span;
  /** The rows of the picture in one row of tiles, cropped at the sides. */
  readonly #band: Span;
  readonly #tables: GridFile;
  readonly #grid: Grid;
  readonly #crop: Rect;
  readonly #channels: 3 | 4;
  readonly #work: WorkMeter;
  /** Rows of the coded picture: the next one to hand out, and the end of those in the band. */
  #y: number;
  #bandEnd: number;

  constructor(
    arena: Arena,
    file: Span,
    band: Span,
    tables: GridFile,
    grid: Grid,
    crop: Rect,
    channels: 3 | 4,
    work: WorkMeter,
  ) {
    this.width = crop.width;
    this.height = crop.height;
    this.layout = channels === 4 ? "rgba" : "rgb";
    this.#arena = arena;
    this.#file = file;
    this.#band = band;
    this.#tables = tables;
    this.#grid = grid;
    this.#crop = crop;
    this.#channels = channels;
    this.#work = work;
    this.#y = crop.top;
    this.#bandEnd = crop.top;
  }

  async next(): Promise<Uint8Array | null> {
    const end = this.#crop.top + this.#crop.height;
    if (this.#y === end) return null;
    if (this.#y === this.#bandEnd) await this.#decodeRow(Math.floor(this.#y / this.#grid.tileHeight));
    const rowBytes = this.width * this.#channels;
    const most = Math.max(1, Math.floor(STRIP_BYTES / rowBytes));
    const rows = Math.min(most, this.#bandEnd - this.#y, end - this.#y);
    const pointer = this.#band.pointer + (this.#y % this.#grid.tileHeight) * rowBytes;
    this.#y += rows;
    if (this.#y === end) this.#arena.release();
    return this.#arena.bytes({ pointer, length: rows * rowBytes });
  }

  /** Fills the band with a row of tiles. Tiles outside the crop are not decoded. */
  async #decodeRow(row: number): Promise<void> {
    const { columns, tileWidth, tileHeight } = this.#grid;
    const { left, width } = this.#crop;
    const first = Math.floor(left / tileWidth);
    const last = Math.min(columns - 1, Math.floor((left + width - 1) / tileWidth));
    for (let column = first; column <= last; column++) {
      const codec = this.#arena.start("avif-decoder");
      const tile = this.#tables.tiles[row * columns + column]!;
      const pixels = codec.call("decode", this.#wrap(codec, tile), BITS_PER_SAMPLE);
      if (pixels.length !== tileWidth * tileHeight * RGBA_BYTES) {
        throw new CodecError(`A tile is not ${tileWidth} x ${tileHeight} pixels as its header says`);
      }
      this.#place(this.#arena.bytes(pixels), column * tileWidth);
      await this.#work.yield();
    }
    this.#bandEnd = (row + 1) * tileHeight;
  }

  /** Writes the tile as a file, in the codec's heap. */
  #wrap(codec: Emscripten, { colour, alpha }: Tile): Span {
    const { nclx, premultiplied } = this.#tables;
    const { tileWidth: width, tileHeight: height } = this.#grid;
    const head = stillHead({ width, height, colour, alpha, nclx, premultiplied });
    const span = codec.malloc(head.length + colour.dataBytes + (alpha?.dataBytes ?? 0));
    const into = codec.bytes(span);
    into.set(head);
    const end = this.#copy(colour, into, head.length);
    if (alpha) this.#copy(alpha, into, end);
    return span;
  }

  #copy({ runs }: TilePlane, into: Uint8Array, at: number): number {
    const file = this.#arena.bytes(this.#file);
    for (const run of runs) {
      into.set(run instanceof Uint8Array ? run : file.subarray(run.offset, run.offset + run.length), at);
      at += run.length;
    }
    return at;
  }

  /** Copies the part of a tile that is inside the crop to its place in the band. */
  #place(tile: Uint8Array, tileLeft: number): void {
    const { tileWidth, tileHeight } = this.#grid;
    const { left, width } = this.#crop;
    const from = Math.max(left, tileLeft);
    const until = Math.min(left + width, tileLeft + tileWidth);
    const band = this.#arena.bytes(this.#band);
    for (let y = 0; y < tileHeight; y++) {
      let source = (y * tileWidth + from - tileLeft) * RGBA_BYTES;
      let target = (y * width + from - left) * this.#channels;
      if (this.#channels === RGBA_BYTES) {
        band.set(tile.subarray(source, source + (until - from) * RGBA_BYTES), target);
        continue;
      }
      for (let x = from; x < until; x++, source += RGBA_BYTES) {
        band[target++] = tile[source]!;
        band[target++] = tile[source + 1]!;
        band[target++] = tile[source + 2]!;
      }
    }
  }
}
