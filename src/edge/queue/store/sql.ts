/**
 * All SQL of a space's queue, but for what it remembers of its work (activity-sql.ts). Its tables (tables.ts) live in the
 * object's own SQLite; every call is synchronous, and the object's output gate holds each answer and each outgoing call
 * until what was written before it is durable.
 */
import type { JobLane } from "../../messages.ts";
import { TABLES } from "./tables.ts";
import { turnStatements } from "./turns-sql.ts";

export type JobRow = {
  seq: number;
  key: string;
  lane: JobLane;
  request: string;
  attempts: number;
  room: number;
  busySince: number | null;
};

/** A job as it enters its lane. */
export interface NewJob {
  key: string;
  lane: JobLane;
  request: string;
  client: string;
  round: number;
}

/** `ready` may be called now, `waiting` includes those that are passed over for a while. */
export type LaneCount = {
  lane: JobLane;
  waiting: number;
  ready: number;
};

const JOB = "seq, key, lane, request, attempts, room, busy_since AS busySince";

export type Statements = ReturnType<typeof statements>;

export function statements(sql: SqlStorage) {
  const first = <T extends Record<string, SqlStorageValue>>(cursor: SqlStorageCursor<T>): T | null =>
    cursor.toArray()[0] ?? null;
  const run = (query: string, ...values: SqlStorageValue[]): void => void sql.exec(query, ...values);
  const turns = turnStatements(sql);

  return {
    createTables: () => {
      run(TABLES);
      turns.addColumns();
    },
    waitingOf: turns.waitingOf,
    nextRoundOf: turns.nextRoundOf,

    // Jobs
    insertJob: ({ key, lane, request, client, round }: NewJob) =>
      run(
        "INSERT INTO jobs (key, lane, request, client, round) VALUES (?, ?, ?, ?, ?)",
        ...[key, lane, request, client, round],
      ),
    /** An idle build that a visitor wants after all: as if it were new, but that it may be running. */
    promote: ({ key, lane, request, client, round }: NewJob) =>
      run(
        `UPDATE jobs SET lane = ?, request = ?, client = ?, round = ?, retry_at = 0, busy_since = NULL,
           attempts = lease_owner IS NOT NULL WHERE key = ?`,
        ...[lane, request, client, round, key],
      ),
    laneOf: (key: string) =>
      first(sql.exec<{ lane: JobLane }>("SELECT lane FROM jobs WHERE key = ?", key))?.lane ?? null,
    laneCounts: (now: number) =>
      sql
        .exec<LaneCount>(
          `SELECT lane, count(*) AS waiting, sum(retry_at <= ?) AS ready
         FROM jobs WHERE lease_owner IS NULL GROUP BY lane`,
          now,
        )
        .toArray(),
    headOf: (lane: JobLane, now: number) =>
      first(
        sql.exec<JobRow>(
          `SELECT ${JOB} FROM jobs WHERE lease_owner IS NULL AND lane = ? AND retry_at <= ? ORDER BY round, seq LIMIT 1`,
          lane,
          now,
        ),
      ),
    /** By lane, when the oldest job that waits was admitted. */
    oldestOf: (lane: JobLane) =>
      first(
        sql.exec<{ at: number | null }>(
          "SELECT min(request ->> 'admittedAt') AS at FROM jobs WHERE lease_owner IS NULL AND lane = ?",
          lane,
        ),
      )?.at ?? null,
    /** Those whose keys begin with `prefix`. */
    jobsOf: (prefix: string) =>
      sql
        .exec<Pick<JobRow, "key" | "lane" | "attempts"> & { isRunning: number }>(
          `SELECT key, lane, attempts, lease_owner IS NOT NULL AS isRunning FROM jobs
           WHERE key >= ?1 AND key < ?1 || '~' ORDER BY seq`,
          prefix,
        )
        .toArray(),
    /** Counts only builds that a visitor waits for. */
    nextRetryAt: (now: number) =>
      first(
        sql.exec<{ at: number | null }>(
          `SELECT min(retry_at) AS at FROM jobs
           WHERE lease_owner IS NULL AND lane <> 'idle' AND retry_at > ?`,
          now,
        ),
      )?.at ?? null,
    deleteJob: (seq: number) => run("DELETE FROM jobs WHERE seq = ?", seq),

    // Leases
    lease: (seq: number, owner: string, until: number) =>
      run(
        "UPDATE jobs SET attempts = attempts + 1, lease_owner = ?, lease_until = ? WHERE seq = ?",
        owner,
        until,
        seq,
      ),
    enterRoom: (seq: number, room: number) => run("UPDATE jobs SET room = ? WHERE seq = ?", room, seq),
    putBackLost: (seq: number, retryAt: number, room: number) =>
      run(
        `UPDATE jobs SET lease_owner = NULL, lease_until = NULL, retry_at = ?, room = ?, busy_since = NULL
         WHERE seq = ?`,
        retryAt,
        room,
        seq,
      ),
    putBackBusy: (seq: number, retryAt: number, busySince: number) =>
      run(
        `UPDATE jobs SET lease_owner = NULL, lease_until = NULL, retry_at = ?, busy_since = ?,
           attempts = attempts - 1 WHERE seq = ?`,
        retryAt,
        busySince,
        seq,
      ),
    /** It gives way to a visitor's build: the try does not count. */
    putBackUncounted: (seq: number) =>
      run(
        `UPDATE jobs SET lease_owner = NULL, lease_until = NULL, attempts = attempts - 1 WHERE seq = ?`,
        seq,
      ),
    leasedByOthers: (owner: string) =>
      sql.exec<JobRow>(`SELECT ${JOB} FROM jobs WHERE lease_owner <> ?`, owner).toArray(),
    running: () =>
      first(
        sql.exec<{ leaseUntil: number }>(
          "SELECT lease_until AS leaseUntil FROM jobs WHERE lease_owner IS NOT NULL",
        ),
      ),

    hasVisitorsJobs: () => first(sql.exec("SELECT 1 FROM jobs WHERE lane <> 'idle' LIMIT 1")) !== null,

    // Idle work
    hasIdleJobs: () => first(sql.exec("SELECT 1 FROM jobs WHERE lane = 'idle' LIMIT 1")) !== null,
    idleWork: () =>
      first(
        sql.exec<{ spaceId: string; dueAt: number }>(
          "SELECT space_id AS spaceId, due_at AS dueAt FROM idle_work",
        ),
      ),
    planIdleWork: (spaceId: string, dueAt: number) =>
      run("INSERT OR IGNORE INTO idle_work (id, space_id, due_at) VALUES (1, ?, ?)", spaceId, dueAt),
    setIdleWorkDue: (at: number) => run("UPDATE idle_work SET due_at = ?", at),
    delayIdleWork: (at: number) => run("UPDATE idle_work SET due_at = max(due_at, ?)", at),
    endIdleWork: () => run("DELETE FROM idle_work"),

    // Budgets
    budget: (owner: string) =>
      first(
        sql.exec<{ startedAt: number; used: number }>(
          "SELECT started_at AS startedAt, used FROM budgets WHERE owner = ?",
          owner,
        ),
      ),
    setBudget: (owner: string, startedAt: number, used: number) =>
      run(
        "INSERT OR REPLACE INTO budgets (owner, started_at, used) VALUES (?, ?, ?)",
        owner,
        startedAt,
        used,
      ),

    // The outcome of a key.
    outcomeOf: (key: string, now: number) =>
      first(
        sql.exec<{ state: "built" | "failed"; reason: string }>(
          "SELECT state, reason FROM outcomes WHERE key = ? AND until > ?",
          key,
          now,
        ),
      ),
    remember: (key: string, state: "built" | "failed", reason: string, until: number) =>
      run(
        "INSERT OR REPLACE INTO outcomes (key, state, reason, until) VALUES (?, ?, ?, ?)",
        key,
        state,
        reason,
        until,
      ),
    forget: (key: string) => run("DELETE FROM outcomes WHERE key = ?", key),
    /** The failures of keys that begin with `prefix`. */
    failuresOf: (prefix: string, now: number) =>
      sql
        .exec<{ key: string; reason: string; until: number }>(
          `SELECT key, reason, until FROM outcomes
           WHERE key >= ?1 AND key < ?1 || '~' AND state = 'failed' AND until > ?2 ORDER BY key`,
          prefix,
          now,
        )
        .toArray(),
    /** Counts the failed variants. Keys of fetches begin with another letter. */
    countFailures: (now: number) =>
      first(
        sql.exec<{ n: number }>(
          "SELECT count(*) AS n FROM outcomes WHERE key LIKE 'v/%' AND state = 'failed' AND until > ?",
          now,
        ),
      )?.n ?? 0,

    // Bookkeeping
    lightsInARow: () =>
      first(sql.exec<{ n: number }>("SELECT lights_in_a_row AS n FROM bookkeeping"))?.n ?? 0,
    setLightsInARow: (n: number) => run("UPDATE bookkeeping SET lights_in_a_row = ?", n),
    tidyAt: () => first(sql.exec<{ at: number | null }>("SELECT tidy_at AS at FROM bookkeeping"))?.at ?? null,
    planTidying: (at: number) => run("UPDATE bookkeeping SET tidy_at = ? WHERE tidy_at IS NULL", at),
    /** Removes what is past. True when rows are left to be removed later. */
    tidy: (now: number, windowMs: number): boolean => {
      run("DELETE FROM budgets WHERE started_at <= ?", now - windowMs);
      run("DELETE FROM outcomes WHERE until <= ?", now);
      run("UPDATE bookkeeping SET tidy_at = NULL");
      return first(sql.exec("SELECT 1 FROM budgets UNION ALL SELECT 1 FROM outcomes LIMIT 1")) !== null;
    },
  };
}
