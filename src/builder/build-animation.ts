/**
 * One animation: frames are read on to a canvas of the master's size, resized as they are then shown, and written
 * as what changed.
 *
 *     master -> canvas (blended, disposed) -> resample -> sRGB, upright, on its background -> differences -> encode,
 *     frame by frame
 */
import type { AnimationPlan, FrameReaderPlan } from "../image/plan/build-plan.ts";
import { atDecoding } from "./failures/build-error.ts";
import { rowsPerBatch } from "../image/memory/rows.ts";
import type { Rect } from "../image/geometry/size.ts";
import { type Colour, samplesOfColour, WHITE } from "../image/model/colour.ts";
import { MasterColour } from "./colour/master-colour.ts";
import { uprightPath } from "../image/model/orientation.ts";
import { flattenRgba } from "./pixels/flatten.ts";
import { resampleRows } from "./pixels/resampler.ts";
import type { RowSource } from "./pixels/row-source.ts";
import { type BuildContext, withStream, workspaceOf } from "./streams/build-context.ts";
import { AnimationError, type AnimationReader } from "./animation/animation.ts";
import { FrameCanvas } from "./animation/canvas.ts";
import { factsOf } from "./codecs/codec.ts";
import { openGifStill } from "./codecs/gif/still.ts";
import { Stage } from "./animation/frame-buffers.ts";
import { FRAME_READERS } from "./codecs/decoders.ts";
import { openWriter } from "./codecs/encoders.ts";
import type { Part, Parts } from "./streams/parts.ts";

const PIXEL_BYTES = 4;

/**
 * Yields the file in parts, and with the last one the number of its frames. All frames are in it, or there is none.
 * @throws Error when the master is damaged, not what its facts say it is, or does not fit
 */
export async function* buildAnimation(
  context: BuildContext<AnimationPlan>,
): Parts<Part & { frames: number }> {
  const { memory, plan } = context;
  const stage = new Stage(memory.arena);
  const { reader } = plan;
  const drawn =
    reader.name === "gif-still"
      ? null
      : { reader, canvas: new FrameCanvas(stage, reader.size, reader.keepsBefore) };
  const current = stage.reserve(plan.size.width * plan.size.height * 4);
  const writer = openWriter(context, plan.encoder, stage, current);
  const colour = new MasterColour(context);
  const watched = withStream(context, colour.watch(context.source.stream));
  const shown = drawn ? await framesOn(drawn, watched, stage) : await soleFrame(watched, stage);
  let frames = 0;
  const painted = async function* (): AsyncGenerator<number> {
    for (let frame = await shown.next(); frame; frame = await shown.next(), frames++) {
      const sized =
        plan.resampling.by === "resampler"
          ? resampleRows(workspaceOf(context, "resampler"), frame.rows, plan.resampling.to)
          : frame.rows;
      await paint(stage.pixels(current), grounded(plan, colour.converted(sized)), plan);
      memory.resampler.wipe();
      memory.countArena();
      yield frame.delayMs;
      memory.countArena();
      memory.demandRoom();
    }
    if (frames === 0) throw new AnimationError("The animation has no frames");
    if (plan.frames !== null && plan.frames !== frames) {
      throw new AnimationError(`The animation has ${frames} frames, not ${plan.frames} as was probed`);
    }
  };
  const last = yield* writer.write(painted(), () => shown.plays());
  return { ...last, frames };
}

/** The frames of a master, each in rows as it is shown. */
interface ShownFrames {
  next(): Promise<{ delayMs: number; rows: RowSource } | null>;
  /** As `AnimationReader.plays`. */
  plays(): number;
}

/** Opens the frames of a master, which are drawn on a canvas. */
async function framesOn(
  drawn: { reader: FrameReaderPlan; canvas: FrameCanvas },
  context: BuildContext<AnimationPlan>,
  stage: Stage,
): Promise<ShownFrames> {
  const { plan } = context;
  const { canvas } = drawn;
  const reader = await openReader(context, drawn.reader, stage, canvas);
  const isChanged = plan.colour.profile !== "none" || plan.colour.isFlattened;
  return {
    plays: () => reader.plays,
    async next() {
      const frame = await nextFrame(reader);
      return frame && { ...frame, rows: rowsOf(canvas, isChanged, plan.crop) };
    },
  };
}

async function nextFrame(reader: AnimationReader): Promise<{ delayMs: number } | null> {
  try {
    return await reader.next();
  } catch (error) {
    throw atDecoding(error);
  }
}

/** Opens the frame of a GIF that has one. */
async function soleFrame(context: BuildContext<AnimationPlan>, stage: Stage): Promise<ShownFrames> {
  const { memory, plan } = context;
  const facts = factsOf(context, "gif");
  memory.meter.hold("buffers").set(plan.reader.bufferBytes);
  const still = await openGifStill(context, facts, stage, plan.crop ?? null, true).catch((error: unknown) => {
    throw atDecoding(error);
  });
  let frame: { delayMs: number; rows: RowSource } | null = still;
  return {
    plays: () => still.plays(),
    next() {
      const next = frame;
      frame = null;
      return Promise.resolve(next);
    },
  };
}

/** Opens the frames of the master with the reader that the plan names. */
export function openReader(
  context: BuildContext,
  { name, bufferBytes }: FrameReaderPlan,
  stage: Stage,
  canvas: FrameCanvas,
): AnimationReader | Promise<AnimationReader> {
  context.memory.meter.hold("buffers").set(bufferBytes);
  return FRAME_READERS[name](context, stage, canvas);
}

/**
 * Returns the canvas in rows, or a part of it; in copies where pixels are changed, which is done in place, and where rows
 * are cut: the next frame needs the canvas as it is.
 */
export function rowsOf(canvas: FrameCanvas, isCopied: boolean, crop?: Rect | null): RowSource {
  const rowBytes = canvas.width * PIXEL_BYTES;
  const { left, top, width, height } = crop ?? {
    left: 0,
    top: 0,
    width: canvas.width,
    height: canvas.height,
  };
  const batch = rowsPerBatch(width * PIXEL_BYTES, height);
  const cut = width === canvas.width ? null : new Uint8Array(batch * width * PIXEL_BYTES);
  let y = 0;
  return {
    width,
    height,
    layout: "rgba",
    next() {
      const from = y;
      y = Math.min(height, y + batch);
      if (from === y) return Promise.resolve(null);
      const rows = canvas.bytes.subarray((top + from) * rowBytes, (top + y) * rowBytes);
      if (!cut) return Promise.resolve(isCopied ? rows.slice() : rows);
      for (let row = 0; row < y - from; row++) {
        const at = row * rowBytes + left * PIXEL_BYTES;
        cut.set(rows.subarray(at, at + width * PIXEL_BYTES), row * width * PIXEL_BYTES);
      }
      return Promise.resolve(cut.subarray(0, (y - from) * width * PIXEL_BYTES));
    },
  };
}

/** Composes the rows of a frame on the background that is planned. */
const grounded = ({ colour }: AnimationPlan, rows: RowSource): RowSource =>
  colour.isFlattened ? flattenRgba(rows, colour.background ?? WHITE) : rows;

/** Lays all rows of `source`, which are RGBA, upright: at the place of the picture, if the output is larger. */
async function paint(
  pixels: Uint32Array,
  source: RowSource,
  { orientation, size, pad }: Pick<AnimationPlan, "orientation" | "size" | "pad">,
): Promise<void> {
  const { start, across, down } = uprightPath(source, orientation, size.width);
  if (pad) pixels.fill(pad.colour === null ? 0 : pixelOf(pad.colour));
  let at = start + (pad ? pad.place.top * size.width + pad.place.left : 0);
  for (let rows = await source.next(); rows; rows = await source.next()) {
    const aligned = rows.byteOffset % 4 === 0 ? rows : rows.slice();
    const line = new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.length >> 2);
    for (let from = 0; from < line.length; from += source.width, at += down) {
      if (across === 1) pixels.set(line.subarray(from, from + source.width), at);
      else for (let x = 0; x < source.width; x++) pixels[at + x * across] = line[from + x] as number;
    }
  }
}

/** Returns the opaque pixel of a colour, as its four bytes are read in the order of the machine. */
function pixelOf(colour: Colour): number {
  const [red, green, blue] = samplesOfColour(colour);
  return (0xff00_0000 | (blue << 16) | (green << 8) | red) >>> 0;
}
