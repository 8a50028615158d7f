/** Decodes a GIF of one frame as a still. */
import type { GifFacts } from "../../../image/model/facts.ts";
import { rowsPerBatch } from "../../../image/memory/rows.ts";
import type { Rect } from "../../../image/geometry/size.ts";
import type { Span } from "../../emscripten/emscripten.ts";
import type { RowSource } from "../../pixels/row-source.ts";
import type { BuildContext } from "../../streams/build-context.ts";
import { AnimationError, FrameLimits } from "../../animation/animation.ts";
import type { GifImage } from "./blocks.ts";
import { GifFrames } from "./frames.ts";
import { Stage } from "../../animation/frame-buffers.ts";

/**
 * Decodes the picture in rows. The whole file is read first, and the indices are held in the arena, one byte per pixel.
 * @param crop the rectangle of the canvas to hand out, whose rows alone are held; null for all of it
 * @throws AnimationError when it has more than one frame (RULES 6.3), or is damaged
 */
export async function decodeGif(
  context: BuildContext,
  facts: GifFacts,
  crop: Rect | null = null,
): Promise<RowSource> {
  const frames = await GifFrames.open(context.source.stream, context.work);
  const { codedWidth: width, codedHeight: height } = facts;
  // The picture is larger than the screen where the image extends beyond it.
  if (frames.screen.width > width || frames.screen.height > height) {
    throw new AnimationError("The GIF does not have the size that was probed");
  }
  const image = await frames.next();
  if (!image) throw new AnimationError("The GIF has no image");
  new FrameLimits().count(image);
  const seen = crop ?? { left: 0, top: 0, width, height };
  const first = Math.min(image.height, Math.max(0, seen.top - image.top));
  const end = Math.max(first, Math.min(image.height, seen.top + seen.height - image.top));
  const stage = new Stage(context.memory.arena);
  const span = stage.reserve(image.width * (end - first));
  const bytes = stage.bytes(span);
  await frames.read(image, (indices, x, y) => {
    if (y >= first && y < end) bytes.set(indices, (y - first) * image.width + x);
  });
  if (await frames.next()) throw new AnimationError("The GIF is an animation and would lose its frames");
  const held = { ...image, top: image.top + first, height: end - first };
  return new IndexedRows(stage, span, held, seen, facts.hasAlpha);
}

class IndexedRows implements RowSource {
  readonly width: number;
  readonly height: number;
  readonly layout: "rgb" | "rgba";
  readonly #stage: Stage;
  readonly #indices: Span;
  readonly #image: GifImage;
  readonly #seen: Rect;
  readonly #rows: Uint8Array;
  #y = 0;

  /** @param image with the rows whose `indices` are held */
  constructor(stage: Stage, indices: Span, image: GifImage, seen: Rect, hasAlpha: boolean) {
    this.width = seen.width;
    this.height = seen.height;
    this.layout = hasAlpha ? "rgba" : "rgb";
    this.#seen = seen;
    this.#stage = stage;
    this.#indices = indices;
    this.#image = image;
    const rowBytes = this.width * (hasAlpha ? 4 : 3);
    this.#rows = new Uint8Array(rowsPerBatch(rowBytes, this.height) * rowBytes);
  }

  next(): Promise<Uint8Array | null> {
    const rowBytes = this.width * (this.layout === "rgba" ? 4 : 3);
    const count = Math.min(this.#rows.length / rowBytes, this.height - this.#y);
    if (count === 0) return Promise.resolve(null);
    this.#rows.fill(0);
    for (let row = 0; row < count; row++) this.#draw(this.#seen.top + this.#y++, row * rowBytes);
    return Promise.resolve(this.#rows.subarray(0, count * rowBytes));
  }

  #draw(y: number, rowStart: number): void {
    const { left, top, width, height, palette } = this.#image;
    if (y < top || y >= top + height) return;
    const from = Math.max(0, this.#seen.left - left);
    const length = Math.min(width, this.#seen.left + this.width - left) - from;
    if (length <= 0) return;
    const pointer = this.#indices.pointer + (y - top) * width + from;
    const indices = this.#stage.bytes({ pointer, length });
    const channels = this.layout === "rgba" ? 4 : 3;
    let to = rowStart + (left + from - this.#seen.left) * channels;
    for (const index of indices) {
      const pixel = palette[index] as number;
      for (let c = 0; c < channels; c++) this.#rows[to + c] = pixel >>> (8 * c);
      to += channels;
    }
  }
}
