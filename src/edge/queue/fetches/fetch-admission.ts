/** The decision on one request for a fetch (RULES 13.3). It is synchronous and runs in one transaction. */
import { QUEUE, REMOTE } from "../../../limits.ts";
import type { FetchAdmission, FetchRequest } from "../../messages.ts";
import { charge, chargeFetch, exhausted, hasFetchesLeft } from "../schedule/budgets.ts";
import type { Statements } from "../store/sql.ts";
import type { FetchStatements, StoredFetch } from "./fetch-sql.ts";

const jobOf = (request: FetchRequest, isIdle: boolean, admittedAt: number) => ({
  key: request.key,
  host: new URL(request.url).host,
  client: isIdle ? "" : request.client,
  request: JSON.stringify({ ...request, admittedAt } satisfies StoredFetch),
  isIdle,
});

export function decideFetch(
  q: Statements,
  f: FetchStatements,
  request: FetchRequest,
  now: number,
): FetchAdmission {
  const { key, client } = request;
  const outcome = q.outcomeOf(key, now);
  if (outcome?.state === "failed") return { state: "unavailable", reason: outcome.reason };
  if (outcome?.state === "built" && request.isMissing !== true) return { state: "here" };

  const found = f.find(key);
  if (found && (found.isIdle === 0 || found.isRunning === 1)) return { state: "coalesced" };

  if (!hasFetchesLeft(q, client, now)) return { state: "limited", budget: "fetches" };
  const budget = exhausted(q, client, now);
  if (budget) return { state: "limited", budget };
  if (f.waiting() >= REMOTE.waitingMax) return { state: "overloaded" };
  if (f.waitingOf(client) >= REMOTE.waitingPerClientMax)
    return { state: "overloaded", isShareOfClient: true };

  charge(q, client, now);
  chargeFetch(q, client, now);
  q.planTidying(now + QUEUE.coldWindowMs);
  // It waits as a file that is asked for again, but a visitor wants it now: it is gone here.
  if (found) f.deleteWaiting(key);
  f.insert(jobOf(request, false, now));
  return { state: "accepted" };
}

/**
 * Decides the same for a file that is here and is fetched again: true when it waits or runs, or was fetched a moment
 * ago.
 */
export function decideIdleFetch(
  q: Statements,
  f: FetchStatements,
  request: FetchRequest,
  now: number,
): boolean {
  if (f.find(request.key)) return true;
  const outcome = q.outcomeOf(request.key, now);
  if (outcome) return outcome.state === "built";
  if (f.idleWaiting() >= REMOTE.idleWaitingMax) return false;
  f.insert(jobOf(request, true, now));
  return true;
}
