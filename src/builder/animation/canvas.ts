/** The canvas that frames are drawn on, at the master's size, with each frame's disposal. */
import type { Span } from "../emscripten/emscripten.ts";
import type { FrameHead } from "./animation.ts";
import { blendOver } from "./blend.ts";
import type { Stage } from "./frame-buffers.ts";
import type { Rect } from "../../image/geometry/size.ts";

export class FrameCanvas {
  readonly width: number;
  readonly height: number;
  readonly #stage: Stage;
  readonly #span: Span;
  /** The canvas from before a frame that will be removed again; null where the format has no such frames. */
  readonly #backup: Span | null;
  #disposing: FrameHead | null = null;

  constructor(stage: Stage, size: { width: number; height: number }, canRestore: boolean) {
    this.width = size.width;
    this.height = size.height;
    this.#stage = stage;
    const bytes = size.width * size.height * 4;
    this.#span = stage.reserve(bytes);
    this.#backup = canRestore ? stage.reserve(bytes) : null;
  }

  /** The whole canvas as it is now. */
  get pixels(): Uint32Array<ArrayBuffer> {
    return this.#stage.pixels(this.#span);
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#stage.bytes(this.#span);
  }

  /** Disposes of the last frame and prepares for `frame`, which may extend beyond the canvas. */
  begin(frame: FrameHead): void {
    const last = this.#disposing;
    if (last?.disposal === "clear") this.#clear(this.#clipped(last));
    if (last?.disposal === "restore" && this.#backup)
      this.#copy(this.#backup, this.#span, this.#clipped(last));
    if (frame.disposal === "restore" && this.#backup) {
      this.#copy(this.#span, this.#backup, this.#clipped(frame));
    }
    this.#disposing = { ...frame };
  }

  /** Copies a row of pixels to the canvas at (left, y). Pixels outside the canvas are dropped. */
  replaceRow(row: Uint32Array, left: number, y: number): void {
    if (y >= this.height || left >= this.width) return;
    this.pixels.set(row.subarray(0, this.width - left), y * this.width + left);
  }

  /** Blends a row of pixels with straight alpha over the canvas. */
  blendRow(row: Uint32Array, left: number, y: number): void {
    if (y >= this.height || left >= this.width) return;
    const at = y * this.width + left;
    const count = Math.min(row.length, this.width - left);
    blendOver(this.pixels.subarray(at, at + count), row);
  }

  #clipped({ left, top, width, height }: Rect): Rect {
    const [x, y] = [Math.min(left, this.width), Math.min(top, this.height)];
    return {
      left: x,
      top: y,
      width: Math.min(width, this.width - x),
      height: Math.min(height, this.height - y),
    };
  }

  #clear({ left, top, width, height }: Rect): void {
    const { pixels } = this;
    for (let y = top; y < top + height; y++) {
      pixels.fill(0, y * this.width + left, y * this.width + left + width);
    }
  }

  #copy(from: Span, to: Span, { left, top, width, height }: Rect): void {
    const [source, target] = [this.#stage.pixels(from), this.#stage.pixels(to)];
    for (let y = top; y < top + height; y++) {
      const at = y * this.width + left;
      target.set(source.subarray(at, at + width), at);
    }
  }
}
