/** Reads the history of a record, and removes events whose retention is over. */
import { sql, type SQL } from "drizzle-orm";
import { prepareSql, type Database } from "../database/database.ts";
import type { ActorKind } from "../events/actor.ts";
import { joined } from "../locales/sides.ts";
import { int } from "../records/record-index.ts";
import type { VersionEvent } from "./record-versions.ts";
import { standsHere } from "../shards/space-rows.ts";

export interface HistoryEntry {
  version: number;
  event: VersionEvent;
  /** 1 when the event made the version, else 0. */
  isContent: number;
  /** The number of the event within its record; 0 for content that is older than the history. */
  no: number;
  createdAt: number;
  /** The actor: both, or neither. */
  keyId: string | null;
  keyName: string | null;
  /** Null for events from before there were actors other than keys. */
  actorKind: ActorKind | null;
  /** The numbers of the changed fields, as JSON. */
  changed: string;
}

/** The position where a page of a history ended. */
export type HistoryPlace = Pick<HistoryEntry, "version" | "isContent" | "no">;

/** Returns the events of a record. Content that is older than the history counts as an event, too. */
const events = (record: number): SQL => sql`
  SELECT version, event, is_content AS isContent, no, created_at AS createdAt, key_id AS keyId, key_name AS keyName,
    actor_kind AS actorKind, changed FROM record_versions WHERE record = ${int(record)}
  UNION ALL
  SELECT version, CASE version WHEN 1 THEN 'created' ELSE 'updated' END, 1, 0, updated_at, NULL, NULL, NULL, '[]'
  FROM records r WHERE seq = ${int(record)} AND NOT EXISTS (SELECT 1 FROM record_versions v
    WHERE v.record = r.seq AND v.version = r.version AND v.is_content = 1)`;

/**
 * Returns at most `limit` events after `before`, newest first: the event that made a version comes after later ones of
 * it.
 */
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
  /** The values in the form of `records.data`. */
  data: string;
};

/** Returns the event that made a version, with its content; null if the version is not kept or never existed. */
export async function readVersion(
  db: Database,
  record: number,
  version: number,
): Promise<KeptVersion | null> {
  const found = await db.get<KeptVersion | undefined>(sql`
    SELECT e.*, coalesce((SELECT v.data FROM record_versions v
        WHERE v.record = ${int(record)} AND v.version = e.version AND v.is_content = 1),
      (SELECT p.data FROM record_locale_versions p WHERE p.record = ${int(record)} AND p.locale = 0
        AND p.version <= e.version AND p.until > e.version),
      (SELECT r.data FROM records r WHERE r.seq = ${int(record)}
        AND coalesce(r.locales ->> '$."0".v', r.version) <= e.version)) AS data
    FROM (${events(record)}) e WHERE e.version = ${int(version)} AND e.isContent = 1`);
  return found ?? null;
}

/** Returns what a version held in the locales but the default, joined. */
export async function readSidesOfVersion(db: Database, record: number, version: number): Promise<string> {
  const rows = await db.all<{ data: string }>(sql`
    SELECT p.data FROM record_locale_versions p WHERE p.record = ${int(record)} AND p.locale > 0
      AND p.version <= ${int(version)} AND p.until > ${int(version)}
    UNION ALL SELECT l.data FROM record_locales l CROSS JOIN records r ON r.seq = l.record
    WHERE l.record = ${int(record)} AND (r.locales ->> ('$."' || l.locale || '".v')) <= ${int(version)}`);
  return rows.reduce((all, { data }) => joined(all, data), "{}");
}

/** Removes at most `limit` events whose retention is over, of all records. @returns how many */
export async function removeDueVersions(db: Database, now: number, limit: number): Promise<number> {
  const { results } = await prepareSql(
    db,
    sql`DELETE FROM record_versions WHERE rowid IN (SELECT rowid FROM record_versions
      WHERE purge_at IS NOT NULL AND purge_at <= ${now}
        AND ${standsHere(sql`(SELECT r.space_id FROM records r WHERE r.seq = record)`)} LIMIT ${int(limit)}) RETURNING no`,
  ).all();
  return results.length;
}
