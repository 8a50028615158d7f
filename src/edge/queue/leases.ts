/**
 * The life of a job: taken from its lane under a lease, then settled or put back. All of it is in SQLite before the
 * builder is called, so that a restart, a deploy or an eviction neither loses nor doubles work (completion §5).
 */
import type { Lane } from "../../image/plan/plan.ts";
import { QUEUE } from "../../limits.ts";
import { nextLane } from "./lanes.ts";
import type { Settlement } from "../messages.ts";
import type { Outcome } from "./outcome.ts";
import type { JobRow, Statements } from "./sql.ts";
import { readRequest } from "./stored-request.ts";

/**
 * How long a build may take from the call of the builder to its row in D1. A light one is meant for 250 ms; 30 s is
 * two orders more. A heavy one may use the builder's 300 s of CPU (its `limits.cpu_ms`), which end it first.
 */
export const LEASE_MS: Record<Lane, number> = { light: 30_000, heavy: 330_000 };

/** A space's builds may spread over this many of the builder's rooms; one after the other is asked when one is busy. */
export const ROOMS = 4;

/** When no room has place: the first waits are 50–250 ms, then up to half of the time waited so far, at most 2 s. */
const BUSY = { minMs: 50, spreadMs: 200, spreadMaxMs: 2000 };

/** A builder that has had no place for that long will not have any: it is a failure, or the lane would clog. */
const BUSY_MAX_MS = 10 * 60_000;

/** A lost job waits 0.5–1.5 s, after its second loss 4–12 s: a storage that is down for a moment is then back. */
const LOST = { minMs: 500, spreadMs: 1000, growth: 8 };

/**
 * How long the object itself remembers what it built, for callers whose view of D1 is older than the row. Seconds
 * would do. Much longer would promise a variant whose row was removed meanwhile, by a trashed medium for one.
 */
const BUILT_MEMORY_MS = 60_000;

export type Lease = JobRow & { job: NonNullable<ReturnType<typeof readRequest>>; lightsBefore: number };

/** Leases the next job that can run now; null when none can. Rows that cannot be read are dropped and handed back. */
export function take(
  q: Statements,
  owner: string,
  now: number,
): { lease: Lease | null; unreadable: JobRow[] } {
  const unreadable: JobRow[] = [];
  for (;;) {
    const lightsBefore = q.lightsInARow();
    const lane = nextLane(q.laneCounts(now), lightsBefore);
    const row = lane && q.headOf(lane, now);
    if (!row) return { lease: null, unreadable };
    const job = readRequest(row.request);
    if (job) {
      q.lease(row.seq, owner, now + LEASE_MS[row.lane]);
      q.setLightsInARow(row.lane === "light" ? lightsBefore + 1 : 0);
      return { lease: { ...row, attempts: row.attempts + 1, job, lightsBefore }, unreadable };
    }
    q.deleteJob(row.seq);
    unreadable.push(row);
  }
}

/** Writes down what a try came to. Returns what to tell those who wait, or null when the job is back in its lane. */
export function settle(q: Statements, lease: Lease, outcome: Outcome, now: number): Settlement | null {
  switch (outcome.state) {
    case "built":
      q.deleteJob(lease.seq);
      remember(q, lease.key, "built", "", now + BUILT_MEMORY_MS);
      for (const key of outcome.evicted) q.forget(key);
      return { state: "built" };
    case "failed":
      return fail(q, lease, outcome.reason, now);
    case "gone":
      q.deleteJob(lease.seq);
      return { state: "failed", reason: outcome.reason };
    case "busy":
      return putBackBusy(q, lease, outcome.reason, now);
    case "lost":
      return putBackLost(q, lease, outcome, now);
    default:
      return outcome satisfies never;
  }
}

/** Puts back what an earlier instance was running when it ended: evicted, deployed over or killed. */
export function recover(
  q: Statements,
  owner: string,
  now: number,
): { row: JobRow; settled: Settlement | null }[] {
  return q.leasedByOthers(owner).map((row) => {
    const reason = "the queue was restarted during the build";
    if (row.attempts >= QUEUE.lossesMax) return { row, settled: fail(q, row, reason, now) };
    // To the same room: it finishes what it may still be computing before it answers anything.
    q.putBackLost(row.seq, now, row.room);
    return { row, settled: null };
  });
}

function fail(q: Statements, row: JobRow, reason: string, now: number): Settlement {
  q.deleteJob(row.seq);
  remember(q, row.key, "failed", reason, now + QUEUE.failureMemoryMs);
  return { state: "failed", reason };
}

function remember(
  q: Statements,
  key: string,
  state: "built" | "failed",
  reason: string,
  until: number,
): void {
  q.remember(key, state, reason, until);
  q.planTidying(until);
}

function putBackBusy(q: Statements, lease: Lease, reason: string, now: number): Settlement | null {
  q.setLightsInARow(lease.lightsBefore);
  const since = lease.busySince ?? now;
  if (now - since >= BUSY_MAX_MS) return fail(q, lease, reason, now);
  const spread = Math.min(Math.max((now - since) / 2, BUSY.spreadMs), BUSY.spreadMaxMs);
  q.putBackBusy(lease.seq, jittered(now, BUSY.minMs, spread), since);
  return null;
}

function putBackLost(
  q: Statements,
  lease: Lease,
  outcome: Extract<Outcome, { state: "lost" }>,
  now: number,
): Settlement | null {
  if (lease.attempts >= QUEUE.lossesMax) return fail(q, lease, outcome.reason, now);
  const longer = LOST.growth ** (lease.attempts - 1);
  const retryAt = jittered(now, LOST.minMs * longer, LOST.spreadMs * longer);
  // A silent room may be stuck for good: the next try goes to another one.
  q.putBackLost(lease.seq, retryAt, outcome.silent ? (lease.room + 1) % ROOMS : lease.room);
  return null;
}

const jittered = (now: number, minMs: number, spreadMs: number): number =>
  Math.ceil(now + minMs + Math.random() * spreadMs);
