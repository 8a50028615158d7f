/** SQL of the memory that a space's queue has of its work, in the object's own SQLite. Columns are only ever added. */
import { ACTIVITY } from "../../../limits.ts";
import type { ActivityCounts, RecentBuild, SecondCounts } from "../../messages.ts";

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS recent_builds (
    seq INTEGER PRIMARY KEY,
    key TEXT NOT NULL,
    lane TEXT NOT NULL,
    state TEXT NOT NULL,
    milliseconds INTEGER NOT NULL,
    bytes INTEGER,
    reason TEXT,
    tries INTEGER NOT NULL,
    ended_at INTEGER NOT NULL
  );
  CREATE TABLE IF NOT EXISTS counts_per_second (
    at INTEGER PRIMARY KEY,               -- when the second begins, in milliseconds
    admitted INTEGER NOT NULL,
    coalesced INTEGER NOT NULL,
    refused INTEGER NOT NULL,
    built INTEGER NOT NULL,
    failed INTEGER NOT NULL
  );`;

export type ActivityStatements = ReturnType<typeof activityStatements>;

export function activityStatements(sql: SqlStorage) {
  return {
    createTables: () => void sql.exec(SCHEMA),

    insertBuild({ key, lane, state, milliseconds, bytes, reason, tries, endedAt }: RecentBuild): void {
      sql.exec(
        `INSERT INTO recent_builds (key, lane, state, milliseconds, bytes, reason, tries, ended_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        ...[key, lane, state, milliseconds, bytes, reason, tries, endedAt],
      );
      sql.exec(
        "DELETE FROM recent_builds WHERE seq <= (SELECT max(seq) FROM recent_builds) - ?",
        ACTIVITY.buildsMax,
      );
    },
    recentBuilds: () =>
      sql
        .exec<RecentBuild & Record<string, SqlStorageValue>>(
          `SELECT key, lane, state, milliseconds, bytes, reason, tries, ended_at AS endedAt
           FROM recent_builds ORDER BY seq DESC`,
        )
        .toArray(),

    addCounts(at: number, { admitted, coalesced, refused, built, failed }: ActivityCounts): void {
      sql.exec(
        `INSERT INTO counts_per_second (at, admitted, coalesced, refused, built, failed)
         VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (at) DO UPDATE SET admitted = admitted + excluded.admitted,
           coalesced = coalesced + excluded.coalesced, refused = refused + excluded.refused,
           built = built + excluded.built, failed = failed + excluded.failed`,
        ...[at, admitted, coalesced, refused, built, failed],
      );
    },
    deleteCountsBefore: (at: number) => void sql.exec("DELETE FROM counts_per_second WHERE at < ?", at),
    countsSince: (at: number) =>
      sql
        .exec<SecondCounts & Record<string, SqlStorageValue>>(
          `SELECT at, admitted, coalesced, refused, built, failed FROM counts_per_second
           WHERE at >= ? ORDER BY at`,
          at,
        )
        .toArray(),
  };
}
