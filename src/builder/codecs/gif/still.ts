/** Decodes a GIF of one frame as a still, in rows. */
import type { GifFacts } from "../../../image/model/facts.ts";
import { rowsPerBatch } from "../../../image/memory/rows.ts";
import type { Rect } from "../../../image/geometry/size.ts";
import type { RowSource } from "../../pixels/row-source.ts";
import type { BuildContext } from "../../streams/build-context.ts";
import { AnimationError, FrameLimits } from "../../animation/animation.ts";
import { Stage } from "../../animation/frame-buffers.ts";
import type { GifImage } from "./blocks.ts";
import { GifFrames } from "./frames.ts";
import { IndexRows } from "./index-rows.ts";

/** A GIF of one frame, as it is decoded. */
export interface GifStill {
  rows: RowSource;
  delayMs: number;
  /** How often the file says that it is played. Final after the last row. */
  plays(): number;
}

/**
 * Opens the picture. Its rows are decoded as they are asked for; of an interlaced one, half of the indices are held in the
 * arena, one byte per pixel. The last rows come after the whole file was read.
 * @param crop the rectangle of the canvas to hand out; null for all of it
 * @param hasAlpha whether rows have alpha
 * @throws AnimationError when it has more than one frame (RULES 6.3), or is damaged; so does `next` of the rows
 */
export async function openGifStill(
  { source, work }: BuildContext,
  { codedWidth: width, codedHeight: height }: GifFacts,
  stage: Stage,
  crop: Rect | null,
  hasAlpha: boolean,
): Promise<GifStill> {
  const frames = await GifFrames.open(source.stream, work);
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
  const rows = new IndexedRows(new IndexRows(frames, image, stage, first, end), image, seen, hasAlpha);
  return { rows, delayMs: image.delayMs, plays: () => frames.plays };
}

/** Returns the rows of the picture, as `openGifStill` says. */
export async function decodeGif(
  context: BuildContext,
  facts: GifFacts,
  crop: Rect | null = null,
): Promise<RowSource> {
  const stage = new Stage(context.memory.arena);
  return (await openGifStill(context, facts, stage, crop, facts.hasAlpha)).rows;
}

class IndexedRows implements RowSource {
  readonly width: number;
  readonly height: number;
  readonly layout: "rgb" | "rgba";
  readonly #indices: IndexRows;
  readonly #image: GifImage;
  readonly #seen: Rect;
  readonly #rows: Uint8Array;
  #y = 0;

  constructor(indices: IndexRows, image: GifImage, seen: Rect, hasAlpha: boolean) {
    this.width = seen.width;
    this.height = seen.height;
    this.layout = hasAlpha ? "rgba" : "rgb";
    this.#seen = seen;
    this.#indices = indices;
    this.#image = image;
    const rowBytes = this.width * (hasAlpha ? 4 : 3);
    this.#rows = new Uint8Array(rowsPerBatch(rowBytes, this.height) * rowBytes);
  }

  async next(): Promise<Uint8Array | null> {
    const rowBytes = this.width * (this.layout === "rgba" ? 4 : 3);
    const count = Math.min(this.#rows.length / rowBytes, this.height - this.#y);
    if (count === 0) return null;
    this.#rows.fill(0);
    for (let row = 0; row < count; row++) await this.#draw(this.#seen.top + this.#y++, row * rowBytes);
    if (this.#y === this.height) await this.#indices.end();
    return this.#rows.subarray(0, count * rowBytes);
  }

  async #draw(y: number, rowStart: number): Promise<void> {
    const { left, top, width, height, palette } = this.#image;
    if (y < top || y >= top + height) return;
    const from = Math.max(0, this.#seen.left - left);
    const length = Math.min(width, this.#seen.left + this.width - left) - from;
    if (length <= 0) return;
    const indices = (await this.#indices.at(y - top)).subarray(from, from + length);
    const channels = this.layout === "rgba" ? 4 : 3;
    let to = rowStart + (left + from - this.#seen.left) * channels;
    for (const index of indices) {
      const pixel = palette[index] as number;
      for (let c = 0; c < channels; c++) this.#rows[to + c] = pixel >>> (8 * c);
      to += channels;
    }
  }
}
