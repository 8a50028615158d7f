/**
 * What this isolate has asked the queues in the last two seconds. If several visitors want the same cold variant, the
 * request of the first one asks, and the others use its answer. They poll plain data, because a promise of one request
 * must not be awaited in another.
 */
import { CACHE } from "../../limits.ts";
import { ExpiringMap } from "../storage/database/expiring-map.ts";

export type AskedState =
  /** The queue has not answered yet, or has accepted the build. */
  | "under-way"
  | "built"
  | "overloaded"
  | "unavailable"
  /** The budget of the space is used up, so nobody else needs to ask. */
  | "limited"
  /** The answer concerned only the first visitor (its own budget or share of places, or a failed call), so others ask themselves. */
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

/** Notes that the queue is being asked. Call it first, so that later requests wait for the same answer. */
export function beginAsking(key: string, now: number): Asked {
  const asking: Asked = { state: "under-way" };
  asked.set(key, asking, now);
  return asking;
}
