/** WebP and AVIF masters: decoded whole by jSquash in the arena, and handed out from there in rows. */
import type { AvifFacts, WebpFacts } from "../../image/model/facts.ts";
import type { Arena } from "../memory/arena.ts";
import type { RowSource } from "./row-source.ts";
import { readAll } from "../streams/source.ts";
import { CodecError, type Span } from "../emscripten/emscripten.ts";

const RGBA_BYTES = 4;
/** About 256 KB of a picture at a time: whoever works on the rows can give the event loop a turn between. */
const STRIP_BYTES = 262_144;
/** AVIF of 10 and 12 bits is brought to this by the decoder. */
const BITS_A_SAMPLE = 8;

/** A picture that a decoder takes, in the first `bytes` of what holds it. */
export interface Still {
  bytes: number;
  width: number;
  height: number;
}

/**
 * Reads `master`, of exactly `sourceBytes`, into the arena and decodes it there.
 * Orientation is not applied; an AVIF's clean aperture is.
 * @param unwrap may put a still in the place of the file, at its start; null when the file is one
 * @throws SourceLost when the master does not arrive
 * @throws CodecError when the codec gives no picture of the size that the header stated, or does not fit
 */
export async function decodeInArena(
  arena: Arena,
  master: ReadableStream<Uint8Array>,
  sourceBytes: number,
  facts: WebpFacts | AvifFacts,
  unwrap: (file: Uint8Array) => Still | null = () => null,
): Promise<RowSource> {
  const codec = arena.start(`${facts.format}-decoder`);
  const file = codec.malloc(sourceBytes);
  await readAll(master, (chunk, offset) => codec.bytes(file).set(chunk, offset));
  const { codedWidth, codedHeight } = facts;
  const still = unwrap(codec.bytes(file)) ?? { bytes: sourceBytes, width: codedWidth, height: codedHeight };
  const { width, height } = still;
  const input = { pointer: file.pointer, length: still.bytes };
  const pixels =
    facts.format === "avif" ? codec.call("decode", input, BITS_A_SAMPLE) : codec.call("decode", input);
  if (pixels.length !== width * height * RGBA_BYTES) {
    throw new CodecError(`the picture is not ${width} x ${height} as its header says`);
  }
  const crop = (facts.format === "avif" && facts.crop) || { left: 0, top: 0, width, height };
  return new BitmapRows(arena, pixels, width, crop, facts.hasAlpha);
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
