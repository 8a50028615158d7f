/**
 * What happened to records (RULES 3.13), written in the batch of each change, before the change and under the same
 * condition: both are true of the same row in the same transaction, so one is never there without the other.
 */
import { sql, type SQL } from "drizzle-orm";
import type { recordVersions } from "../../../schema/tables.ts";
import { DAY_MS, HISTORY } from "../../limits.ts";
import { int } from "./record-index.ts";

export type VersionRow = typeof recordVersions.$inferSelect;
export type VersionEvent = VersionRow["event"];

/** Who asked for a change: a key of the space; null for the root token and for the service itself. */
export type Author = { id: string; name: string } | null;

export interface RecordEvent {
  event: VersionEvent;
  author: Author;
  /** Milliseconds. */
  now: number;
  /** Numbers of the fields that it changes. */
  changed: readonly number[];
}

/** When what is not kept for ever goes, of the record `r`, by the plan of its space as it is now. */
const purgeTime = (now: number): SQL =>
  sql`${now} + (SELECT history_days FROM spaces s WHERE s.id = r.space_id) * ${int(DAY_MS)}`;

const NEXT_NO = sql`(SELECT coalesce(max(v.no), 0) + 1 FROM record_versions v WHERE v.record = r.seq)`;

const IS_PUBLISHED = sql`r.published_version = r.version
  AND EXISTS (SELECT 1 FROM models pm WHERE pm.id = r.model_id AND pm.drafts)`;

const columns = sql`record_versions
  (record, no, version, event, is_content, created_at, key_id, key_name, changed, purge_at, data)`;

/** Keeps what the record `r` that `records` holds for has now, which other content is about to replace. */
const keepContent = (records: SQL, now: number): SQL => sql`
  INSERT INTO ${columns}
  SELECT r.seq, ${NEXT_NO}, r.version, CASE r.version WHEN 1 THEN 'created' ELSE 'updated' END, 1, r.updated_at,
    NULL, NULL, '[]', CASE WHEN ${IS_PUBLISHED} THEN NULL ELSE ${purgeTime(now)} END, r.data
  FROM records r WHERE ${records}
  ON CONFLICT (record, version) WHERE is_content = 1
    DO UPDATE SET data = excluded.data, purge_at = excluded.purge_at`;

const author = ({ author }: RecordEvent): SQL => sql`${author?.id ?? null}, ${author?.name ?? null}`;

/** Events that leave so many later ones behind are removed, but for the present and the published content. */
const trim = (records: SQL): SQL => sql`
  DELETE FROM record_versions WHERE purge_at IS NOT NULL AND record IN (SELECT r.seq FROM records r WHERE ${records})
    AND no <= (SELECT max(v.no) FROM record_versions v WHERE v.record = record_versions.record)
      - ${int(HISTORY.eventsPerRecordMax)}`;

/**
 * Of the record `r` that `records` holds for, its next version, which other content is about to make. To be followed,
 * in the same batch, by the change itself under the same condition.
 */
export const nextVersion = (records: SQL, event: RecordEvent): SQL[] => [
  keepContent(records, event.now),
  sql`INSERT INTO ${columns}
    SELECT r.seq, ${NEXT_NO}, r.version + 1, ${event.event}, 1, max(${event.now}, r.updated_at), ${author(event)},
      ${JSON.stringify(event.changed)}, NULL, NULL
    FROM records r WHERE ${records}`,
  trim(records),
];

/** Of a new record `r`, its first version: to follow the statement that makes the record. */
export const firstVersion = (records: SQL, event: RecordEvent): SQL => sql`
  INSERT INTO ${columns}
  SELECT r.seq, 1, r.version, ${event.event}, 1, r.created_at, ${author(event)}, ${JSON.stringify(event.changed)}, NULL, NULL
  FROM records r WHERE ${records}`;

/** What leaves the content of the record `r` as it is. To be followed by the change under the same condition. */
export const sameVersion = (records: SQL, event: RecordEvent): SQL[] => [
  sql`INSERT INTO ${columns}
    SELECT r.seq, ${NEXT_NO}, r.version, ${event.event}, 0, ${event.now}, ${author(event)},
      ${JSON.stringify(event.changed)}, ${purgeTime(event.now)}, NULL
    FROM records r WHERE ${records}`,
  trim(records),
];

/** Contents of the record at `seq` that are neither its present one nor published have their time from now on. */
export const releaseVersions = (seq: number, now: number): SQL => sql`
  UPDATE record_versions AS v SET purge_at = (SELECT ${purgeTime(now)} FROM records r WHERE r.seq = v.record)
  WHERE v.record = ${int(seq)} AND v.is_content = 1 AND v.purge_at IS NULL AND EXISTS (SELECT 1 FROM records r
    WHERE r.seq = v.record AND v.version <> r.version AND v.version IS NOT r.published_version)`;

/** Removes all events of records: `seqs` is a list or a subquery. */
export const dropVersions = (seqs: SQL): SQL => sql`DELETE FROM record_versions WHERE record IN (${seqs})`;

/** The same, `limit` events at most, given back one row each. */
export const dropSomeVersions = (seqs: SQL, limit: number): SQL => sql`
  DELETE FROM record_versions WHERE rowid IN
    (SELECT v.rowid FROM record_versions v WHERE v.record IN (${seqs}) LIMIT ${int(limit)}) RETURNING no`;

/** Holds when the record `r` has no event left. */
export const HAS_NO_HISTORY = sql`NOT EXISTS (SELECT 1 FROM record_versions v WHERE v.record = r.seq)`;
