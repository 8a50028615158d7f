/** WebP and AVIF masters: decoded whole by jSquash in the arena, and handed out from there in rows. */
import type { AvifFacts, WebpFacts } from "../../image/master.ts";
import type { Arena } from "../arena.ts";
import type { RowSource } from "../rows/row-source.ts";
import { readAll } from "../source.ts";
import { CodecError, type Span } from "./emscripten.ts";

const RGBA_BYTES = 4;
/** About 256 KB of a picture at a time: whoever works on the rows can give the event loop a turn between. */
const STRIP_BYTES = 262_144;
/** AVIF of 10 and 12 bits is brought to this by the decoder. */
const BITS_A_SAMPLE = 8;

/**
 * Reads `master`, of exactly `sourceBytes`, into the arena and decodes it there.
 * Orientation is not applied; an AVIF's clean aperture is.
 * @throws SourceLost when the master does not arrive
 * @throws CodecError when the codec gives no picture of the size that the header stated, or does not fit
 */
export async function decodeInArena(
  arena: Arena,
  master: ReadableStream<Uint8Array>,
  sourceBytes: number,
  facts: WebpFacts | AvifFacts,
): Promise<RowSource> {
  const codec = arena.start(`${facts.format}-decoder`);
  const file = codec.malloc(sourceBytes);
  await readAll(master, (chunk, offset) => codec.bytes(file).set(chunk, offset));
  const pixels =
    facts.format === "avif" ? codec.call("decode", file, BITS_A_SAMPLE) : codec.call("decode", file);
  const { codedWidth, codedHeight } = facts;
  if (pixels.length !== codedWidth * codedHeight * RGBA_BYTES) {
    throw new CodecError(`the picture is not ${codedWidth} x ${codedHeight} as its header says`);
  }
  const whole = { left: 0, top: 0, width: codedWidth, height: codedHeight };
  const crop = (facts.format === "avif" && facts.crop) || whole;
  return new BitmapRows(arena, pixels, codedWidth, crop, facts.hasAlpha);
}

interface Rectangle {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Rows of an RGBA bitmap in the arena; without alpha they are packed to RGB, in place. */
class BitmapRows implements RowSource {
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
