/**
 * One still.
 *
 *     master -> decode -> resample -> sRGB -> canvas, upright -> encode
 *
 * Where the decoder gives rows upright, they go straight through, without a canvas.
 */
import type { PlaceholderPlan, StillPlan } from "../image/plan/build-plan.ts";
import { encodeWith } from "./codecs/encoders.ts";
import { MasterColour } from "./colour/master-colour.ts";
import { decodeMaster } from "./decode-master.ts";
import { atStage, BuildError } from "./failures/build-error.ts";
import { flatten } from "./pixels/flatten.ts";
import { uprightRows } from "./pixels/orient-rows.ts";
import { resampleRows } from "./pixels/resampler.ts";
import type { RowSource } from "./pixels/row-source.ts";
import { type BuildContext, withStream, workspaceOf } from "./streams/build-context.ts";
import type { Parts } from "./streams/parts.ts";

type Context = BuildContext<StillPlan>;

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
    return yield* encodeWith(context, await upright(context, rows), encoder);
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

/** The rows, turned between two planes of the arena where they are not upright. */
async function upright({ memory, work, plan }: Context, rows: RowSource): Promise<RowSource> {
  const { canvas, orientation } = plan;
  const isHalved = canvas.kind === "planes-420";
  const turned =
    canvas.kind === "none" ? rows : await uprightRows(memory.arena, rows, orientation, isHalved, work);
  memory.countArena();
  return turned;
}
