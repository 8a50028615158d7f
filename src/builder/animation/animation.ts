/** The model of an animation that all formats share: frames that are drawn one after another on one canvas. */
import { BuildError } from "../failures/build-error.ts";
import { TRANSFORM } from "../../limits.ts";
import type { Rect } from "../../image/geometry/size.ts";
import type { Parts } from "../streams/parts.ts";

/** The area of a frame before the next frame is drawn: it stays, is cleared, or is put back. */
export type Disposal = "keep" | "clear" | "restore";

export interface FrameHead extends Rect {
  disposal: Disposal;
}

/** Reads one frame after the other on to its canvas. */
export interface AnimationReader {
  /** Draws the next frame and returns how long it is shown. Null after the last frame of a sound file. */
  next(): Promise<{ delayMs: number } | null>;
  /** How often the animation is played; 0 means for ever. Final once the last frame was read. */
  readonly plays: number;
}

/** Encodes full frames into a file. */
export interface AnimationWriter {
  /**
   * The file of all `frames`. Each lies in `current` of the frame buffers once its delay, in milliseconds, is given.
   * @param plays is final after the last frame
   */
  write(frames: AsyncIterable<number>, plays: () => number): Parts;
}

/** The file is damaged, or is not what its order says. A part of an animation is never delivered as the whole. */
export class AnimationError extends BuildError {
  override readonly name = "AnimationError";

  constructor(message: string) {
    super("corrupt", "decode", message);
  }
}

/**
 * Counts frames and their pixels against the limits of RULES 9.4. Facts of old media do not have them, and a
 * frame may claim to be larger than its canvas.
 */
export class FrameLimits {
  #frames = 0;
  #pixels = 0;

  get frames(): number {
    return this.#frames;
  }

  count({ width, height }: { width: number; height: number }): void {
    this.#frames += 1;
    this.#pixels += width * height;
    if (this.#frames > TRANSFORM.sourceMaxFrames)
      throw new AnimationError("The animation has over 100 frames");
    if (this.#pixels > TRANSFORM.sourceMaxPixelsAllFrames) {
      throw new AnimationError("The animation's frames are over 80 megapixels");
    }
  }
}
