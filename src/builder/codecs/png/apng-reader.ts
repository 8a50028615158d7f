/** Draws the frames of an animated PNG on a canvas. Each frame is decoded as a still of its size. */
import type { PngFacts } from "../../../image/model/facts.ts";
import { decodePng } from "./decoder.ts";
import { type BuildContext, workspaceOf } from "../../streams/build-context.ts";
import { type AnimationReader, FrameLimits } from "../../animation/animation.ts";
import type { ApngFrame } from "./apng-chunks.ts";
import { ApngFrames } from "./apng-frames.ts";
import type { FrameCanvas } from "../../animation/canvas.ts";
import { toPixels } from "../../animation/pixels.ts";

export class ApngReader implements AnimationReader {
  readonly #frames: ApngFrames;
  readonly #context: BuildContext;
  readonly #canvas: FrameCanvas;
  readonly #facts: PngFacts;
  readonly #limits = new FrameLimits();
  /**
   * The time that rounding to milliseconds took from the delays so far. It is added to the next one, so that their sum
   * is right.
   */
  #carriedMs = 0;

  constructor(context: BuildContext, canvas: FrameCanvas, facts: PngFacts) {
    this.#frames = new ApngFrames(context.source.stream, canvas);
    this.#context = context;
    this.#canvas = canvas;
    this.#facts = facts;
  }

  get plays(): number {
    return this.#frames.plays;
  }

  /** @throws AnimationError | InvalidImageError | PngDecodeError */
  async next(): Promise<{ delayMs: number } | null> {
    const frame = await this.#frames.next();
    if (!frame) return null;
    this.#limits.count(frame);
    this.#canvas.begin(frame);
    await this.#draw(frame);
    const exact = frame.delayMs + this.#carriedMs;
    const delayMs = Math.round(exact);
    this.#carriedMs = exact - delayMs;
    return { delayMs };
  }

  async #draw(frame: ApngFrame): Promise<void> {
    this.#context.memory.rowCodec.wipe();
    const workspace = workspaceOf(this.#context, "rowCodec");
    const facts = { ...this.#facts, codedWidth: frame.width, codedHeight: frame.height };
    const rows = await decodePng(workspace, this.#frames.still(frame), facts);
    workspace.counted?.(rows.memoryBytes);
    const line = new Uint32Array(frame.width);
    const rowBytes = { gray: 1, "gray-alpha": 2, rgb: 3, rgba: 4, cmyk: 4 }[rows.layout] * frame.width;
    let y = frame.top;
    for (let batch = await rows.next(); batch; batch = await rows.next()) {
      for (let at = 0; at < batch.length; at += rowBytes, y++) {
        toPixels(batch.subarray(at, at + rowBytes), rows.layout, line);
        if (frame.isBlended) this.#canvas.blendRow(line, frame.left, y);
        else this.#canvas.replaceRow(line, frame.left, y);
      }
    }
  }
}
