/**
 * Media that were stored before frames were counted (RULES 6.3): their file is looked at while it is decoded, and a
 * still that would lose frames is not given out. The builder reports the true kind of the file, so that it is known
 * from then on.
 */
import { createProbe, type Probe } from "../image/formats/probe.ts";
import type { StillPlan } from "../image/plan/build-plan.ts";
import type { LearnedFacts } from "../image/protocol/build.ts";
import { AnimationError } from "./animation/animation.ts";
import { type BuildContext, withStream } from "./streams/build-context.ts";
import type { Part, Parts } from "./streams/parts.ts";

/** The file has frames that a still would lose. */
export class LostFramesError extends AnimationError {
  readonly learned: LearnedFacts;

  constructor(learned: LearnedFacts) {
    super(`The file has ${learned.frames ?? "several"} frames, which would be lost`);
    this.learned = learned;
  }
}

/**
 * Yields the parts that `work` makes of the master, which it gets in a stream of the same bytes.
 * @throws LostFramesError instead of the last part
 */
export async function* guardFrames(
  context: BuildContext<StillPlan>,
  work: (context: BuildContext<StillPlan>) => Parts,
): Parts<Part & { learned: LearnedFacts | null }> {
  if (context.facts.frames !== null) return { ...(yield* work(context)), learned: null };
  const probe = createProbe();
  const reader = context.source.stream.getReader();
  const watched = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const chunk = await nextOf(reader, probe);
        if (chunk) controller.enqueue(chunk);
        else controller.close();
      },
      cancel: () => undefined,
    },
    { highWaterMark: 0 },
  );
  let outcome: { last: Part } | { error: unknown };
  try {
    outcome = { last: yield* work(withStream(context, watched)) };
  } catch (error) {
    outcome = { error };
  }
  // Some decoders do not read to the end, and some fail on an animation: either way its frames are the reason.
  while (await nextOf(reader, probe));
  const { animated, frames } = probe.finish();
  if (animated) throw new LostFramesError({ animated, frames });
  if ("error" in outcome) throw outcome.error;
  return { ...outcome.last, learned: { animated, frames } };
}

async function nextOf(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  probe: Probe,
): Promise<Uint8Array | null> {
  const { done, value } = await reader.read();
  if (done) return null;
  probe.push(value);
  return value;
}
