/** One try at one placeholder: it sends the next master of a space to a room of the builder, and stores the answer. */
import { buildRoom, type Env } from "../../config.ts";
import type { MasterFacts } from "../../../image/model/facts.ts";
import { planPlaceholder } from "../../../image/plan/plan-placeholder.ts";
import { placeholderOrderFor } from "../../../image/protocol/order.ts";
import { isDescription } from "../../../image/protocol/placeholder.ts";
import { masterKey } from "../../../image/model/variant.ts";
import { PLACEHOLDER, QUEUE } from "../../../limits.ts";
import {
  type BareMaster,
  claimBareMaster,
  settlePlaceholder,
  uncountTry,
} from "../../storage/pictures/placeholders.ts";
import { d1OfSpace } from "../../shards/where.ts";
import { aborted, answers, callsFor } from "./master-calls.ts";
import { logPlaceholder } from "../log.ts";
import type { PlaceholderOutcome } from "./outcome.ts";
import { reportPlaceholder } from "../report.ts";

/** The reason of an abort that does not count as a try. */
export const GAVE_WAY = "gave way";

export interface PlaceholderTry {
  spaceId: string;
  signal: AbortSignal;
  /** Whether placeholders of the space have given way for so long that this one does not. */
  isOverdue: boolean;
}

/**
 * Makes the next placeholder of a space. Null when every master has one.
 * @throws what D1 throws
 */
export async function makePlaceholder(
  env: Env,
  { spaceId, signal, isOverdue }: PlaceholderTry,
): Promise<PlaceholderOutcome | null> {
  const d1 = await d1OfSpace(env, spaceId);
  const master = await claimBareMaster(d1, spaceId);
  if (!master) return null;
  const outcome = await Promise.race([attempt(env, { master, isOverdue }, signal), aborted(signal)]).catch(
    (error: unknown): PlaceholderOutcome =>
      signal.reason === GAVE_WAY
        ? { state: "busy", reason: "something else was asked for" }
        : { state: "lost", reason: String(error) },
  );
  logPlaceholder(master, outcome);
  reportPlaceholder(env, outcome);
  if (outcome.state === "made") await settlePlaceholder(d1, master, outcome, Date.now());
  if (outcome.state === "failed") await settlePlaceholder(d1, master, null, Date.now());
  if (outcome.state === "busy") await uncountTry(d1, master);
  return outcome;
}

async function attempt(
  env: Env,
  { master, isOverdue }: { master: BareMaster; isOverdue: boolean },
  signal: AbortSignal,
): Promise<PlaceholderOutcome> {
  if (master.tries > PLACEHOLDER.triesMax) return { state: "failed", reason: "every try was lost" };
  const facts = JSON.parse(master.facts) as MasterFacts;
  const plan = planPlaceholder(facts, master.sizeBytes);
  if (!plan.ok) return { state: "failed", reason: plan.reason };
  signal.throwIfAborted();
  // Begins with the last room: a visitor's build begins with the first, which may be in another isolate.
  const room = buildRoom(
    env,
    master.spaceId,
    QUEUE.roomsPerSpace - 1 - ((master.tries - 1) % QUEUE.roomsPerSpace),
  );
  // A builder that is down must not use up the tries of the master.
  if (!(await answers(room))) return { state: "busy", reason: "the builder does not answer" };
  const order = { ...placeholderOrderFor(facts, master.sizeBytes, plan), isOverdue };
  const calls = callsFor(env.BUCKET, masterKey(master, master.file), order, signal);
  const answer = await room
    .placeholderFrom(order, calls.open, calls.readRange)
    .catch((error: unknown) => {
      // Nor must a storage that cannot be read now.
      if (calls.unreadable === null) throw error;
      return { ok: false, code: "unreadable" } as const;
    })
    .finally(() => calls.end());
  if (!answer.ok && answer.code === "unreadable") {
    return { state: "busy", reason: `the storage does not answer: ${calls.unreadable}` };
  }
  if (!answer.ok && answer.code === "gone") return { state: "failed", reason: "the master's file is gone" };
  if (!answer.ok && answer.code !== "failed")
    return { state: "busy", reason: "the builder has no room", isFull: true };
  if (!answer.ok) return { state: "failed", reason: answer.reason };
  const { placeholder, focalPoint, peakBytes } = answer;
  if (!isDescription({ placeholder, focalPoint }))
    return { state: "failed", reason: "the builder's answer is no placeholder" };
  return { state: "made", placeholder, focalPoint, peakBytes };
}
