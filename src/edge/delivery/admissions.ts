/**
 * What this isolate asked the queues in the last two seconds. Of all visitors who want one cold variant, the first
 * asks; the others take part in the answer. It is plain data that they look at: a promise of one request must not be
 * awaited in another.
 */
import { CACHE } from "../../limits.ts";
import { ExpiringMap } from "../storage/expiring-map.ts";

export type AskedState =
  /** The queue has not answered, or has accepted: the build is under way. */
  | "under-way"
  | "built"
  | "overloaded"
  | "unavailable"
  /** The space's budget is used up, whoever asks. */
  | "limited"
  /** The answer was for the first visitor alone (a budget of its own, a call that failed): others ask themselves. */
  | "ask-again";

export interface Asked {
  state: AskedState;
}

const asked = new ExpiringMap<Asked>(CACHE.admissionMs, CACHE.admissionsMaxEntries);

/** Null when nobody has asked lately. */
export function askedLately(key: string, now: number): Asked | null {
  const found = asked.get(key, now);
  return found && found.state !== "ask-again" ? found : null;
}

/** To be called before the queue is, so that whoever comes meanwhile takes part. */
export function beginAsking(key: string, now: number): Asked {
  const asking: Asked = { state: "under-way" };
  asked.set(key, asking, now);
  return asking;
}
