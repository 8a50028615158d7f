import { InvalidImageError } from "../../bytes/errors.ts";
import { Coverage, type Disposal } from "../canvas-coverage.ts";
import { u32be } from "../../bytes/numbers.ts";
import type { Size } from "../../geometry/size.ts";

/** `dispose_op` of fcTL: PNG 3rd edition section 11.3.6.2. */
const DISPOSALS: readonly Disposal[] = ["keep", "clear", "restore"];

/**
 * Checks the animation chunks of a PNG (3rd edition section 11.3.6) in the order of the file. They count only after
 * `acTL`, which must come before the first IDAT. Without it the file is a still.
 */
export class PngAnimation {
  readonly #canvas: Size;
  readonly #coverage: Coverage;
  /** `num_frames` of acTL; null without one. */
  #claimed: number | null = null;
  #frames = 0;
  /** The sequence number that the next fcTL or fdAT must have; both share one sequence. */
  #sequence = 0;
  /** Whether the default image is a frame. */
  #usesDefault = false;
  /** Whether the data of the last fcTL are still missing. */
  #waiting = false;

  constructor(canvas: Size) {
    this.#canvas = canvas;
    this.#coverage = new Coverage(canvas);
  }

  get present(): boolean {
    return this.#claimed !== null;
  }

  /** Frames of the animation; a still has 1. */
  get frames(): number {
    return this.#claimed ?? 1;
  }

  get transparent(): boolean {
    return this.present && this.#coverage.transparent;
  }

  /** Whether there is one frame, which is shown in place of the default image. */
  get hidesDefault(): boolean {
    return this.#claimed === 1 && !this.#usesDefault;
  }

  /** Reads acTL. A second one, and one that claims no frames, are ignored. */
  begin(body: Uint8Array): void {
    const frames = u32be(body, 0);
    if (frames > 0) this.#claimed ??= frames;
  }

  /** Reads fcTL. A first frame that uses the IDAT, and so comes before it, must cover the whole canvas. */
  frame(body: Uint8Array, beforeData: boolean): void {
    if (body.length !== 26) throw new InvalidImageError("PNG chunk fcTL has a wrong length");
    this.#next(body, "fcTL");
    if (this.#waiting) throw new InvalidImageError(`APNG frame ${this.#frames} has no data`);
    const rect = {
      width: u32be(body, 4),
      height: u32be(body, 8),
      left: u32be(body, 12),
      top: u32be(body, 16),
    };
    const disposal = DISPOSALS[body[24]!];
    const { width, height } = this.#canvas;
    const outside = rect.left + rect.width > width || rect.top + rect.height > height;
    const partial = rect.width !== width || rect.height !== height;
    this.#frames += 1;
    this.#usesDefault ||= beforeData;
    if (
      rect.width === 0 ||
      rect.height === 0 ||
      outside ||
      (beforeData && partial) ||
      disposal === undefined
    ) {
      throw new InvalidImageError(`APNG frame ${this.#frames} does not fit its canvas`);
    }
    this.#coverage.draw(rect, disposal);
    this.#waiting = true;
  }

  /** Notes the first IDAT, which has the data of a frame if an fcTL came before it. */
  imageData(): void {
    this.#waiting = false;
  }

  /** Reads the first four bytes of fdAT. */
  frameData(head: Uint8Array): void {
    this.#next(head, "fdAT");
    if (this.#frames === 0) throw new InvalidImageError("APNG has frame data before its first frame");
    this.#waiting = false;
  }

  finish(): void {
    if (!this.present) return;
    if (this.#waiting) throw new InvalidImageError(`APNG frame ${this.#frames} has no data`);
    if (this.#frames !== this.#claimed) {
      throw new InvalidImageError(`APNG claims ${this.#claimed} frames and has ${this.#frames}`);
    }
  }

  #next(body: Uint8Array, type: string): void {
    const number = u32be(body, 0);
    if (number !== this.#sequence) {
      throw new InvalidImageError(
        `APNG chunk ${type} has number ${number} where ${this.#sequence} comes next`,
      );
    }
    this.#sequence += 1;
  }
}
