/**
 * The life of a job: it is leased from its lane, then settled or put back. Each step is in SQLite before the builder is
 * called, so that a restart, a deploy or an eviction neither loses nor doubles work (RULES 8.2).
 */
import type { FailureCode } from "../../../image/protocol/failure.ts";
import type { LearnedFacts } from "../../../image/protocol/build.ts";
import { CACHE, PLACEHOLDER, QUEUE } from "../../../limits.ts";
import { nextLane } from "./lanes.ts";
import type { Settlement } from "../../messages.ts";
import type { Outcome } from "../work/outcome.ts";
import type { JobRow, Statements } from "../store/sql.ts";
import { readRequest } from "../store/stored-request.ts";

export type Lease = JobRow & { job: NonNullable<ReturnType<typeof readRequest>>; lightsBefore: number };

/** Leases the next job that can run now; null when none can. Unreadable rows are removed and returned. */
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
    const lease = leaseOf(q, row, owner, now);
    if (lease) {
      q.setLightsInARow(row.lane === "light" ? lightsBefore + 1 : 0);
      return { lease, unreadable };
    }
    unreadable.push(row);
  }
}

/** Leases the next build that no visitor waits for; null when none can run now. */
export function takeIdle(q: Statements, owner: string, now: number): Lease | null {
  for (;;) {
    const row = q.headOf("idle", now);
    if (!row) return null;
    const lease = leaseOf(q, row, owner, now);
    if (lease) return lease;
  }
}

/** Returns the lease of a job. Null for a row that cannot be read: it is dropped. */
function leaseOf(q: Statements, row: JobRow, owner: string, now: number): Lease | null {
  const job = readRequest(row.request);
  if (!job) {
    q.deleteJob(row.seq);
    return null;
  }
  q.lease(row.seq, owner, now + QUEUE.leaseMs[row.lane]);
  return { ...row, attempts: row.attempts + 1, job, lightsBefore: q.lightsInARow() };
}

/** Writes down what a try came to. Returns what to tell those who wait, or null when the job is back in its lane. */
export function settle(q: Statements, lease: Lease, outcome: Outcome, now: number): Settlement | null {
  switch (outcome.state) {
    case "built":
      q.deleteJob(lease.seq);
      remember(q, lease.key, "built", "", now + QUEUE.builtMemoryMs);
      for (const key of outcome.evicted) q.forget(key);
      return { state: "built" };
    case "failed":
      return fail(q, lease, outcome.reason, now, memoryMs(outcome));
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

/** Returns the remembered outcome of a key that neither waits nor runs. */
export function settlementOf(q: Statements, key: string, now: number): Settlement {
  const outcome = q.outcomeOf(key, now);
  if (outcome?.state === "built") return { state: "built" };
  if (outcome?.state === "failed") return { state: "failed", reason: outcome.reason };
  return { state: "unknown" };
}

/** Puts back the jobs that an earlier instance was running when it was evicted, replaced by a deploy or killed. */
export function recover(
  q: Statements,
  owner: string,
  now: number,
): { row: JobRow; settled: Settlement | null }[] {
  return q.leasedByOthers(owner).map((row) => {
    const reason = "the queue was restarted during the build";
    if (row.attempts >= QUEUE.lossesMax) return { row, settled: giveUp(q, row, reason, now) };
    // To the same room: it finishes what it may still compute before it answers.
    q.putBackLost(row.seq, now, row.room);
    return { row, settled: null };
  });
}

/**
 * Returns how long a failure is remembered. A faulty file fails again in the same way; a fault of ours may be over in a
 * minute. When the build has learned new facts of the master, the next one has another plan, once no isolate holds the
 * old facts.
 */
function memoryMs({ code, learned }: { code: FailureCode; learned?: LearnedFacts }): number {
  if (learned) return CACHE.factsMs;
  return code === "corrupt" || code === "unsupported" ? QUEUE.failureMemoryMs : QUEUE.faultMemoryMs;
}

/**
 * Gives a job up without a judgement about the picture. An idle build leaves no memory that would keep a visitor from
 * it.
 */
function giveUp(q: Statements, row: JobRow, reason: string, now: number): Settlement {
  if (row.lane !== "idle") return fail(q, row, reason, now, QUEUE.faultMemoryMs);
  q.deleteJob(row.seq);
  return { state: "failed", reason };
}

function fail(q: Statements, row: JobRow, reason: string, now: number, rememberedMs: number): Settlement {
  q.deleteJob(row.seq);
  remember(q, row.key, "failed", reason, now + rememberedMs);
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
  const since = lease.busySince ?? now;
  // No visitor waits for it: it comes after all work that keeps the builder busy, however long that is.
  if (lease.lane === "idle") {
    q.putBackBusy(lease.seq, now + PLACEHOLDER.pauseMs, since);
    return null;
  }
  q.setLightsInARow(lease.lightsBefore);
  if (now - since >= QUEUE.busyMaxMs) return giveUp(q, lease, reason, now);
  const spread = Math.min(Math.max((now - since) / 2, QUEUE.busyWaitSpreadMs), QUEUE.busyWaitSpreadMaxMs);
  q.putBackBusy(lease.seq, jittered(now, QUEUE.busyWaitMinMs, spread), since);
  return null;
}

function putBackLost(
  q: Statements,
  lease: Lease,
  outcome: Extract<Outcome, { state: "lost" }>,
  now: number,
): Settlement | null {
  if (lease.attempts >= QUEUE.lossesMax) return giveUp(q, lease, outcome.reason, now);
  const longer = QUEUE.lostWaitGrowth ** (lease.attempts - 1);
  const retryAt = jittered(now, QUEUE.lostWaitMinMs * longer, QUEUE.lostWaitSpreadMs * longer);
  // A silent room may never answer again: the next try goes to another one.
  q.putBackLost(lease.seq, retryAt, outcome.silent ? (lease.room + 1) % QUEUE.roomsPerSpace : lease.room);
  return null;
}

const jittered = (now: number, minMs: number, spreadMs: number): number =>
  Math.ceil(now + minMs + Math.random() * spreadMs);
