/** One build: the master's bytes come in, the variant's bytes go out, as the plan says. */
import type { LearnedFacts } from "../image/protocol/build.ts";
import type { AnimationPlan, BuildPlan, StillPlan } from "../image/plan/build-plan.ts";
import { buildAnimation } from "./build-animation.ts";
import { buildStill } from "./build-still.ts";
import { guardFrames } from "./frame-guard.ts";
import type { BuildContext } from "./streams/build-context.ts";
import type { Part, Parts } from "./streams/parts.ts";

/** The end of a build: the last of the file, which may be all of it. */
export interface Built extends Part {
  peakBytes: number;
  /** The most that a colour profile and its tables took. */
  colourBytes: number;
  /** The facts about the master that the probe did not know. */
  learned: LearnedFacts | null;
}

/**
 * Builds what the plan of `context` says. The memory is left empty whatever happens, also when the generator is
 * returned from. Between two parts nothing is computed.
 * @throws Error when the picture cannot be built; SourceLost, or with `source.lost` set, when it did not arrive
 */
export async function* buildVariant(context: BuildContext<BuildPlan>): Parts<Built> {
  const { meter } = context.memory;
  context.memory.begin(context.plan.memory);
  try {
    const last = isStill(context) ? yield* guardFrames(context, buildStill) : yield* animationOf(context);
    return { ...last, peakBytes: meter.peakBytes, colourBytes: meter.mostOf("colour") };
  } finally {
    context.memory.clear();
  }
}

const isStill = (context: BuildContext<BuildPlan>): context is BuildContext<StillPlan> =>
  context.plan.kind === "still";

async function* animationOf(
  context: BuildContext<BuildPlan>,
): Parts<Part & { learned: LearnedFacts | null }> {
  const { frames, ...last } = yield* buildAnimation(context as BuildContext<AnimationPlan>);
  const learned = context.facts.frames === null ? { frames, animated: frames > 1 } : null;
  return { ...last, learned };
}
