/**
 * One still.
 *
 *     master -> decode -> resample -> sRGB -> canvas, upright -> encode
 *
 * Where the encoder takes rows and the decoder gives them upright, they go straight through, without a canvas.
 */
import type { PlaceholderPlan, StillEncoderPlan, StillPlan } from "../image/plan/build-plan.ts";
import type { RowAvifOptions } from "../image/formats/avif/encoder-options.ts";
import type { RowWebpOptions } from "../image/formats/webp/encoder-options.ts";
import { encodeAvifRows } from "./codecs/avif/row-encoder.ts";
import { encodeJpeg } from "./codecs/jpeg/encoder.ts";
import { encodePng } from "./codecs/png/encoder.ts";
import { encodeWebp } from "./codecs/webp/encoder.ts";
import { encodeLibwebp } from "./codecs/webp/libwebp.ts";
import { MasterColour } from "./colour/master-colour.ts";
import { decodeMaster } from "./decode-master.ts";
import { atStage, BuildError } from "./failures/build-error.ts";
import { canvasRows, paintRgba } from "./pixels/canvas.ts";
import { flatten } from "./pixels/flatten.ts";
import { uprightRows } from "./pixels/orient-rows.ts";
import { resampleRows } from "./pixels/resampler.ts";
import type { RowSource } from "./pixels/row-source.ts";
import { type BuildContext, withStream, workspaceOf } from "./streams/build-context.ts";
import { heldParts, inParts, type Parts } from "./streams/parts.ts";
import { CodecMemoryError } from "./emscripten/errors.ts";

type Context = BuildContext<StillPlan>;
type Pieces = Uint8Array<ArrayBuffer>[];
type Encoder<Name extends StillEncoderPlan["name"]> = Extract<StillEncoderPlan, { name: Name }>;

export async function* buildStill(context: Context): Parts {
  const { plan } = context;
  const { decoder, crop, canvas, encoder } = plan;
  const colour = new MasterColour(context);
  const watched = withStream(context, colour.watch(context.source.stream));
  const { to } = plan.resampling;
  const decoded = await decodeMaster(watched, { decoder, to, crop, canvasBytes: canvas.bytes });
  const inSrgb = colour.toSrgb(resampled(context, decoded));
  const rows = plan.colour.isFlattened ? flatten(inSrgb) : inSrgb;
  try {
    switch (encoder.name) {
      case "png-rows":
      case "jpeg-rows":
      case "webp-rows":
      case "avif-rows":
        return yield* inRows(context, await upright(context, rows), encoder);
      case "libwebp":
        return yield* heldParts(context.memory, await viaCanvas(context, rows, encoder));
    }
  } catch (error) {
    throw atStage("encode", error);
  }
}

/** The rows at the size that is planned, still as stored. @throws BuildError when they are not of the planned size */
export function resampled(context: BuildContext<StillPlan | PlaceholderPlan>, rows: RowSource): RowSource {
  const { by, to } = context.plan.resampling;
  if (by === "resampler") return resampleRows(workspaceOf(context, "resampler"), rows, to);
  if (rows.width === to.width && rows.height === to.height) return rows;
  throw new BuildError("internal", "decode", `the rows are ${rows.width} x ${rows.height}, not as planned`);
}

/** For the encoder that wants the whole picture. */
async function viaCanvas(
  context: Context,
  rows: RowSource,
  { options, inRows }: Encoder<"libwebp">,
): Promise<Pieces> {
  const { memory, plan } = context;
  await paintRgba(memory.arena, plan.size, rows, plan.orientation, plan.canvas.floorBytes);
  let file: Uint8Array;
  try {
    file = encodeLibwebp(memory.arena, plan.size, options);
  } catch (error) {
    // What libwebp takes for an alpha follows from what it shows. Rows take the same whatever that is.
    if (!(error instanceof CodecMemoryError)) throw error;
    return webpInRows(context, canvasRows(memory.arena, plan.size, "rgba"), inRows);
  }
  memory.countArena();
  return [memory.keepCopy(file)];
}

/** For encoders that take rows: turned between two planes of the arena where they are not upright. */
async function upright({ memory, work, plan }: Context, rows: RowSource): Promise<RowSource> {
  const { canvas, orientation } = plan;
  const isHalved = canvas.kind === "planes-420";
  const turned =
    canvas.kind === "none" ? rows : await uprightRows(memory.arena, rows, orientation, isHalved, work);
  memory.countArena();
  return turned;
}

async function* inRows(
  context: Context,
  rows: RowSource,
  encoder: Encoder<"png-rows" | "jpeg-rows" | "webp-rows" | "avif-rows">,
): Parts {
  if (encoder.name === "avif-rows") {
    return yield* heldParts(context.memory, await avifInRows(context, rows, encoder.options));
  }
  if (encoder.name === "webp-rows") {
    return yield* heldParts(context.memory, await webpInRows(context, rows, encoder.options));
  }
  const workspace = workspaceOf(context, "rowCodec");
  const chunks =
    encoder.name === "png-rows"
      ? encodePng(workspace, rows, encoder.effort)
      : encodeJpeg(workspace, rows, encoder.options);
  return yield* inParts(context.memory, chunks);
}

async function avifInRows(context: Context, rows: RowSource, options: RowAvifOptions): Promise<Pieces> {
  const { memory } = context;
  const keep = (output: Uint8Array): Pieces[number] => memory.keepCopy(output);
  const pieces = await encodeAvifRows(workspaceOf(context, "rowCodec"), rows, options, keep);
  memory.countArena();
  return pieces;
}

async function webpInRows(context: Context, rows: RowSource, options: RowWebpOptions): Promise<Pieces> {
  const { memory } = context;
  const keep = (output: Uint8Array): Pieces[number] => memory.keepCopy(output);
  const { chunks } = await encodeWebp(workspaceOf(context, "rowCodec"), rows, { ...options, keep });
  memory.countArena();
  return [...chunks];
}
