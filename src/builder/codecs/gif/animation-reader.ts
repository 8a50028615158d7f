/** Reads the frames of a GIF and draws them on a canvas as browsers do. */
import type { BuildContext } from "../../streams/build-context.ts";
import { AnimationError, type AnimationReader, FrameLimits } from "../../animation/animation.ts";
import type { FrameCanvas } from "../../animation/canvas.ts";
import type { GifImage } from "./blocks.ts";
import { GifFrames } from "./frames.ts";

export class GifReader implements AnimationReader {
  readonly #frames: GifFrames;
  readonly #canvas: FrameCanvas;
  readonly #limits = new FrameLimits();

  private constructor(frames: GifFrames, canvas: FrameCanvas) {
    this.#frames = frames;
    this.#canvas = canvas;
  }

  static async open({ source, work }: BuildContext, canvas: FrameCanvas): Promise<GifReader> {
    const frames = await GifFrames.open(source.stream, work);
    const { width, height } = frames.screen;
    // The canvas is larger than the screen where the first image extends beyond it.
    if (width > canvas.width || height > canvas.height) {
      throw new AnimationError("The GIF does not have the size that was probed");
    }
    return new GifReader(frames, canvas);
  }

  get plays(): number {
    return this.#frames.plays;
  }

  async next(): Promise<{ delayMs: number } | null> {
    const image = await this.#frames.next();
    if (!image) return null;
    this.#limits.count(image);
    this.#canvas.begin(image);
    await this.#frames.read(image, drawing(this.#canvas, image));
    return { delayMs: image.delayMs };
  }
}

function drawing({ pixels, width, height }: FrameCanvas, { left, top, palette }: GifImage) {
  return (indices: Uint8Array, x: number, y: number): void => {
    if (top + y >= height) return;
    const count = Math.min(indices.length, width - left - x);
    const to = (top + y) * width + left + x;
    for (let i = 0; i < count; i++) {
      const pixel = palette[indices[i] as number] as number;
      if (pixel !== 0) pixels[to + i] = pixel;
    }
  };
}
