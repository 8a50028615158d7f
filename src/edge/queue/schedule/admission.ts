/**
 * The decision on one request (RULES 7.2, 8.2). It is synchronous and runs in one transaction: of all requests for a
 * key at the same time, one is accepted.
 */
import { QUEUE } from "../../../limits.ts";
import { countOf, WAITING_MAX, WAITING_PER_CLIENT_MAX } from "./lanes.ts";
import { charge, exhausted } from "./budgets.ts";
import type { Admission, AdmitRequest } from "../../messages.ts";
import type { Statements } from "../store/sql.ts";
import { writeRequest } from "../store/stored-request.ts";

export function decide(q: Statements, request: AdmitRequest, now: number): Admission {
  const outcome = q.outcomeOf(request.key, now);
  if (outcome?.state === "built") return { state: "hit" };
  if (outcome?.state === "failed") return { state: "unavailable", reason: outcome.reason };

  const lane = q.laneOf(request.key);
  if (lane && lane !== "idle") return { state: "coalesced", lane };

  const budget = exhausted(q, request.client, now);
  if (budget) return { state: "limited", budget };

  if (countOf(q.laneCounts(now), request.lane).waiting >= WAITING_MAX[request.lane]) {
    return { state: "overloaded", lane: request.lane };
  }

  if (q.waitingOf(request.lane, request.client) >= WAITING_PER_CLIENT_MAX[request.lane]) {
    return { state: "overloaded", lane: request.lane, isShareOfClient: true };
  }

  charge(q, request.client, now);
  q.planTidying(now + QUEUE.coldWindowMs);
  const { client } = request;
  const job = {
    ...{ key: request.key, lane: request.lane, client, request: writeRequest(request, now) },
    round: q.nextRoundOf(request.lane, client),
  };
  if (lane) q.promote(job);
  else q.insertJob(job);
  return { state: "accepted", lane: request.lane };
}

/**
 * Admits the build that came with a fetch, for which its client was charged already. If its lane is full, it is built
 * when nothing else is to be done.
 */
export function decideFirst(q: Statements, request: AdmitRequest, now: number): void {
  const { key, lane, client } = request;
  if (q.outcomeOf(key, now) || q.laneOf(key)) return;
  if (countOf(q.laneCounts(now), lane).waiting >= WAITING_MAX[lane]) {
    decideIdle(q, request, now);
    return;
  }
  q.insertJob({
    ...{ key, lane, client, request: writeRequest(request, now) },
    round: q.nextRoundOf(lane, client),
  });
}

/**
 * Decides the same for an idle build, which no client is charged for: true when it waits, runs or was built a moment
 * ago. Builds that failed lately and builds that find no place are left out.
 */
export function decideIdle(q: Statements, request: AdmitRequest, now: number): boolean {
  if (q.laneOf(request.key)) return true;
  const outcome = q.outcomeOf(request.key, now);
  if (outcome) return outcome.state === "built";
  if (countOf(q.laneCounts(now), "idle").waiting >= WAITING_MAX.idle) return false;
  q.insertJob({
    ...{ key: request.key, lane: "idle", client: "", request: writeRequest(request, now) },
    round: 0,
  });
  return true;
}
