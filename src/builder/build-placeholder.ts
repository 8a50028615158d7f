/**
 * One placeholder: the master's bytes come in, some thirty characters go out, and a focal point that was worked out of
 * the same small picture.
 *
 *     master -> decode -> resample -> sRGB -> small picture, upright -> hash, colour, focal point
 *
 * The way there is that of a build, so that a placeholder looks like what takes its place.
 */
import type { FrameReaderPlan, PlaceholderPlan } from "../image/plan/build-plan.ts";
import type { FocalPoint } from "../image/geometry/focal-point.ts";
import type { Placeholder } from "../image/protocol/placeholder.ts";
import { AnimationError } from "./animation/animation.ts";
import { FrameCanvas } from "./animation/canvas.ts";
import { Stage } from "./animation/frame-buffers.ts";
import { openReader, rowsOf } from "./build-animation.ts";
import { resampled } from "./build-still.ts";
import { MasterColour } from "./colour/master-colour.ts";
import { decodeMaster } from "./decode-master.ts";
import { atDecoding } from "./failures/build-error.ts";
import { paintRgba } from "./pixels/canvas.ts";
import type { RowSource } from "./pixels/row-source.ts";
import { dominantColour } from "./placeholder/dominant-colour.ts";
import { suggestFocalPoint } from "./placeholder/suggest-focal-point.ts";
import { thumbHash } from "./placeholder/thumb-hash.ts";
import { type BuildContext, withStream } from "./streams/build-context.ts";

type Context = BuildContext<PlaceholderPlan>;

/**
 * Makes the placeholder of `context`'s master. The memory is left empty whatever happens.
 * @throws Error when the picture cannot be decoded, or does not arrive, or the placeholder is not wanted any more
 */
export async function makePlaceholder(
  context: Context,
): Promise<{ placeholder: Placeholder; focalPoint: FocalPoint; peakBytes: number }> {
  const { memory, plan } = context;
  try {
    const rgba = await smallPicture(context);
    const hash = thumbHash({ ...plan.size, rgba });
    const placeholder = {
      thumbHash: btoa(String.fromCharCode(...hash)),
      dominantColor: dominantColour(rgba),
    };
    const focalPoint = suggestFocalPoint({ ...plan.size, rgba });
    return { placeholder, focalPoint, peakBytes: memory.meter.peakBytes };
  } finally {
    memory.clear();
  }
}

async function smallPicture(context: Context): Promise<Uint8Array> {
  const { memory, plan } = context;
  const colour = new MasterColour(context);
  const watched = withStream(context, colour.watch(context.source.stream));
  const { master, resampling, canvas } = plan;
  const rows =
    master.by === "first-frame"
      ? await firstFrame(watched, master.reader)
      : await decodeMaster(watched, {
          decoder: master.decoder,
          to: resampling.to,
          canvasBytes: canvas.bytes,
        });
  const converted = colour.converted(resampled(context, rows));
  await paintRgba(memory.arena, plan.size, converted, plan.orientation, canvas.floorBytes);
  memory.countArena();
  return memory.arena.bytes(memory.arena.canvasSpan).slice();
}

/** Returns the first frame of an animation, on its canvas, and reads no more of the file. */
async function firstFrame(context: Context, plan: FrameReaderPlan): Promise<RowSource> {
  const stage = new Stage(context.memory.arena);
  const canvas = new FrameCanvas(stage, plan.size, false);
  try {
    const reader = await openReader(context, plan, stage, canvas);
    if (!(await reader.next())) throw new AnimationError("The animation has no frames");
  } catch (error) {
    throw atDecoding(error);
  }
  context.memory.countArena();
  return rowsOf(canvas, context.plan.colour.profile !== "none");
}
