/** The context that all parts of one build share. */
import type { Face } from "../../image/formats/svg/css/font-faces.ts";
import type { MasterFacts } from "../../image/model/facts.ts";
import type { BuildPlan, PlaceholderPlan } from "../../image/plan/build-plan.ts";
import type { BuildMemory } from "../memory/build-memory.ts";
import type { RowWorkspace } from "../scheduling/row-workspace.ts";
import type { WorkMeter } from "../scheduling/work-meter.ts";
import type { Source } from "./source.ts";

/** The master's bytes, once as a stream, and where the edge allows it parts of them again. */
export type MasterInput = Pick<Source, "stream" | "readAgain" | "byteLength">;

/** Reads the file of a face of the font. @throws Error when it does not arrive */
export type ReadFont = (face: Face) => Promise<Uint8Array>;

export interface BuildContext<Plan extends BuildPlan | PlaceholderPlan = BuildPlan | PlaceholderPlan> {
  readonly plan: Plan;
  /** The facts that the decoders check the file against. */
  readonly facts: MasterFacts;
  readonly source: MasterInput;
  /** For drawings with text. */
  readonly readFont: ReadFont;
  /** This build's alone until it ends, and all zeros when it begins. */
  readonly memory: BuildMemory;
  /** Yields to the event loop. It throws when the build is not wanted any more. */
  readonly work: WorkMeter;
}

/** Returns the build with `stream` in the place of the master's, for a caller that inspects the bytes as they pass. */
export const withStream = <Context extends BuildContext>(
  context: Context,
  stream: ReadableStream<Uint8Array>,
): Context => ({ ...context, source: { ...context.source, stream } });

/** Returns the workspace of the resampler, or of a row codec that works beside the arena. */
export const workspaceOf = (
  { memory, work }: BuildContext,
  part: "resampler" | "rowCodec",
): RowWorkspace => ({
  memory: memory[part].memory,
  work,
  counted: (bytes) => memory.meter.raise(part, bytes),
});

/** Returns the workspace of a row decoder that works in the arena. It says with `Arena.lent` how much it took. */
export const arenaWorkspace = ({ memory, work }: BuildContext): RowWorkspace => ({
  memory: memory.arena.lend(),
  work,
});
