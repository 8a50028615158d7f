/** Rows of a picture that a codec has decoded whole into the arena. */
import type { Span } from "../emscripten/emscripten.ts";
import type { Arena } from "../memory/arena.ts";
import type { RowSource } from "./row-source.ts";

export const RGBA_BYTES = 4;
/** About 256 KB at a time, so that the caller can yield to the event loop in between. */
const STRIP_BYTES = 262_144;

export interface Rectangle {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Rows of an RGBA bitmap in the arena. A picture without alpha is packed to RGB, in place. */
export class BitmapRows implements RowSource {
  readonly width: number;
  readonly height: number;
  readonly layout: "rgb" | "rgba";
  readonly #arena: Arena;
  readonly #bitmap: Span;
  readonly #stride: number;
  readonly #crop: Rectangle;
  readonly #rowsPerStrip: number;
  #y = 0;

  constructor(arena: Arena, bitmap: Span, bitmapWidth: number, crop: Rectangle, hasAlpha: boolean) {
    this.width = crop.width;
    this.height = crop.height;
    this.layout = hasAlpha ? "rgba" : "rgb";
    this.#arena = arena;
    this.#bitmap = bitmap;
    this.#stride = bitmapWidth * RGBA_BYTES;
    this.#crop = crop;
    this.#rowsPerStrip = Math.max(1, Math.floor(STRIP_BYTES / this.#stride));
  }

  next(): Promise<Uint8Array | null> {
    if (this.#y === this.height) return Promise.resolve(null);
    const rows = Math.min(this.#rowsPerStrip, this.height - this.#y);
    const pointer = this.#bitmap.pointer + (this.#crop.top + this.#y) * this.#stride;
    const strip = this.#arena.bytes({ pointer, length: rows * this.#stride });
    this.#y += rows;
    return Promise.resolve(this.layout === "rgb" ? this.#packRgb(strip, rows) : this.#packRgba(strip, rows));
  }

  #packRgb(strip: Uint8Array, rows: number): Uint8Array {
    let to = 0;
    for (let row = 0; row < rows; row++) {
      let from = row * this.#stride + this.#crop.left * RGBA_BYTES;
      for (const end = from + this.width * RGBA_BYTES; from < end; from += RGBA_BYTES) {
        strip[to++] = strip[from] as number;
        strip[to++] = strip[from + 1] as number;
        strip[to++] = strip[from + 2] as number;
      }
    }
    return strip.subarray(0, to);
  }

  #packRgba(strip: Uint8Array, rows: number): Uint8Array {
    const rowBytes = this.width * RGBA_BYTES;
    if (rowBytes === this.#stride) return strip;
    for (let row = 0; row < rows; row++) {
      const from = row * this.#stride + this.#crop.left * RGBA_BYTES;
      strip.copyWithin(row * rowBytes, from, from + rowBytes);
    }
    return strip.subarray(0, rows * rowBytes);
  }
}
