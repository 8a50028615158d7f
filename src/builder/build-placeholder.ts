/**
 * One placeholder: the master's bytes come in, some thirty characters go out.
 *
 *     master -> decode -> resample -> sRGB -> small picture, upright -> hash, colour
 *
 * The way there is that of a build, so that a placeholder looks like what takes its place.
 */
import { orientationOfRows, turned } from "../image/model/orientation.ts";
import { isReadByFrame, type Placeholder, type PlaceholderOrder } from "../image/plan/plan-placeholder.ts";
import { AnimationError } from "./animation/animation.ts";
import { openReader, rowsOf } from "./build-animation.ts";
import { FrameCanvas } from "./animation/canvas.ts";
import { Stage } from "./animation/frame-buffers.ts";
import { paintRgba } from "./pixels/canvas.ts";
import { MasterColour } from "./colour/master-colour.ts";
import { decodeMaster } from "./decode-master.ts";
import { resampleRows } from "./pixels/resampler.ts";
import type { RowSource } from "./pixels/row-source.ts";
import type { Source } from "./streams/source.ts";
import type { Turn } from "./scheduling/turn.ts";
import type { Workshop } from "./memory/build-memory.ts";
import { dominantColour } from "./placeholder/dominant-colour.ts";
import { thumbHash } from "./placeholder/thumb-hash.ts";

/**
 * Makes the placeholder of the master in `shop`, which is this call's alone and empty, and left empty whatever happens.
 * @throws Error when the picture cannot be decoded, or does not arrive; and what `turn` throws
 */
export async function makePlaceholder(
  shop: Workshop,
  order: PlaceholderOrder,
  source: Pick<Source, "stream" | "readAgain">,
  turn: Turn,
): Promise<{ placeholder: Placeholder; peakBytes: number }> {
  try {
    const rgba = await smallPicture(shop, order, source, turn);
    const hash = thumbHash({ ...order.size, rgba });
    const placeholder = {
      thumbHash: btoa(String.fromCharCode(...hash)),
      dominantColor: dominantColour(rgba),
    };
    return { placeholder, peakBytes: shop.tally.peakBytes };
  } finally {
    shop.clear();
  }
}

async function smallPicture(
  shop: Workshop,
  order: PlaceholderOrder,
  { stream, readAgain }: Pick<Source, "stream" | "readAgain">,
  turn: Turn,
): Promise<Uint8Array> {
  const { facts, size } = order;
  const { arena, tally } = shop;
  const orientation = orientationOfRows(facts);
  const stored = turned(size, orientation);
  const colour = new MasterColour(facts, tally, turn);
  const watched = colour.watch(stream);
  const decoded = isReadByFrame(facts)
    ? await firstFrame(shop, order, watched, turn)
    : await decodeMaster(
        shop,
        watched,
        order,
        stored,
        { canvasBytes: size.width * size.height * 4, budgetBytes: Infinity },
        turn,
        readAgain,
      );
  const resampled = resampleRows(shop.resampler.memory, decoded, stored, turn, (bytes) => {
    tally.raise("resampler", bytes);
  });
  await paintRgba(arena, size, colour.toSrgb(resampled), orientation, 0);
  shop.countArena();
  return arena.bytes(arena.canvasSpan).slice();
}

/** The first frame of an animation, on its canvas. Of the file no more is read. */
async function firstFrame(
  shop: Workshop,
  { facts }: PlaceholderOrder,
  master: ReadableStream<Uint8Array>,
  turn: Turn,
): Promise<RowSource> {
  const stage = new Stage(shop.arena);
  const canvas = new FrameCanvas(stage, { width: facts.codedWidth, height: facts.codedHeight }, false);
  const reader = await openReader(stage, { facts }, master, canvas, shop, turn);
  if (!(await reader.next())) throw new AnimationError("The animation has no frames");
  shop.countArena();
  return rowsOf(canvas, facts.profile !== "none");
}
