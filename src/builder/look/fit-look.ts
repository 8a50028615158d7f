/**
 * Fits an encoder's quantiser to a picture, so that it has the look that its quality promises. The picture, or parts of
 * a large one, is encoded with the usual quantiser, decoded and compared; the quantiser is corrected by the score, and
 * tried once more if it was far off.
 *
 * Trials use memories that lie idle once the picture is held: the encoder's own for the encoder and then for the
 * comparison, and the arena below the canvas for the decoder.
 */
import { decodingOf } from "../../image/formats/decodings.ts";
import { fittingOf, type StillEncoderPlan } from "../../image/formats/encodings.ts";
import type { MasterFacts } from "../../image/model/facts.ts";
import type { StillPlan } from "../../image/plan/build-plan.ts";
import type { LookPlan } from "../../image/plan/plan-look.ts";
import { BuildError } from "../failures/build-error.ts";
import { decodeWith } from "../codecs/decoders.ts";
import { encodeTrial } from "../codecs/trials.ts";
import type { Reread } from "../pixels/orient-rows.ts";
import type { RowSource } from "../pixels/row-source.ts";
import { sampledRows } from "../pixels/sampled-rows.ts";
import { type BuildContext, workspaceOf } from "../streams/build-context.ts";
import { streamOf } from "../streams/stream-of.ts";
import { FactorSearch } from "./factor-search.ts";
import { ssimulacra2 } from "./ssimulacra2.ts";

type Context = BuildContext<StillPlan>;
type Bytes = Uint8Array<ArrayBuffer>;

/** Returns the plan of the encoder with the quantiser that the picture needs. @param open reads the picture anew */
export async function fitLook(context: Context, look: LookPlan, open: Reread): Promise<StillEncoderPlan> {
  const { encoder } = context.plan;
  const fitting = fittingOf(encoder.name);
  if (!fitting) return encoder;
  const search = new FactorSearch(look.promised, fitting.power);
  const sample = (): RowSource => sampledRows(open(), look.parts);
  while (!search.isDone) {
    const score = await tryOut(context, look, sample, fitting.scaled(encoder, search.factor));
    if (score === null) break;
    search.tell(score);
  }
  return fitting.scaled(encoder, search.factor);
}

/** Encodes the sample and returns its score; null if the file needs more memory to be read again than was planned. */
async function tryOut(
  context: Context,
  look: LookPlan,
  sample: Reread,
  encoder: StillEncoderPlan,
): Promise<number | null> {
  const { memory } = context;
  const held = memory.meter.hold("output");
  const file = await encodeTrial(workspaceOf(context, "rowCodec"), sample(), encoder);
  memory.rowCodec.wipe();
  held.set(file.reduce((sum, { length }) => sum + length, 0));
  try {
    const rows = await decoded(context, look, file);
    if (!rows) return null;
    const score = await ssimulacra2(workspaceOf(context, "rowCodec"), sample(), rows);
    memory.countArena();
    return score;
  } catch (error) {
    if (error instanceof BuildError && error.failure === "out-of-memory") return null;
    throw error;
  } finally {
    memory.rowCodec.wipe();
    held.set(0);
  }
}

async function decoded(
  context: Context,
  { facts, decoder, size }: LookPlan,
  file: readonly Bytes[],
): Promise<RowSource | null> {
  const { arena } = context.memory;
  const byteLength = file.reduce((sum, { length }) => sum + length, 0);
  const own = withProcess(facts, file);
  const room = context.plan.canvas.floorBytes;
  if (decodingOf(own).decode(own, byteLength, size, room).arena > room) return null;
  const source = { stream: streamOf(...file), byteLength, readAgain: undefined };
  // The decoder has the room below the canvas.
  const canvasBytes = arena.roomBeside(0) - room;
  return decodeWith({ ...context, facts: own, source }, decoder, { to: size, canvasBytes, crop: null });
}

const SOF0 = 0xc0;

/** Returns the facts of a JPEG that turned sequential, because its tokens did not fit their room. */
function withProcess(facts: MasterFacts, [head]: readonly Bytes[]): MasterFacts {
  if (facts.format !== "jpeg" || !head) return facts;
  const isSequential = head.some((byte, i) => byte === 0xff && head[i + 1] === SOF0);
  return isSequential ? { ...facts, process: "baseline", scans: 1 } : facts;
}
