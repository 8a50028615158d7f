/** The cells of a picture whose decoders work side by side: the columns of one row of a grid, and their alpha. */
import type { RowWorkspace } from "../../../scheduling/row-workspace.ts";
import { type Av1Item, Av1Picture } from "./av1-picture.ts";

/** The plane of alpha in the bands. */
const ALPHA_PLANE = 3;

/** A cell's item, and where it lies. */
export interface Cell {
  readonly item: Av1Item;
  readonly left: number;
  readonly isAlpha: boolean;
}

/** Where rows go: the address of a row of a plane, or null outside. Rows are those of the picture, at the plane's resolution. */
export interface Bands {
  rowAddress(plane: number, row: number): number;
}

interface Feed {
  readonly cell: Cell;
  readonly picture: Av1Picture;
  /** Rows of luma that are in the bands, from the top of the cell. */
  ready: number;
}

/** A row of cells, from `top` on. */
export class CellRow {
  readonly #memory: WebAssembly.Memory;
  readonly #feeds: Feed[] = [];
  readonly #top: number;
  /** Rows of the cells that the picture has. */
  readonly #rows: number;
  readonly #pictureWidth: number;
  /** The address behind all that the decoders take. */
  readonly end: number;

  /**
   * Opens the decoders of cells behind `start`, from where on the memory is zero.
   * @throws Av1DecodeError when one cannot be read, or does not fit
   */
  constructor(
    workspace: RowWorkspace,
    cells: readonly Cell[],
    start: number,
    place: { top: number; rows: number; pictureWidth: number },
  ) {
    this.#memory = workspace.memory;
    this.#top = place.top;
    this.#rows = place.rows;
    this.#pictureWidth = place.pictureWidth;
    let end = start;
    for (const cell of cells) {
      const picture = Av1Picture.open(workspace, cell.item, end);
      picture.layOut();
      end = picture.end();
      this.#feeds.push({ cell, picture, ready: 0 });
    }
    this.end = end;
  }

  get pictures(): readonly Av1Picture[] {
    return this.#feeds.map(({ picture }) => picture);
  }

  /** The row of the picture up to which all cells are in the bands. */
  get readyEnd(): number {
    return this.#top + Math.min(...this.#feeds.map(({ ready }) => ready));
  }

  /** The row up to which some cell is. */
  get furthestEnd(): number {
    return this.#top + Math.max(...this.#feeds.map(({ ready }) => ready));
  }

  /** The most rows that `advance` adds to a cell. */
  get mostRows(): number {
    return Math.max(...this.#feeds.map(({ picture }) => picture.mostRows));
  }

  /** Decodes rows of the cell that is least far. @throws Av1DecodeError when the data are damaged */
  async advance(bands: Bands): Promise<void> {
    const feed = this.#feeds.reduce((least, other) => (other.ready < least.ready ? other : least));
    const count = await feed.picture.decode();
    const rows = count === 0 ? this.#rows - feed.ready : Math.min(count, this.#rows - feed.ready);
    if (count > 0) this.#copy(feed, rows, bands);
    feed.ready += rows;
  }

  #copy({ cell, picture, ready }: Feed, rows: number, bands: Bands): void {
    const { format } = picture;
    const bytes = new Uint8Array(this.#memory.buffer);
    const columns = Math.min(format.width, this.#pictureWidth - cell.left);
    for (let plane = 0; plane < (cell.isAlpha ? 1 : format.planes); plane++) {
      const [shiftX, shiftY] = plane === 0 ? [0, 0] : [format.chromaShiftX, format.chromaShiftY];
      const { address, stride } = picture.rows(plane);
      const length = ((columns + shiftX) >> shiftX) * 2;
      const first = (this.#top + ready) >> shiftY;
      const end = (this.#top + ready + rows + shiftY) >> shiftY;
      for (let row = first; row < end; row++) {
        const from = address + (row - first) * stride;
        const to = bands.rowAddress(cell.isAlpha ? ALPHA_PLANE : plane, row) + (cell.left >> shiftX) * 2;
        bytes.copyWithin(to, from, from + length);
      }
    }
  }
}
