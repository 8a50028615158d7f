/**
 * Media that were stored before frames were counted (interface §4.2 rule 11): their file is looked at while it is
 * decoded, and a variant that would lose frames is not given out.
 */
import type { BuildOrder } from "../image/protocol/build.ts";
import { createProbe, type Probe } from "../image/formats/probe.ts";
import type { Part, Parts } from "./streams/parts.ts";
import { AnimationError } from "./animation/animation.ts";

/**
 * What `work` makes of `master`, for which it gets a stream of the same bytes.
 * @throws AnimationError instead of the last part, when the file turns out to have frames that the variant does not keep
 */
export async function* guardFrames(
  { facts, spec }: BuildOrder,
  master: ReadableStream<Uint8Array>,
  work: (master: ReadableStream<Uint8Array>) => Parts,
): Parts {
  const keepsAll = spec.animated || spec.format === "gif";
  if (facts.frames !== null || keepsAll) return yield* work(master);
  const probe = createProbe();
  const reader = master.getReader();
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
    outcome = { last: yield* work(watched) };
  } catch (error) {
    outcome = { error };
  }
  // Some decoders do not read to the end, and some fail on an animation: either way its frames are the reason.
  while (await nextOf(reader, probe));
  const { animated, frames } = probe.finish();
  if (animated) throw new AnimationError(`The file has ${frames ?? "several"} frames, which would be lost`);
  if ("error" in outcome) throw outcome.error;
  return outcome.last;
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
