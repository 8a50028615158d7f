/** SQL of the lane of fetches, in the object's own SQLite. Columns are only ever added. */
import { REMOTE } from "../../../limits.ts";
import type { FetchRequest, OriginFetches, RecentFetch } from "../../messages.ts";

const TABLES = `
  CREATE TABLE IF NOT EXISTS fetches (
    seq INTEGER PRIMARY KEY,              -- the order of admission
    key TEXT NOT NULL UNIQUE,
    host TEXT NOT NULL,
    client TEXT NOT NULL,                 -- empty if no visitor caused it
    round INTEGER NOT NULL,               -- the place in the lane; within a round, seq decides
    request TEXT NOT NULL,                -- StoredFetch as JSON
    is_idle INTEGER NOT NULL,             -- a file that is here is asked for again
    attempts INTEGER NOT NULL DEFAULT 0,
    retry_at INTEGER NOT NULL DEFAULT 0,  -- passed over until then
    lease_owner TEXT,                     -- the instance that runs it; null while it waits
    lease_until INTEGER
  );
  -- Fetches whose address was removed while they ran: the file that they stored is removed in another call.
  CREATE TABLE IF NOT EXISTS forgotten_fetches (seq INTEGER PRIMARY KEY);
  CREATE TABLE IF NOT EXISTS recent_fetches (
    seq INTEGER PRIMARY KEY,
    fetch TEXT NOT NULL                   -- RecentFetch as JSON
  );
  CREATE TABLE IF NOT EXISTS origin_fetches (
    origin TEXT PRIMARY KEY,
    fetched INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    last_at INTEGER NOT NULL
  ) WITHOUT ROWID;`;

export type FetchRow = {
  seq: number;
  key: string;
  request: string;
  isIdle: number;
  attempts: number;
};

/** A request as its row holds it. */
export type StoredFetch = FetchRequest & {
  /** In milliseconds. Rows of earlier versions have none. */
  admittedAt?: number;
};

export interface NewFetch {
  key: string;
  host: string;
  client: string;
  request: string;
  isIdle: boolean;
}

const ROW = "seq, key, request, is_idle AS isIdle, attempts";

export type FetchStatements = ReturnType<typeof fetchStatements>;

export function fetchStatements(sql: SqlStorage) {
  const first = <T extends Record<string, SqlStorageValue>>(cursor: SqlStorageCursor<T>): T | null =>
    cursor.toArray()[0] ?? null;
  const count = (where: string, ...values: SqlStorageValue[]): number =>
    sql.exec<{ n: number }>(`SELECT count(*) AS n FROM fetches WHERE ${where}`, ...values).one().n;

  return {
    createTables: () => void sql.exec(TABLES),

    /** Null when no fetch of the key waits or runs. */
    find: (key: string) =>
      first(
        sql.exec<{ isIdle: number; isRunning: number }>(
          "SELECT is_idle AS isIdle, lease_owner IS NOT NULL AS isRunning FROM fetches WHERE key = ?",
          key,
        ),
      ),
    /** As builds take turns (turns-sql.ts): each client has one fetch in a round. */
    insert({ key, host, client, request, isIdle }: NewFetch): void {
      sql.exec(
        `INSERT INTO fetches (key, host, client, round, request, is_idle)
         SELECT ?1, ?2, ?3, max(ifnull(min(round), 0), ifnull(max(round) FILTER (WHERE client = ?3) + 1, 0)), ?4, ?5
         FROM fetches WHERE lease_owner IS NULL AND is_idle = ?5`,
        ...[key, host, client, request, isIdle ? 1 : 0],
      );
    },
    delete(seq: number): void {
      sql.exec("DELETE FROM fetches WHERE seq = ?", seq);
      sql.exec("DELETE FROM forgotten_fetches WHERE seq = ?", seq);
    },
    deleteWaiting: (key: string) =>
      void sql.exec(
        `DELETE FROM fetches WHERE key = ? AND lease_owner IS NULL
         AND seq NOT IN (SELECT seq FROM forgotten_fetches)`,
        key,
      ),
    /** Returns the `seq` of the fetch of the key that holds a place; null without one. */
    leasedOf: (key: string) =>
      first(
        sql.exec<{ seq: number }>("SELECT seq FROM fetches WHERE key = ? AND lease_owner IS NOT NULL", key),
      )?.seq ?? null,
    /** Marks the fetch of the key that runs. A visitor may wait for the place that it holds. */
    forgetRunning(key: string): void {
      sql.exec("INSERT OR IGNORE INTO forgotten_fetches SELECT seq FROM fetches WHERE key = ?", key);
      sql.exec("UPDATE fetches SET is_idle = 0 WHERE key = ?", key);
    },
    isForgotten: (seq: number) =>
      sql.exec("SELECT 1 FROM forgotten_fetches WHERE seq = ?", seq).toArray().length > 0,

    waiting: () => count("lease_owner IS NULL AND is_idle = 0"),
    waitingOf: (client: string) => count("lease_owner IS NULL AND is_idle = 0 AND client = ?", client),
    idleWaiting: () => count("lease_owner IS NULL AND is_idle = 1"),
    /** Counts the fetches that hold a place. Some of them have not begun (`REMOTE.visitorsFirstMs`). */
    running: () => count("lease_owner IS NOT NULL"),

    /** The next one, of the hosts with the fewest running fetches: those of a host that hangs let others go first. */
    head: (isIdle: boolean, now: number) =>
      first(
        sql.exec<FetchRow>(
          `SELECT ${ROW} FROM fetches AS f WHERE lease_owner IS NULL AND is_idle = ? AND retry_at <= ?
           ORDER BY (SELECT count(*) FROM fetches r WHERE r.lease_owner IS NOT NULL AND r.host = f.host), round, seq
           LIMIT 1`,
          ...[isIdle ? 1 : 0, now],
        ),
      ),
    lease: (seq: number, owner: string, until: number) =>
      void sql.exec(
        "UPDATE fetches SET attempts = attempts + 1, lease_owner = ?, lease_until = ? WHERE seq = ?",
        ...[owner, until, seq],
      ),
    putBack: (seq: number, retryAt: number, isCounted: boolean) =>
      void sql.exec(
        `UPDATE fetches SET lease_owner = NULL, lease_until = NULL, retry_at = ?, attempts = attempts - ?
         WHERE seq = ?`,
        ...[retryAt, isCounted ? 0 : 1, seq],
      ),
    leasedByOthers: (owner: string) =>
      sql.exec<FetchRow>(`SELECT ${ROW} FROM fetches WHERE lease_owner <> ?`, owner).toArray(),
    overdue: (now: number) =>
      sql.exec<FetchRow>(`SELECT ${ROW} FROM fetches WHERE lease_until <= ?`, now).toArray(),
    /** When a lease ends, or a visitor's fetch that was lost may be tried again; null for neither. */
    dueAt: (now: number) =>
      sql
        .exec<{ at: number | null }>(
          `SELECT min(ifnull(lease_until, retry_at)) AS at FROM fetches
           WHERE lease_until IS NOT NULL OR (is_idle = 0 AND retry_at > ?)`,
          now,
        )
        .one().at,

    note(fetch: RecentFetch): void {
      sql.exec("INSERT INTO recent_fetches (fetch) VALUES (?)", JSON.stringify(fetch));
      sql.exec(
        "DELETE FROM recent_fetches WHERE seq <= (SELECT max(seq) FROM recent_fetches) - ?",
        REMOTE.recentMax,
      );
      if (fetch.origin === null) return;
      const failed = fetch.state === "failed" ? 1 : 0;
      sql.exec(
        `INSERT INTO origin_fetches (origin, fetched, failed, last_at) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (origin) DO UPDATE SET fetched = fetched + ?2, failed = failed + ?3, last_at = ?4`,
        ...[fetch.origin, 1 - failed, failed, fetch.endedAt],
      );
      sql.exec(
        `DELETE FROM origin_fetches WHERE origin NOT IN
         (SELECT origin FROM origin_fetches ORDER BY last_at DESC LIMIT ?)`,
        REMOTE.countedOriginsMax,
      );
    },
    recent: () =>
      sql
        .exec<{ fetch: string }>("SELECT fetch FROM recent_fetches ORDER BY seq DESC")
        .toArray()
        .map(({ fetch }) => JSON.parse(fetch) as RecentFetch),
    origins: () =>
      sql
        .exec<OriginFetches & Record<string, SqlStorageValue>>(
          "SELECT origin, fetched, failed, last_at AS lastAt FROM origin_fetches ORDER BY origin",
        )
        .toArray(),
  };
}
