/**
 * Writes the history of records (RULES 3.13), in the batch of each change, before the change and under the same
 * condition, so that there is never a change without its event or an event without its change.
 */
import { sql, type SQL } from "drizzle-orm";
import type { recordVersions } from "../../../../schema/tables.ts";
import { DAY_MS, HISTORY } from "../../../limits.ts";
import type { Origin } from "../events/actor.ts";
import { recordEvent, type RecordFacts } from "../events/record-events.ts";
import { int } from "../records/record-index.ts";

export type VersionRow = typeof recordVersions.$inferSelect;
export type VersionEvent = VersionRow["event"];

export interface RecordEvent {
  event: VersionEvent;
  origin: Origin;
  /** The present time in milliseconds. */
  now: number;
  /** Numbers of the fields that the event changes. */
  changed: readonly number[];
  facts: RecordFacts;
}

/**
 * Returns the time at which an event of the record `r` that begins its retention now is removed, by the plan of its
 * space.
 */
const purgeTime = (now: number): SQL =>
  sql`${now} + (SELECT history_days FROM spaces s WHERE s.id = r.space_id) * ${int(DAY_MS)}`;

const NEXT_NO = sql`(SELECT coalesce(max(v.no), 0) + 1 FROM record_versions v WHERE v.record = r.seq)`;

/** Returns the condition that a version of the record `r` is published, in some locale. */
const isPublished = (version: string): SQL =>
  sql.raw(`(${version} IS r.published_version
  OR EXISTS (SELECT 1 FROM json_each(r.locales) j WHERE j.value ->> 'p' = ${version}))`);

const IS_PUBLISHED = sql`${isPublished("r.version")}
  AND EXISTS (SELECT 1 FROM models pm WHERE pm.id = r.model_id AND pm.drafts)`;

const columns = sql`record_versions
  (record, no, version, event, is_content, created_at, key_id, key_name, actor_kind, changed, purge_at, data)`;

/**
 * Stores the present content of the records `r` for which `records` holds, before other content replaces it.
 * @param isInParts whether the caller keeps what the change replaces as parts (src/edge/storage/locales/sides.ts)
 */
const keepContent = (records: SQL, now: number, isInParts: boolean): SQL => sql`
  INSERT INTO ${columns}
  SELECT r.seq, ${NEXT_NO}, r.version, CASE r.version WHEN 1 THEN 'created' ELSE 'updated' END, 1, r.updated_at,
    NULL, NULL, NULL, '[]', CASE WHEN ${IS_PUBLISHED} THEN NULL ELSE ${purgeTime(now)} END,
    ${isInParts ? sql`NULL` : sql`r.data`}
  FROM records r WHERE ${records}
  ON CONFLICT (record, version) WHERE is_content = 1
    DO UPDATE SET data = excluded.data, purge_at = excluded.purge_at`;

const author = ({ origin: { actor } }: RecordEvent): SQL => sql`${actor.id}, ${actor.name}, ${actor.kind}`;

/** Removes events beyond the limit per record, except for the present and the published content. */
const trim = (records: SQL): SQL => sql`
  DELETE FROM record_versions WHERE purge_at IS NOT NULL AND record IN (SELECT r.seq FROM records r WHERE ${records})
    AND no <= (SELECT max(v.no) FROM record_versions v WHERE v.record = record_versions.record)
      - ${int(HISTORY.eventsPerRecordMax)}`;

/**
 * Writes the next version of the record `r` for which `records` holds. The change itself must follow in the same batch,
 * under the same condition.
 */
export const nextVersion = (records: SQL, event: RecordEvent, isInParts = false): SQL[] => [
  keepContent(records, event.now, isInParts),
  sql`INSERT INTO ${columns}
    SELECT r.seq, ${NEXT_NO}, r.version + 1, ${event.event}, 1, max(${event.now}, r.updated_at), ${author(event)},
      ${JSON.stringify(event.changed)}, NULL, NULL
    FROM records r WHERE ${records}`,
  trim(records),
  recordEvent(records, event, sql`r.version + 1`),
];

/** Writes the first version of a new record `r`. It must follow the statement that makes the record. */
export const firstVersion = (records: SQL, event: RecordEvent): SQL[] => [
  sql`INSERT INTO ${columns}
    SELECT r.seq, 1, r.version, ${event.event}, 1, r.created_at, ${author(event)}, ${JSON.stringify(event.changed)}, NULL, NULL
    FROM records r WHERE ${records}`,
  recordEvent(records, event),
];

/** Writes an event that does not change the content of `r`. The change must follow under the same condition. */
export const sameVersion = (records: SQL, event: RecordEvent): SQL[] => [
  sql`INSERT INTO ${columns}
    SELECT r.seq, ${NEXT_NO}, r.version, ${event.event}, 0, ${event.now}, ${author(event)},
      ${JSON.stringify(event.changed)}, ${purgeTime(event.now)}, NULL
    FROM records r WHERE ${records}`,
  trim(records),
  recordEvent(records, event),
];

/** Begins the retention of those contents of the record `seq` that are neither present nor published. */
export const releaseVersions = (seq: number, now: number): SQL => sql`
  UPDATE record_versions AS v SET purge_at = (SELECT ${purgeTime(now)} FROM records r WHERE r.seq = v.record)
  WHERE v.record = ${int(seq)} AND v.is_content = 1 AND v.purge_at IS NULL AND EXISTS (SELECT 1 FROM records r
    WHERE r.seq = v.record AND v.version <> r.version AND NOT ${isPublished("v.version")})`;

/** Keeps the published version of the record `seq`, whose retention has begun, if its content is still there. */
export const holdPublishedVersion = (seq: number): SQL => sql`
  UPDATE record_versions AS v SET purge_at = NULL WHERE v.record = ${int(seq)} AND v.is_content = 1
    AND EXISTS (SELECT 1 FROM records r WHERE r.seq = v.record AND ${isPublished("v.version")})`;

/** Removes all events of records. `seqs` is an SQL list or subquery. */
export const dropVersions = (seqs: SQL): SQL => sql`DELETE FROM record_versions WHERE record IN (${seqs})`;

/** Removes at most `limit` events of records, and returns one row for each. */
export const dropSomeVersions = (seqs: SQL, limit: number): SQL => sql`
  DELETE FROM record_versions WHERE rowid IN
    (SELECT v.rowid FROM record_versions v WHERE v.record IN (${seqs}) LIMIT ${int(limit)}) RETURNING no`;

/** The condition that the record `r` has no events left. */
export const HAS_NO_HISTORY = sql`NOT EXISTS (SELECT 1 FROM record_versions v WHERE v.record = r.seq)`;
