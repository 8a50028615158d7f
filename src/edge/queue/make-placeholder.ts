/** One try at one placeholder: the next master of a space to a room of the builder, its answer to the master's row. */
import { buildRoom, type Env } from "../config.ts";
import type { MasterFacts } from "../../image/model/facts.ts";
import { isPlaceholder, type Placeholder, planPlaceholder } from "../../image/plan/plan-placeholder.ts";
import { masterKey } from "../../image/model/variant.ts";
import { PLACEHOLDER } from "../../limits.ts";
import { type BareMaster, claimBareMaster, settlePlaceholder, uncountTry } from "../storage/placeholders.ts";
import { aborted, answers, handOver, rangesOf } from "./stream-master.ts";
import { ROOMS } from "./leases.ts";
import { logPlaceholder } from "./log.ts";

/** The reason of an abort that is not the master's doing. */
export const GAVE_WAY = "gave way";

export type PlaceholderOutcome =
  | { state: "made"; placeholder: Placeholder; peakBytes: number }
  /** There cannot be one; it is not tried again. */
  | { state: "failed"; reason: string }
  /** Nothing was learned of the master. The try does not count. */
  | { state: "busy"; reason: string }
  /** The builder was lost, or the file on its way to it. The try counts: it may have been the master's doing. */
  | { state: "lost"; reason: string };

/**
 * Null when no master of the space is without a placeholder.
 * @throws what D1 throws
 */
export async function makePlaceholder(
  env: Env,
  spaceId: string,
  signal: AbortSignal,
): Promise<PlaceholderOutcome | null> {
  const master = await claimBareMaster(env.DB, spaceId);
  if (!master) return null;
  const outcome = await Promise.race([attempt(env, master, signal), aborted(signal)]).catch(
    (error: unknown): PlaceholderOutcome =>
      signal.reason === GAVE_WAY
        ? { state: "busy", reason: "something else was asked for" }
        : { state: "lost", reason: String(error) },
  );
  logPlaceholder(master, outcome);
  if (outcome.state === "made") await settlePlaceholder(env.DB, master, outcome.placeholder);
  if (outcome.state === "failed") await settlePlaceholder(env.DB, master, null);
  if (outcome.state === "busy") await uncountTry(env.DB, master);
  return outcome;
}

async function attempt(env: Env, master: BareMaster, signal: AbortSignal): Promise<PlaceholderOutcome> {
  if (master.tries > PLACEHOLDER.triesMax) return { state: "failed", reason: "every try was lost" };
  const plan = planPlaceholder(JSON.parse(master.facts) as MasterFacts, master.sizeBytes);
  if (!plan.ok) return { state: "failed", reason: plan.reason };
  signal.throwIfAborted();
  // From the last room on: a visitor's build begins with the first, which may be in another isolate.
  const room = buildRoom(env, master.spaceId, ROOMS - 1 - ((master.tries - 1) % ROOMS));
  // A builder that is down must not cost the master its tries: nobody is in a hurry.
  if (!(await answers(room))) return { state: "busy", reason: "the builder does not answer" };
  // Nor one whose file cannot be read now.
  const file = await fileOf(env, master);
  if (typeof file === "string") return { state: "busy", reason: `the storage does not answer: ${file}` };
  if (!file) return { state: "failed", reason: "the master's file is gone" };
  if (signal.aborted) await file.body.cancel();
  signal.throwIfAborted();
  const readRange = rangesOf(env.BUCKET, masterKey(master, master.file), plan.order.facts, signal);
  const answer = await handOver(file.body as ReadableStream<Uint8Array>, signal, (body) =>
    room.placeholder(plan.order, body, readRange),
  );
  if (!answer.ok && answer.code === "busy") return { state: "busy", reason: "the builder has no room" };
  if (!answer.ok) return { state: "failed", reason: answer.reason };
  const { placeholder, peakBytes } = answer;
  if (!isPlaceholder(placeholder))
    return { state: "failed", reason: "the builder's answer is no placeholder" };
  return { state: "made", placeholder, peakBytes };
}

/** Null when it is gone; why not, when the storage does not answer. */
async function fileOf(env: Env, master: BareMaster): Promise<R2ObjectBody | string | null> {
  try {
    return await env.BUCKET.get(masterKey(master, master.file));
  } catch (error) {
    return String(error);
  }
}
