/**
 * One animation: frames are read on to a canvas of the master's size, resized as they are then shown, and written
 * as what changed.
 *
 *     master -> canvas (blended, disposed) -> resample -> sRGB, upright -> differences -> encode, frame by frame
 */
import { GIF_DECODER_BYTES } from "../image/plan/plan-animation.ts";
import type { BuildOrder } from "../image/protocol/build.ts";
import type { Orientation } from "../image/model/facts.ts";
import { rowsPerBatch } from "../image/memory/rows.ts";
import type { Span } from "./emscripten/emscripten.ts";
import { MasterColour } from "./colour/master-colour.ts";
import { turned, uprightPath } from "../image/model/orientation.ts";
import { resampleRows } from "./pixels/resampler.ts";
import type { RowSource } from "./pixels/row-source.ts";
import type { Turn } from "./scheduling/turn.ts";
import type { Workshop } from "./memory/build-memory.ts";
import { AnimationError, type AnimationReader, type AnimationWriter } from "./animation/animation.ts";
import { ApngReader } from "./codecs/png/apng-reader.ts";
import { FrameCanvas } from "./animation/canvas.ts";
import { GifReader } from "./codecs/gif/animation-reader.ts";
import { GifWriter } from "./codecs/gif/animation-writer.ts";
import { Stage } from "./animation/frame-buffers.ts";
import { WebpReader } from "./codecs/webp/animation-reader.ts";
import { WebpWriter } from "./codecs/webp/animation-writer.ts";

/**
 * The file, in pieces. All frames are in it, or there is none.
 * @throws Error when the master is damaged, not what `order` says it is, or does not fit
 */
export async function buildAnimation(
  shop: Workshop,
  order: BuildOrder,
  master: ReadableStream<Uint8Array>,
  turn: Turn,
): Promise<Uint8Array<ArrayBuffer>[]> {
  const { spec, facts } = order;
  const { arena, tally } = shop;
  const stage = new Stage(arena);
  const size = { width: facts.codedWidth, height: facts.codedHeight };
  const canvas = new FrameCanvas(stage, size, facts.format !== "webp");
  const current = stage.reserve(spec.width * spec.height * 4);
  const writer = openWriter(stage, order, current, shop, turn);
  const colour = new MasterColour(facts, tally, turn);
  const reader = await openReader(stage, order, colour.watch(master), canvas, shop, turn);
  const stored = turned(spec, facts.orientation);
  let frames = 0;
  for (let shown = await reader.next(); shown; shown = await reader.next(), frames++) {
    const source = rowsOf(canvas, facts.profile !== "none");
    await paint(
      stage.pixels(current),
      colour.toSrgb(
        resampleRows(shop.resampler.memory, source, stored, turn, (bytes) => {
          tally.raise("resampler", bytes);
        }),
      ),
      facts.orientation,
    );
    shop.resampler.wipe();
    shop.countArena();
    await writer.add(shown.delayMs);
    shop.countArena();
    shop.holdOutput(tally.of("output"));
  }
  if (frames === 0) throw new AnimationError("The animation has no frames");
  if (facts.frames !== null && facts.frames !== frames) {
    throw new AnimationError(`The animation has ${frames} frames, not ${facts.frames} as was probed`);
  }
  return writer.finish(reader.plays);
}

export function openReader(
  stage: Stage,
  { facts }: Pick<BuildOrder, "facts">,
  master: ReadableStream<Uint8Array>,
  canvas: FrameCanvas,
  shop: Workshop,
  turn: Turn,
): AnimationReader | Promise<AnimationReader> {
  switch (facts.format) {
    case "gif":
      shop.tally.set("reader", GIF_DECODER_BYTES);
      return GifReader.open(master, canvas, turn);
    case "webp":
      return new WebpReader(master, stage, canvas, shop.tally, turn);
    case "png":
      return new ApngReader(master, shop, canvas, facts, turn);
    default:
      throw new AnimationError(`Animations in ${facts.format} are not transformed`);
  }
}

function openWriter(
  stage: Stage,
  order: BuildOrder,
  current: Span,
  { tally }: Workshop,
  turn: Turn,
): AnimationWriter {
  const { spec } = order;
  if (spec.format === "gif") return new GifWriter(stage, order, current, tally, turn);
  if (spec.format === "webp") return new WebpWriter(stage, order, current, tally, turn);
  throw new AnimationError(`${spec.format} does not hold an animation`);
}

/** The canvas in rows; in copies where colours are converted, which is done in place: the next frame needs it as it is. */
export function rowsOf(canvas: FrameCanvas, isCopied: boolean): RowSource {
  const { width, height } = canvas;
  const batch = rowsPerBatch(width * 4, height);
  let y = 0;
  return {
    width,
    height,
    layout: "rgba",
    next() {
      const from = y;
      y = Math.min(height, y + batch);
      if (from === y) return Promise.resolve(null);
      const rows = canvas.bytes.subarray(from * width * 4, y * width * 4);
      return Promise.resolve(isCopied ? rows.slice() : rows);
    },
  };
}

/** Lays all rows of `source`, which are RGBA, upright. */
async function paint(pixels: Uint32Array, source: RowSource, orientation: Orientation): Promise<void> {
  const { start, across, down } = uprightPath(source, orientation);
  let at = start;
  for (let rows = await source.next(); rows; rows = await source.next()) {
    const aligned = rows.byteOffset % 4 === 0 ? rows : rows.slice();
    const line = new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length >> 2);
    for (let from = 0; from < line.length; from += source.width, at += down) {
      if (across === 1) pixels.set(line.subarray(from, from + source.width), at);
      else for (let x = 0; x < source.width; x++) pixels[at + x * across] = line[from + x] as number;
    }
  }
}
