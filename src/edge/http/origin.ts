/** Names the origin of the changes that a request makes. */
import { actorOf } from "../spaces/actor.ts";
import type { Caller } from "../spaces/authorize.ts";
import { ROOT, type By, type Origin } from "../storage/events/actor.ts";
import type { AppContext } from "./context.ts";

export const originOf = (c: AppContext, caller: Pick<Caller, "actor">): Origin => ({
  actor: actorOf(caller),
  requestId: c.get("requestId"),
});

/** Returns the origin of a change that is made now. */
export const byOf = (c: AppContext, caller: Pick<Caller, "actor">): By => ({
  origin: originOf(c, caller),
  now: Date.now(),
});

/** Returns the same for a request outside any space, which only the root token may make. */
export const byRoot = (c: AppContext): By => ({
  origin: { actor: ROOT, requestId: c.get("requestId") },
  now: Date.now(),
});
