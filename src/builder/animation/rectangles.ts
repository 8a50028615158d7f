/** Bounding rectangles of the pixels that meet a condition. */
import type { Rect } from "../../image/geometry/size.ts";

/** A rectangle of a picture that is `stride` pixels across. */
export class Area {
  readonly rect: Rect;
  readonly #stride: number;

  constructor(stride: number, rect: Rect) {
    this.#stride = stride;
    this.rect = rect;
  }

  /** Calls `visit` with the index of each pixel in the picture, row by row. */
  each(visit: (i: number) => void): void {
    const { left, top, width, height } = this.rect;
    for (let y = top; y < top + height; y++) {
      const from = y * this.#stride + left;
      for (let i = from; i < from + width; i++) visit(i);
    }
  }

  /**
   * Returns the bounding rectangle of the pixels for which `is` returns true; null when there are none. All are asked.
   */
  bounds(is: (i: number) => boolean): Rect | null {
    const { left, top, width, height } = this.rect;
    let [x0, x1, y0, y1] = [Infinity, -1, Infinity, -1];
    for (let y = top; y < top + height; y++) {
      const row = y * this.#stride;
      for (let x = left; x < left + width; x++) {
        if (!is(row + x)) continue;
        if (x < x0) x0 = x;
        if (x > x1) x1 = x;
        if (y < y0) y0 = y;
        y1 = y;
      }
    }
    return x1 < 0 ? null : { left: x0, top: y0, width: x1 - x0 + 1, height: y1 - y0 + 1 };
  }
}

/** Returns the rectangle of a whole picture. */
export const whole = (width: number, height: number): Area =>
  new Area(width, { left: 0, top: 0, width, height });

/** Returns the bounding rectangle of both. */
export function union(a: Rect | null, b: Rect | null): Rect | null {
  if (!a || !b) return a ?? b;
  const left = Math.min(a.left, b.left);
  const top = Math.min(a.top, b.top);
  const right = Math.max(a.left + a.width, b.left + b.width);
  const bottom = Math.max(a.top + a.height, b.top + b.height);
  return { left, top, width: right - left, height: bottom - top };
}

/** The part of a frame that is written. */
export interface Patch {
  rect: Rect;
  /** The pixels that are written: all, those that changed, or the blocks with such. The others are transparent. */
  drawn: "all" | "changed" | Blocks;
  hasAlpha: boolean;
}

const SIDE = 8;

/** The blocks of 8 × 8 pixels, counted from the corner of a rectangle, in which a pixel meets a condition. */
export class Blocks {
  readonly #across: number;
  readonly #marked: Uint8Array;

  constructor(stride: number, rect: Rect, is: (i: number) => boolean) {
    this.#across = Math.ceil(rect.width / SIDE);
    this.#marked = new Uint8Array(this.#across * Math.ceil(rect.height / SIDE));
    for (let y = 0; y < rect.height; y++) {
      const row = (rect.top + y) * stride + rect.left;
      for (let x = 0; x < rect.width; x++) if (is(row + x)) this.#marked[this.#at(x, y)] = 1;
    }
  }

  /** Returns whether the block that holds this pixel of the rectangle is one of them. */
  has(x: number, y: number): boolean {
    return this.#marked[this.#at(x, y)] === 1;
  }

  /** The share of all blocks, 0 to 1. */
  get share(): number {
    return this.#marked.reduce((sum, mark) => sum + mark, 0) / this.#marked.length;
  }

  #at(x: number, y: number): number {
    return (y >> 3) * this.#across + (x >> 3);
  }
}

/** Returns the centre of a rectangle, at most `side` pixels wide and high. */
export function middleOf({ left, top, width, height }: Rect, side: number): Rect {
  const [across, down] = [Math.min(width, side), Math.min(height, side)];
  return {
    left: left + ((width - across) >> 1),
    top: top + ((height - down) >> 1),
    width: across,
    height: down,
  };
}
