/** Decodes the images of a GIF to indices. */
import type { WorkMeter } from "../../scheduling/work-meter.ts";
import { AnimationError } from "../../animation/animation.ts";
import { GifBlocks, type GifImage, type GifScreen, readScreen, skipSubBlocks } from "./blocks.ts";
import { LzwDecoder } from "./lzw-decoder.ts";
import { ParsedStream } from "../../streams/parsed-stream.ts";

/** Work units per index. */
const INDEX_WORK = 12;

/** Receives indices of image row `y`, from column `x` on. */
export type RowSink = (indices: Uint8Array, x: number, y: number) => void;

export class GifFrames {
  readonly screen: GifScreen;
  readonly #stream: ParsedStream;
  readonly #blocks: GifBlocks;
  readonly #meter: WorkMeter;
  readonly #lzw = new LzwDecoder();

  private constructor(stream: ParsedStream, screen: GifScreen, work: WorkMeter) {
    this.screen = screen;
    this.#stream = stream;
    this.#blocks = new GifBlocks(stream.feed, screen);
    this.#meter = work;
  }

  /** Reads the screen descriptor. @throws AnimationError | InvalidImageError, as all methods do */
  static async open(master: ReadableStream<Uint8Array>, work: WorkMeter): Promise<GifFrames> {
    const stream = new ParsedStream(master);
    return new GifFrames(stream, await stream.run(readScreen(stream.feed)), work);
  }

  get plays(): number {
    return this.#blocks.plays;
  }

  next(): Promise<GifImage | null> {
    return this.#stream.run(this.#blocks.next());
  }

  /** Decodes the data of `image`, which `next` has just returned, and hands them to `sink` as they come. */
  async read(image: GifImage, sink: RowSink): Promise<void> {
    const place = placing(image, sink);
    for await (const piece of this.pieces(image)) place(piece);
  }

  /**
   * Yields the indices of `image`, which `next` has just returned, in pieces. A piece is valid until the next one is
   * asked for. An image with missing indices is damaged, even if most of it could be shown.
   */
  async *pieces(image: GifImage): AsyncGenerator<Uint8Array, void, undefined> {
    const { feed } = this.#stream;
    this.#lzw.start(image.rootBits, image.width * image.height);
    for (;;) {
      const size = await this.#stream.run(feed.byte("GIF image data"));
      if (size === 0) break;
      if (this.#lzw.ended) {
        await this.#stream.run(feed.skip(size, "GIF image data"));
        await this.#stream.run(skipSubBlocks(feed));
        break;
      }
      const bytes = await this.#stream.run(feed.take(size, "GIF image data"));
      for (const piece of this.#lzw.pieces(bytes)) {
        yield piece;
        await this.#meter.spend(INDEX_WORK * piece.length);
      }
      await this.#meter.spend(size);
    }
    if (this.#lzw.left > 0) throw new AnimationError(`A GIF image lacks ${this.#lzw.left} of its pixels`);
  }
}

/** The rows of the four passes of an interlaced image (GIF89a appendix E). The last one has every second row. */
export const PASSES = [
  { from: 0, step: 8 },
  { from: 4, step: 8 },
  { from: 2, step: 4 },
  { from: 1, step: 2 },
] as const;

/** Splits the decoder's output into rows. */
function placing(image: GifImage, sink: RowSink): (indices: Uint8Array) => void {
  let [x, y, pass] = [0, 0, 0];
  const { width, height } = image;
  const nextRow = (): void => {
    x = 0;
    y += image.interlaced ? (PASSES[pass]?.step ?? 1) : 1;
    if (!image.interlaced) return;
    while (y >= height && pass < 3) y = PASSES[++pass]?.from ?? height;
  };
  return (indices) => {
    for (let at = 0; at < indices.length;) {
      const count = Math.min(width - x, indices.length - at);
      sink(indices.subarray(at, at + count), x, y);
      at += count;
      x += count;
      if (x === width) nextRow();
    }
  };
}
