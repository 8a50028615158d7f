/**
 * The rows of an image of a GIF, top to bottom, as indices. Those of an interlaced image come in four passes. The last
 * pass has every second row, so that only the others are held until then.
 */
import type { Span } from "../../emscripten/emscripten.ts";
import type { Stage } from "../../animation/frame-buffers.ts";
import { AnimationError } from "../../animation/animation.ts";
import type { GifImage } from "./blocks.ts";
import { type GifFrames, PASSES } from "./frames.ts";

const NOTHING = new Uint8Array();

export class IndexRows {
  readonly #frames: GifFrames;
  readonly #image: GifImage;
  readonly #pieces: AsyncGenerator<Uint8Array, void, undefined>;
  readonly #row: Uint8Array;
  #piece: Uint8Array = NOTHING;
  #y = 0;
  /** The even rows of an interlaced image, from `#heldFrom` to `#heldEnd`. */
  readonly #stage: Stage;
  readonly #held: Span | null;
  readonly #heldFrom: number;
  readonly #heldEnd: number;
  #isHeld = false;

  /** @param from the first row that will be asked for, and the one after the last */
  constructor(frames: GifFrames, image: GifImage, stage: Stage, from: number, end: number) {
    this.#frames = frames;
    this.#image = image;
    this.#pieces = frames.pieces(image);
    this.#row = new Uint8Array(image.width);
    this.#stage = stage;
    this.#heldFrom = from + (from & 1);
    this.#heldEnd = end;
    const count = Math.max(0, Math.ceil((end - this.#heldFrom) / 2));
    this.#held = image.interlaced ? stage.reserve(image.width * count) : null;
  }

  /** Returns row `y`, which is below the one that was asked for before. It is valid until the next one is asked for. */
  async at(y: number): Promise<Uint8Array> {
    if (this.#held) return this.#interlaced(y);
    for (; this.#y <= y; this.#y++) await this.#read(this.#row);
    return this.#row;
  }

  /** Reads the rest of the image, and the blocks after it. */
  async end(): Promise<void> {
    while (!(await this.#pieces.next()).done);
    if (await this.#frames.next()) {
      throw new AnimationError("The GIF is an animation and would lose its frames");
    }
  }

  async #interlaced(y: number): Promise<Uint8Array> {
    if (!this.#isHeld) await this.#hold();
    if (y % 2 === 0) return this.#stage.bytes(this.#spanOf(y));
    for (; this.#y <= y; this.#y += 2) await this.#read(this.#row);
    return this.#row;
  }

  #spanOf(y: number): Span {
    const { pointer } = this.#held as Span;
    const { width } = this.#image;
    return { pointer: pointer + width * ((y - this.#heldFrom) / 2), length: width };
  }

  /** Reads the passes before the last one. */
  async #hold(): Promise<void> {
    this.#isHeld = true;
    for (const { from, step } of PASSES.slice(0, -1)) {
      for (let y: number = from; y < this.#image.height; y += step) {
        const isWanted = y >= this.#heldFrom && y < this.#heldEnd;
        await this.#read(isWanted ? this.#stage.bytes(this.#spanOf(y)) : this.#row);
      }
    }
    this.#y = PASSES[3].from;
  }

  async #read(row: Uint8Array): Promise<void> {
    for (let filled = 0; filled < row.length;) {
      if (this.#piece.length === 0) {
        const next = await this.#pieces.next();
        if (next.done) throw new AnimationError("A GIF image has too few pixels");
        this.#piece = next.value;
      }
      const part = this.#piece.subarray(0, row.length - filled);
      row.set(part, filled);
      filled += part.length;
      this.#piece = this.#piece.subarray(part.length);
    }
  }
}
