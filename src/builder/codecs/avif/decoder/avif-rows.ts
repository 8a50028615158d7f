/**
 * Decodes AVIF stills by our own decoder, in rows: single items and grids, with alpha. Memory holds the file, some rows of
 * superblocks of each cell beside each other, and the rows that are converted to RGB.
 */
import type { AvifFacts } from "../../../../image/model/facts.ts";
import type { Rect } from "../../../../image/geometry/size.ts";
import type { Arena } from "../../../memory/arena.ts";
import type { RowSource } from "../../../pixels/row-source.ts";
import type { RowWorkspace } from "../../../scheduling/row-workspace.ts";
import { FAULT_OUT_OF_MEMORY } from "../decoder-status.ts";
import type { GridFile, TilePlane } from "../grid-file.ts";
import { type Av1Format, type Av1Item, Av1Picture } from "./av1-picture.ts";
import { type Bands, type Cell, CellRow } from "./cells.ts";
import { faultOf, unsupported } from "./errors.ts";
import { alphaFactors, type ColourCode, factorsOf } from "./matrix.ts";
import type { Av1DecoderExports } from "./module.ts";

/** Approximate bytes of the pieces in which rows are handed out. */
const STRIP_BYTES = 65_536;
/** Bytes of `av1C` before its OBUs. */
const CONFIGURATION_HEAD_BYTES = 4;
/** Rows that stay in the bands above those that are converted: a row of chroma in 4:2:0, and one to begin at an even row. */
const ROWS_ABOVE = 4;
const RGB_WORK = 3;
/** Units of work to open a decoder and read its headers. */
const HEADER_WORK = 30_000;
const ALIGNMENT = 16;
const UNSPECIFIED = 2;

type Shape = NonNullable<AvifFacts["grid"]>;

export interface AvifRowsParts {
  room: { arena: Arena; mostBytes: number };
  workspace: RowWorkspace;
  /** The decoder that holds the file, at `fileAddress`. */
  holder: Av1DecoderExports;
  fileAddress: number;
  facts: AvifFacts;
  tables: GridFile;
  shape: Shape;
  crop: Rect;
}

/** Rows of a picture whose file is in the memory. */
export class AvifRows implements RowSource, Bands {
  readonly width: number;
  readonly height: number;
  readonly layout: "rgb" | "rgba";
  readonly #arena: Arena;
  readonly #mostBytes: number;
  readonly #workspace: RowWorkspace;
  readonly #holder: Av1DecoderExports;
  readonly #facts: AvifFacts;
  readonly #shape: Shape;
  readonly #crop: Rect;
  readonly #format: Av1Format;
  /** The items of colour and alpha, row by row. */
  readonly #items: { colour: Av1Item; alpha: Av1Item | null }[];
  /** Where the decoders of cells begin. */
  readonly #start: number;
  readonly #heldRows: number;
  readonly #outRows: number;
  /** `open` opens the first row of cells. */
  #cells!: CellRow;
  #cellRow = 0;
  /** Rows of the picture: the next one to hand out, and the first in the bands, which is even. */
  #y: number;
  #bandTop = 0;

  private constructor({ room, workspace, holder, fileAddress, facts, tables, shape, crop }: AvifRowsParts) {
    this.width = crop.width;
    this.height = crop.height;
    this.layout = facts.hasAlpha ? "rgba" : "rgb";
    this.#arena = room.arena;
    this.#mostBytes = room.mostBytes;
    this.#workspace = workspace;
    this.#holder = holder;
    this.#facts = facts;
    this.#shape = shape;
    this.#crop = crop;
    this.#y = crop.top;
    this.#items = tables.tiles.map(({ colour, alpha }) => ({
      colour: this.#place(colour, fileAddress),
      alpha: alpha && this.#place(alpha, fileAddress),
    }));
    const first = this.#items[0]!;
    const [colour, alpha] = [this.#formatOf(first.colour), first.alpha && this.#formatOf(first.alpha)];
    this.#format = colour.format;
    const isAlone = shape.columns === 1 && !facts.hasAlpha;
    const mostRows = Math.max(colour.mostRows, alpha?.mostRows ?? 0);
    this.#heldRows = (isAlone ? mostRows : 2 * mostRows) + 2 * ROWS_ABOVE;
    const rowBytes = crop.width * (facts.hasAlpha ? 4 : 3);
    this.#outRows = Math.max(1, Math.floor(STRIP_BYTES / rowBytes));
    this.#prepareColours(tables, alpha?.format ?? null);
    this.#start = align(holder.highWater());
  }

  /**
   * Opens the decoders of the first row of cells, after the headers of all cells were read, so that no row is handed out of a
   * picture that has a cell of an unsupported kind further down.
   * @throws Av1DecodeError when a header is damaged or not supported, or the decoders do not fit
   */
  static async open(parts: AvifRowsParts): Promise<AvifRows> {
    const rows = new AvifRows(parts);
    await rows.#checkLaterCells();
    rows.#cells = rows.#openRow(0);
    return rows;
  }

  /** Reads the headers of the cells below the first row. */
  async #checkLaterCells(): Promise<void> {
    for (const { colour, alpha } of this.#items.slice(this.#shape.columns)) {
      for (const item of alpha ? [colour, alpha] : [colour]) {
        await this.#workspace.work.spend(HEADER_WORK);
        this.#check(this.#formatOf(item).format, item === alpha);
      }
    }
  }

  /** Finds the data of an item in the memory. One in pieces is joined. */
  #place({ configuration, runs, dataBytes, operatingPoint, layer }: TilePlane, fileAddress: number): Av1Item {
    const head = configuration.subarray(CONFIGURATION_HEAD_BYTES);
    const [run] = runs;
    const isWhole = runs.length === 1 && run !== undefined && !(run instanceof Uint8Array);
    const room = this.#holder.allocateItem(head.length + (isWhole ? 0 : dataBytes) + 1);
    if (room === 0) throw faultOf(FAULT_OUT_OF_MEMORY);
    const all = new Uint8Array(this.#workspace.memory.buffer);
    all.set(head, room);
    const common = {
      configuration: { address: room, bytes: head.length },
      bytes: dataBytes,
      operatingPoint,
      layer,
    };
    if (isWhole) return { ...common, address: fileAddress + run.offset };
    let at = room + head.length;
    for (const piece of runs) {
      if (piece instanceof Uint8Array) all.set(piece, at);
      else all.copyWithin(at, fileAddress + piece.offset, fileAddress + piece.offset + piece.length);
      at += piece.length;
    }
    return { ...common, address: room + head.length };
  }

  /** Reads the headers of an item, by a decoder whose memory is used again. */
  #formatOf(item: Av1Item): Pick<Av1Picture, "format" | "mostRows"> {
    const start = align(this.#holder.highWater());
    const picture = Av1Picture.open(this.#workspace, item, start);
    this.#wipe(start, picture.end());
    return picture;
  }

  #wipe(from: number, end: number): void {
    new Uint8Array(this.#workspace.memory.buffer).fill(0, from, end);
  }

  /** Allocates bands, and sets the factors of conversion. */
  #prepareColours({ nclx, premultiplied }: GridFile, alpha: Av1Format | null): void {
    const { width: columns } = this.#crop;
    const format = this.#format;
    const factors = factorsOf(format, nclx ? codeOf(nclx) : { ...format, primaries: UNSPECIFIED });
    if (!factors)
      throw unsupported("Its matrix of colours is unknown, or does not go with its layout of chroma");
    if (this.#hasUnevenCells()) throw unsupported("The borders of its cells lie between samples of chroma");
    const fault = this.#holder.layOutRgb(
      this.#facts.codedWidth,
      this.#heldRows,
      format.planes,
      format.chromaShiftX,
      format.chromaShiftY,
      alpha ? 1 : 0,
      premultiplied ? 1 : 0,
      this.#outRows,
      columns,
    );
    if (fault < 0) throw faultOf(fault);
    const last = alpha ? alphaFactors(alpha.bitDepth, alpha.fullRange) : factors.alpha;
    [factors.red, factors.green, factors.blue, last]
      .flat()
      .forEach((value, index) => this.#holder.setFactor(index, value));
  }

  /** Returns whether the borders of cells lie between samples of chroma. */
  #hasUnevenCells(): boolean {
    const { rows, columns, tileWidth, tileHeight } = this.#shape;
    const { chromaShiftX, chromaShiftY, planes } = this.#format;
    if (planes === 1) return false;
    return (
      (columns > 1 && (tileWidth & chromaShiftX) === 1) || (rows > 1 && (tileHeight & chromaShiftY) === 1)
    );
  }

  /** Opens a row of cells, whose memory is that of the last one. */
  #openRow(row: number): CellRow {
    const { columns, tileWidth, tileHeight } = this.#shape;
    const { codedWidth: pictureWidth, codedHeight } = this.#facts;
    const cells = this.#items
      .slice(row * columns, (row + 1) * columns)
      .flatMap(({ colour, alpha }, column) => {
        const left = column * tileWidth;
        const cell: Cell = { item: colour, left, isAlpha: false };
        return alpha ? [cell, { item: alpha, left, isAlpha: true }] : [cell];
      });
    const top = row * tileHeight;
    const rows = Math.min(tileHeight, codedHeight - top);
    const opened = new CellRow(this.#workspace, cells, this.#start, { top, rows, pictureWidth });
    this.#arena.lent(opened.end);
    // The plan does not know all needs of the headers: a row of tiles for intra block copy, or super-resolution.
    if (opened.end > this.#mostBytes) throw faultOf(FAULT_OUT_OF_MEMORY);
    for (const [i, { format }] of opened.pictures.entries()) this.#check(format, cells[i]!.isAlpha);
    return opened;
  }

  /** Checks that a cell is what the file says, and like the first one. */
  #check(format: Av1Format, isAlpha: boolean): void {
    const { tileWidth, tileHeight } = this.#shape;
    // A layer of another size is enlarged by nobody here.
    if (format.width !== tileWidth || format.height !== tileHeight) {
      throw unsupported(
        `A frame is ${format.width} x ${format.height}, and its item ${tileWidth} x ${tileHeight}`,
      );
    }
    const { bitDepth, planes, chromaShiftX, chromaShiftY } = this.#format;
    const isLike =
      format.bitDepth === bitDepth &&
      format.planes === planes &&
      format.chromaShiftX === chromaShiftX &&
      format.chromaShiftY === chromaShiftY;
    if (!isAlpha && !isLike) throw unsupported("Its cells have different depths or layouts of chroma");
  }

  rowAddress(plane: number, row: number): number {
    const shift = plane === 1 || plane === 2 ? this.#format.chromaShiftY : 0;
    return this.#holder.bandRow(plane, row - (this.#bandTop >> shift));
  }

  async next(): Promise<Uint8Array | null> {
    const { top, height, left } = this.#crop;
    const end = top + height;
    if (this.#y === end) return null;
    while (this.#convertible() <= this.#y) await this.#advance();
    const rows = Math.min(this.#outRows, this.#convertible() - this.#y, end - this.#y);
    const row = this.#y - this.#bandTop;
    const { chromaShiftY } = this.#format;
    const lastChroma =
      ((this.#facts.codedHeight + chromaShiftY) >> chromaShiftY) - 1 - (this.#bandTop >> chromaShiftY);
    await this.#workspace.work.spend(rows * this.width * RGB_WORK);
    const isTop = this.#bandTop === 0 ? 1 : 0;
    const pointer = this.#holder.convertRows(row, rows, left, this.width, lastChroma, isTop);
    this.#y += rows;
    return this.#arena.bytes({ pointer, length: rows * this.width * (this.layout === "rgba" ? 4 : 3) });
  }

  /** Returns the row up to which rows can be converted: in 4:2:0, an odd row needs the next row of chroma. */
  #convertible(): number {
    const ready = this.#cells.readyEnd;
    const isLast = ready >= this.#facts.codedHeight;
    return isLast || this.#format.planes === 1 || this.#format.chromaShiftY === 0 ? ready : ready - 1;
  }

  async #advance(): Promise<void> {
    const { readyEnd } = this.#cells;
    if (readyEnd >= Math.min((this.#cellRow + 1) * this.#shape.tileHeight, this.#facts.codedHeight)) {
      this.#wipe(this.#start, this.#cells.end);
      this.#cellRow += 1;
      this.#cells = this.#openRow(this.#cellRow);
    }
    if (this.#cells.readyEnd + this.#cells.mostRows > this.#bandTop + this.#heldRows) this.#moveUp();
    await this.#cells.advance(this);
  }

  /** Moves the rows that are still needed to the top of the bands. */
  #moveUp(): void {
    const top = Math.max(0, (Math.min(this.#y, this.#cells.readyEnd) & ~1) - 2);
    const end = this.#cells.furthestEnd;
    const bytes = new Uint8Array(this.#workspace.memory.buffer);
    const { planes, chromaShiftY } = this.#format;
    for (const plane of [0, ...(planes > 1 ? [1, 2] : []), ...(this.layout === "rgba" ? [3] : [])]) {
      const shift = plane === 1 || plane === 2 ? chromaShiftY : 0;
      const from = this.rowAddress(plane, top >> shift);
      const until = this.rowAddress(plane, (end + shift) >> shift);
      bytes.copyWithin(this.#holder.bandRow(plane, 0), from, Math.max(from, until));
    }
    this.#bandTop = top;
  }
}

/**
 * Returns the code points of `colr`: four characters, primaries, transfer, matrix (u16 each), and the range in the top
 * bit.
 */
const codeOf = (nclx: Uint8Array): ColourCode => ({
  primaries: (nclx[4]! << 8) | nclx[5]!,
  matrix: (nclx[8]! << 8) | nclx[9]!,
  fullRange: nclx[10]! >= 0x80,
});

const align = (address: number): number => Math.ceil(address / ALIGNMENT) * ALIGNMENT;
