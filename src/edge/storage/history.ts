/** The history of a record read, and what of it is over removed. */
import { sql, type SQL } from "drizzle-orm";
import { prepareSql, type Database } from "./database.ts";
import { int } from "./record-index.ts";
import type { VersionEvent } from "./record-versions.ts";

export interface HistoryEntry {
  version: number;
  event: VersionEvent;
  /** 1 when the event made the version. */
  isContent: number;
  /** Counts the record's events; 0 stands for the one that nobody wrote down. */
  no: number;
  createdAt: number;
  keyId: string | null;
  keyName: string | null;
  /** Numbers of fields, as JSON. */
  changed: string;
}

/** Where a page of a history ended. */
export type HistoryPlace = Pick<HistoryEntry, "version" | "isContent" | "no">;

/** The events of a record. The content of one from before there was a history is an event, too. */
const events = (record: number): SQL => sql`
  SELECT version, event, is_content AS isContent, no, created_at AS createdAt, key_id AS keyId, key_name AS keyName,
    changed FROM record_versions WHERE record = ${int(record)}
  UNION ALL
  SELECT version, CASE version WHEN 1 THEN 'created' ELSE 'updated' END, 1, 0, updated_at, NULL, NULL, '[]'
  FROM records r WHERE seq = ${int(record)} AND NOT EXISTS (SELECT 1 FROM record_versions v
    WHERE v.record = r.seq AND v.version = r.version AND v.is_content = 1)`;

/** The newest first, `limit` at most, from below `before`. What made a version comes after what became of it. */
export async function listHistory(
  db: Database,
  record: number,
  { limit, before }: { limit: number; before: HistoryPlace | null },
): Promise<HistoryEntry[]> {
  const below = before
    ? sql`(version, -isContent, no) < (${int(before.version)}, ${int(-before.isContent)}, ${int(before.no)})`
    : sql`1`;
  return db.all<HistoryEntry>(sql`
    SELECT * FROM (${events(record)}) WHERE ${below}
    ORDER BY version DESC, isContent, no DESC LIMIT ${int(limit)}`);
}

export type KeptVersion = HistoryEntry & {
  /** The values, as in `records.data`. */
  data: string;
};

/** What made a version, with the content that it has; null when it is not kept, or never was. */
export async function readVersion(
  db: Database,
  record: number,
  version: number,
): Promise<KeptVersion | null> {
  const found = await db.get<KeptVersion | undefined>(sql`
    SELECT e.*, coalesce((SELECT v.data FROM record_versions v
        WHERE v.record = ${int(record)} AND v.version = e.version AND v.is_content = 1),
      (SELECT r.data FROM records r WHERE r.seq = ${int(record)} AND r.version = e.version)) AS data
    FROM (${events(record)}) e WHERE e.version = ${int(version)} AND e.isContent = 1`);
  return found ?? null;
}

/** Removes what is due of all histories, `limit` events at most. How many. */
export async function removeDueVersions(db: Database, now: number, limit: number): Promise<number> {
  const { results } = await prepareSql(
    db,
    sql`DELETE FROM record_versions WHERE rowid IN (SELECT rowid FROM record_versions
      WHERE purge_at IS NOT NULL AND purge_at <= ${now} LIMIT ${int(limit)}) RETURNING no`,
  ).all();
  return results.length;
}
