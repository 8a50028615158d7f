/**
 * Turns a picture upright for encoders that take rows. The rows are stored as planes, in the arena above the decoder's
 * memory, and read back upright. pixels/assembly/planes has the loops, image/memory/planes.ts the layout.
 */
import type { Orientation } from "../../image/model/facts.ts";
import { type Planes, planesOf, STRIP_ROWS } from "../../image/memory/planes.ts";
import { CHANNELS_OF } from "../../image/memory/rows.ts";
import { turned } from "../../image/model/orientation.ts";
import type { Size } from "../../image/geometry/size.ts";
import type { Arena } from "../memory/arena.ts";
import type { RowSource } from "./row-source.ts";
import { RowShortageError } from "../scheduling/row-errors.ts";
import type { WorkMeter } from "../scheduling/work-meter.ts";
import module from "../wasm/planes.wasm";

/** The exports of pixels/assembly/planes; all take addresses in the arena. */
interface Loops {
  splitRow(row: number, width: number, channels: number, lines: number, distance: number): void;
  joinRow(lines: number, distance: number, width: number, channels: number, row: number): void;
  colourRow(
    row: number,
    width: number,
    channels: number,
    luma: number,
    alpha: number,
    cb: number,
    cr: number,
    lead: number,
  ): void;
  halveRows(upper: number, lower: number, width: number, out: number): void;
  restoreRow(luma: number, cb: number, cr: number, width: number, lines: number, distance: number): void;
  readUpright(
    plane: number,
    width: number,
    height: number,
    orientation: Orientation,
    top: number,
    count: number,
    out: number,
    distance: number,
  ): void;
}

/** Work per pixel when it is stored and when it is read back, in units of WorkMeter. */
const PIXEL_UNITS = 2;

/** Returns the rows of a held picture, from the first one on. The rows of an earlier call must not be read any more. */
export type Reread = () => RowSource;

/** Stores all rows of `source`, and returns them upright. The arguments and errors are those of `holdUpright`. */
export const uprightRows = async (...picture: Parameters<typeof holdUpright>): Promise<RowSource> =>
  (await holdUpright(...picture))();

/**
 * Stores all rows of `source`, and returns how they are read, upright, as often as the caller likes.
 * @param isHalved chroma is kept at half its resolution; only for rows in colour
 * @param floor the lowest address at which the picture may be stored
 * @throws CodecError when the arena has no room, RowShortageError when rows are missing
 */
export async function holdUpright(
  arena: Arena,
  source: RowSource,
  orientation: Orientation,
  isHalved: boolean,
  work: WorkMeter,
  floor = 0,
): Promise<Reread> {
  const canvas = new PlanesCanvas(arena, source, orientation, isHalved, floor);
  let y = 0;
  for (let rows = await source.next(); rows; rows = await source.next()) {
    y = canvas.put(rows, y);
    await work.spend(PIXEL_UNITS * (rows.length / CHANNELS_OF[source.layout]));
  }
  if (y < source.height) throw new RowShortageError("The picture to be turned ended before its last row");
  return () => rowsOf(canvas, turned(source, orientation), source.layout, work);
}

function rowsOf(
  canvas: PlanesCanvas,
  { width, height }: Size,
  layout: RowSource["layout"],
  work: WorkMeter,
): RowSource {
  let top = 0;
  return {
    width,
    height,
    layout,
    async next() {
      const count = Math.min(STRIP_ROWS, height - top);
      if (count === 0) return null;
      await work.spend(PIXEL_UNITS * width * count);
      const rows = canvas.read(top, count);
      top += count;
      return rows;
    },
  };
}

class PlanesCanvas {
  readonly #arena: Arena;
  readonly #loops: Loops;
  readonly #planes: Planes;
  readonly #orientation: Orientation;
  readonly #stored: { width: number; height: number };
  readonly #upright: { width: number; height: number };
  readonly #channels: number;
  readonly #at: number;

  constructor(arena: Arena, source: RowSource, orientation: Orientation, isHalved: boolean, floor: number) {
    this.#stored = { width: source.width, height: source.height };
    this.#upright = turned(source, orientation);
    this.#channels = CHANNELS_OF[source.layout];
    this.#planes = planesOf(source, source.layout, orientation, isHalved);
    this.#orientation = orientation;
    this.#arena = arena;
    this.#at = arena.canvas(this.#planes.bytes, floor).pointer;
    const env = { memory: arena.memory };
    this.#loops = new WebAssembly.Instance(module, { env }).exports as unknown as Loops;
  }

  /** Stores whole rows, from row `y` on, and returns the index of the next one. */
  put(rows: Uint8Array, y: number): number {
    const rowBytes = this.#stored.width * this.#channels;
    const row = this.#at + this.#planes.row;
    for (let from = 0; from < rows.length; from += rowBytes, y++) {
      // The source may decode in this memory too, and growing it makes older views void.
      this.#arena.bytes({ pointer: row, length: rowBytes }).set(rows.subarray(from, from + rowBytes));
      if (this.#planes.chroma) this.#putColour(row, y, this.#planes.chroma);
      else this.#putChannels(row, y);
    }
    return y;
  }

  #putChannels(row: number, y: number): void {
    const { width } = this.#stored;
    const lines = this.#at + this.#planes.full + y * width;
    this.#loops.splitRow(row, width, this.#channels, lines, this.#planes.fullBytes);
  }

  #putColour(row: number, y: number, chroma: NonNullable<Planes["chroma"]>): void {
    const { full, fullBytes, lead, lines, lineBytes } = this.#planes;
    const { width, height } = this.#stored;
    const luma = this.#at + full + y * width;
    const place = y + lead.y;
    const own = this.#at + lines + (place % 2) * 2 * lineBytes;
    this.#loops.colourRow(row, width, this.#channels, luma, luma + fullBytes, own, own + lineBytes, lead.x);
    if (place % 2 === 0 && y < height - 1) return;
    const upper = place % 2 === 1 && y > 0 ? this.#at + lines : own;
    for (const c of [0, 1]) {
      const out = this.#at + chroma.at + c * chroma.bytes + (place >> 1) * chroma.width;
      this.#loops.halveRows(upper + c * lineBytes, own + c * lineBytes, 2 * chroma.width, out);
    }
  }

  /** Returns `count` upright rows from `top`, a multiple of STRIP_ROWS: a view that the next call overwrites. */
  read(top: number, count: number): Uint8Array {
    const { full, fullBytes, fullCount, strip, chroma } = this.#planes;
    const { width } = this.#upright;
    const stripBytes = STRIP_ROWS * width;
    const first = this.#at + strip;
    for (let c = 0; c < fullCount; c++) {
      const plane = this.#at + full + c * fullBytes;
      this.#readPlane(plane, this.#stored, top, count, first + c * stripBytes);
    }
    const out = this.#at + this.#planes.out;
    if (chroma) {
      this.#joinColour(chroma, top, count, out);
    } else {
      for (let i = 0; i < count; i++) {
        const row = out + i * width * this.#channels;
        this.#loops.joinRow(first + i * width, stripBytes, width, this.#channels, row);
      }
    }
    return this.#arena.bytes({ pointer: out, length: count * width * this.#channels });
  }

  #readPlane(
    plane: number,
    stored: { width: number; height: number },
    top: number,
    count: number,
    to: number,
  ): void {
    const { width } = turned(stored, this.#orientation);
    this.#loops.readUpright(plane, stored.width, stored.height, this.#orientation, top, count, to, width);
  }

  #joinColour(chroma: NonNullable<Planes["chroma"]>, top: number, count: number, out: number): void {
    const { strip, fullCount, channels, channelBytes } = this.#planes;
    const { width } = this.#upright;
    const luma = this.#at + strip;
    const alpha = luma + STRIP_ROWS * width;
    const cb = luma + fullCount * STRIP_ROWS * width;
    const half = turned(chroma, this.#orientation);
    const pairs = Math.ceil(count / 2);
    const cr = cb + pairs * half.width;
    const lines = this.#at + channels;
    this.#readPlane(this.#at + chroma.at, chroma, top / 2, pairs, cb);
    this.#readPlane(this.#at + chroma.at + chroma.bytes, chroma, top / 2, pairs, cr);
    const all = new Uint8Array(this.#arena.memory.buffer);
    for (let i = 0; i < count; i++) {
      const pair = (i >> 1) * half.width;
      this.#loops.restoreRow(luma + i * width, cb + pair, cr + pair, width, lines, channelBytes);
      if (fullCount === 2) {
        const from = alpha + i * width;
        all.copyWithin(lines + 3 * channelBytes, from, from + width);
      }
      this.#loops.joinRow(lines, channelBytes, width, this.#channels, out + i * width * this.#channels);
    }
  }
}
