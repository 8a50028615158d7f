/**
 * All SQL of a space's queue, but for what it remembers of its work (activity-sql.ts). Its tables live in the object's own SQLite; every call is synchronous, and the object's
 * output gate holds each answer and each outgoing call until what was written before it is durable.
 */
import type { Lane } from "../../image/plan/build-plan.ts";

/** Rows stay readable by newer code: columns are added, and what a job asks for is JSON in `request`. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS jobs (
    seq INTEGER PRIMARY KEY,              -- the place in its lane
    key TEXT NOT NULL UNIQUE,
    lane TEXT NOT NULL,
    request TEXT NOT NULL,                -- StoredRequest
    attempts INTEGER NOT NULL DEFAULT 0,  -- counted before each call of the builder
    room INTEGER NOT NULL DEFAULT 0,      -- the builder's room called last, and to be called first
    retry_at INTEGER NOT NULL DEFAULT 0,  -- passed over until then
    busy_since INTEGER,                   -- no room has had place since
    lease_owner TEXT,                     -- the instance that runs it; null while it waits
    lease_until INTEGER
  );
  CREATE TABLE IF NOT EXISTS budgets (
    owner TEXT PRIMARY KEY,               -- 'space', or 'client:' and the address
    started_at INTEGER NOT NULL,          -- the first charge of the window
    used INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS outcomes (
    key TEXT PRIMARY KEY,
    state TEXT NOT NULL,                  -- 'built' or 'failed'
    reason TEXT NOT NULL,
    until INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS bookkeeping (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    lights_in_a_row INTEGER NOT NULL DEFAULT 0,
    tidy_at INTEGER                       -- when past rows are to be removed; null while there are none
  );
  INSERT OR IGNORE INTO bookkeeping (id) VALUES (1);
  CREATE TABLE IF NOT EXISTS idle_work (  -- no row while there is none
    id INTEGER PRIMARY KEY CHECK (id = 1),
    space_id TEXT NOT NULL,
    due_at INTEGER NOT NULL               -- when to look for it, unless something else is to be done
  );`;

export type JobRow = {
  seq: number;
  key: string;
  lane: Lane;
  request: string;
  attempts: number;
  room: number;
  busySince: number | null;
};

/** `ready` may be called now, `waiting` includes those that are passed over for a while. */
export type LaneCount = {
  lane: Lane;
  waiting: number;
  ready: number;
};

const JOB = "seq, key, lane, request, attempts, room, busy_since AS busySince";

export type Statements = ReturnType<typeof statements>;

export function statements(sql: SqlStorage) {
  const first = <T extends Record<string, SqlStorageValue>>(cursor: SqlStorageCursor<T>): T | null =>
    cursor.toArray()[0] ?? null;
  const run = (query: string, ...values: SqlStorageValue[]): void => void sql.exec(query, ...values);

  return {
    createTables: () => run(SCHEMA),

    // Jobs
    insertJob: (key: string, lane: Lane, request: string) =>
      run("INSERT INTO jobs (key, lane, request) VALUES (?, ?, ?)", key, lane, request),
    laneOf: (key: string) =>
      first(sql.exec<{ lane: Lane }>("SELECT lane FROM jobs WHERE key = ?", key))?.lane ?? null,
    laneCounts: (now: number) =>
      sql
        .exec<LaneCount>(
          `SELECT lane, count(*) AS waiting, sum(retry_at <= ?) AS ready
         FROM jobs WHERE lease_owner IS NULL GROUP BY lane`,
          now,
        )
        .toArray(),
    headOf: (lane: Lane, now: number) =>
      first(
        sql.exec<JobRow>(
          `SELECT ${JOB} FROM jobs WHERE lease_owner IS NULL AND lane = ? AND retry_at <= ? ORDER BY seq LIMIT 1`,
          lane,
          now,
        ),
      ),
    /** By lane, when the oldest job that waits was admitted. */
    oldestOf: (lane: Lane) =>
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
    nextRetryAt: (now: number) =>
      first(
        sql.exec<{ at: number | null }>(
          "SELECT min(retry_at) AS at FROM jobs WHERE lease_owner IS NULL AND retry_at > ?",
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
    leasedByOthers: (owner: string) =>
      sql.exec<JobRow>(`SELECT ${JOB} FROM jobs WHERE lease_owner <> ?`, owner).toArray(),
    running: () =>
      first(
        sql.exec<{ leaseUntil: number }>(
          "SELECT lease_until AS leaseUntil FROM jobs WHERE lease_owner IS NOT NULL",
        ),
      ),

    hasJobs: () => first(sql.exec("SELECT 1 FROM jobs LIMIT 1")) !== null,

    // Idle work
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

    // What became of keys
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
    /** Of keys that begin with `prefix`. */
    failuresOf: (prefix: string, now: number) =>
      sql
        .exec<{ key: string; reason: string; until: number }>(
          `SELECT key, reason, until FROM outcomes
           WHERE key >= ?1 AND key < ?1 || '~' AND state = 'failed' AND until > ?2 ORDER BY key`,
          prefix,
          now,
        )
        .toArray(),
    countFailures: (now: number) =>
      first(
        sql.exec<{ n: number }>(
          "SELECT count(*) AS n FROM outcomes WHERE state = 'failed' AND until > ?",
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
