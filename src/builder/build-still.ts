/**
 * One still.
 *
 *     master -> decode -> resample -> sRGB -> canvas, upright -> bars beside it -> fit the look -> encode
 *
 * Where the decoder gives rows upright, and the look is not fitted, they go straight through, without a canvas.
 */
import type { PlaceholderPlan, StillPlan } from "../image/plan/build-plan.ts";
import { encodeWith } from "./codecs/encoders.ts";
import { MasterColour } from "./colour/master-colour.ts";
import { decodeMaster } from "./decode-master.ts";
import { atStage, BuildError } from "./failures/build-error.ts";
import { flatten } from "./pixels/flatten.ts";
import { fitLook } from "./look/fit-look.ts";
import { holdUpright, type Reread } from "./pixels/orient-rows.ts";
import { placeRows } from "./pixels/place-rows.ts";
import { resampleRows } from "./pixels/resampler.ts";
import type { RowSource } from "./pixels/row-source.ts";
import { type BuildContext, withStream, workspaceOf } from "./streams/build-context.ts";
import type { Parts } from "./streams/parts.ts";

type Context = BuildContext<StillPlan>;

export async function* buildStill(context: Context): Parts {
  const { plan } = context;
  const { decoder, crop, canvas, encoder, look } = plan;
  const colour = new MasterColour(context);
  const watched = withStream(context, colour.watch(context.source.stream));
  const { to } = plan.resampling;
  const decoded = await decodeMaster(watched, { decoder, to, crop, canvasBytes: canvas.bytes });
  const converted = colour.converted(resampled(context, decoded));
  const rows = plan.colour.isFlattened ? flatten(converted, plan.colour.background) : converted;
  try {
    const open = await upright(context, rows);
    const fitted = look ? await fitLook(context, look, () => padded(plan, open())) : encoder;
    return yield* encodeWith(context, padded(plan, open()), fitted);
  } catch (error) {
    throw atStage("encode", error);
  }
}

/** Returns the rows at the planned size, still as stored. */
export function resampled(context: BuildContext<StillPlan | PlaceholderPlan>, rows: RowSource): RowSource {
  const { by, to } = context.plan.resampling;
  if (by === "resampler") return resampleRows(workspaceOf(context, "resampler"), rows, to);
  if (rows.width === to.width && rows.height === to.height) return rows;
  throw new BuildError("internal", "decode", `the rows are ${rows.width} x ${rows.height}, not as planned`);
}

/** Lays the rows on the canvas that is planned. */
const padded = ({ pad, size }: StillPlan, rows: RowSource): RowSource =>
  pad ? placeRows(rows, pad.place, size, pad.colour) : rows;

/** Returns the upright rows: those that come, or as often as they are wanted from the arena if they are held there. */
async function upright({ memory, work, plan }: Context, rows: RowSource): Promise<Reread> {
  const { canvas, orientation } = plan;
  if (canvas.kind === "none") return () => rows;
  const isHalved = canvas.kind === "planes-420";
  const held = await holdUpright(memory.arena, rows, orientation, isHalved, work, canvas.floorBytes);
  memory.countArena();
  return held;
}
