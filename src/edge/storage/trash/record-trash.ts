/** Moves records to the trash, restores and removes them. Each is one batch, so index rows always match the records. */
import { sql, type SQL } from "drizzle-orm";
import type { Model } from "../../../content/model/model.ts";
import { batchSql, type Database } from "../database/database.ts";
import type { PlannedWrite } from "../database/planned-write.ts";
import { OF_SYSTEM } from "../events/actor.ts";
import { NO_FACTS, recordEvent, type PlanEvent } from "../events/record-events.ts";
import { publishedSeq, rowsOfRecord } from "../records/published.ts";
import { addAllIndexRows, dropIndexRows, int } from "../records/record-index.ts";
import { isUnreferenced, type Referenced } from "../references/references.ts";
import {
  dropSomeVersions,
  dropVersions,
  HAS_NO_HISTORY,
  sameVersion,
  type RecordEvent,
} from "../history/record-versions.ts";
import { modelIsCurrent, type VersionedRecord } from "../records/records.ts";
import { standsHere } from "../shards/space-rows.ts";

/** Returns the condition that the record `r` is as it was read, and not in the trash. */
export const isAsRead = ({ seq, version }: VersionedRecord): SQL =>
  sql`r.seq = ${int(seq)} AND r.version = ${int(version)} AND r.deleted_at IS NULL`;

const isIn = (seq: number, state: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM records o WHERE o.seq = ${int(seq)} AND ${state})`;

export const isTrashed = (seq: number): SQL => isIn(seq, sql`o.deleted_at IS NOT NULL`);
const isGone = (seq: number): SQL => sql`NOT ${isIn(seq, sql`1`)}`;

/** Returns a subquery of all rows of a record, if a condition holds. */
export const rowsWhile = (seq: number, condition: SQL): SQL =>
  sql`SELECT ${int(seq)} WHERE ${condition} UNION ALL SELECT ${int(publishedSeq(seq))} WHERE ${condition}`;

/** Gives the published content of a record, if there is any, the same state as the record. */
const publishedFollows = (seq: number, state: SQL): SQL =>
  sql`UPDATE records SET deleted_at = (SELECT o.deleted_at FROM records o WHERE o.seq = ${int(seq)}),
      purge_at = (SELECT o.purge_at FROM records o WHERE o.seq = ${int(seq)})
    WHERE seq = ${int(publishedSeq(seq))} AND ${isIn(seq, state)}`;

const isDone = (rows: unknown[] | undefined): boolean => (rows ?? []).length > 0;

/** The times at which content was moved to the trash and is removed from there, in milliseconds. */
export interface Retention {
  deletedAt: number;
  purgeAt: number;
}

/**
 * Plans to move a record to the trash, which frees its unique values. The outcome is false if the record changed
 * meanwhile, or if something refers to `unreferenced`.
 */
export function trashRecord(
  record: VersionedRecord,
  { deletedAt, purgeAt }: Retention,
  event: RecordEvent,
  unreferenced: Referenced | null = null,
): PlannedWrite<boolean> {
  const asRead = sql`${isAsRead(record)} AND ${isUnreferenced(unreferenced)}`;
  const history = sameVersion(asRead, event);
  const statements = [
    ...history,
    sql`UPDATE records AS r SET deleted_at = ${deletedAt}, purge_at = ${purgeAt} WHERE ${asRead} RETURNING seq`,
    publishedFollows(record.seq, sql`o.deleted_at IS NOT NULL`),
    ...dropIndexRows(rowsWhile(record.seq, isTrashed(record.seq))),
  ];
  return { statements, outcome: (rows) => isDone(rows[history.length]) };
}

/** Plans to remove a record at once. Its outcome is false in the same cases. */
export function removeRecord(
  record: VersionedRecord,
  event: PlanEvent,
  unreferenced: Referenced | null = null,
): PlannedWrite<boolean> {
  const asRead = sql`${isAsRead(record)} AND ${isUnreferenced(unreferenced)}`;
  const statements = [
    recordEvent(asRead, event),
    sql`DELETE FROM records AS r WHERE ${asRead} RETURNING seq`,
    sql`DELETE FROM records WHERE seq = ${int(publishedSeq(record.seq))} AND ${isGone(record.seq)}`,
    ...dropIndexRows(rowsWhile(record.seq, isGone(record.seq))),
    dropVersions(rowsWhile(record.seq, isGone(record.seq))),
  ];
  return { statements, outcome: ([, removed]) => isDone(removed) };
}

/** Returns the SQL of a plan that is still to come; NULL for one whose time has passed. */
const toCome = (column: "publish_at" | "unpublish_at", now: number): SQL =>
  sql`CASE WHEN ${sql.raw(column)} > ${now} THEN ${sql.raw(column)} END`;

/**
 * Returns the assignments that keep the plans of locales which are still to come. The plans of the default locale are
 * columns of their own.
 */
function localePlansToCome(now: number): SQL {
  const toDrop = (name: "pub" | "unpub"): SQL =>
    sql`CASE WHEN j.value ->> ${sql.raw(`'${name}'`)} <= ${now} THEN ${sql.raw(`'$.${name}'`)} ELSE '$.none' END`;
  const left = sql`(SELECT json_group_object(j.key, json_remove(j.value, ${toDrop("pub")}, ${toDrop("unpub")}))
    FROM json_each(r.locales) j)`;
  const next = sql`(SELECT min(p.value) FROM json_each(r.locales) j CROSS JOIN json_each(j.value) p
    WHERE p.key IN ('pub', 'unpub') AND p.value > ${now})`;
  const isOver = sql`r.locale_plan_at <= ${now}`;
  return sql`locales = CASE WHEN ${isOver} THEN ${left} ELSE r.locales END,
    locale_plan_at = CASE WHEN ${isOver} THEN ${next} ELSE r.locale_plan_at END`;
}

/**
 * Restores a record, without the plans whose time has passed meanwhile. False when it is not in the trash, or the model
 * changed.
 * @throws when a unique value is taken
 */
export async function restoreRecord(
  db: Database,
  model: Model,
  seq: number,
  event: RecordEvent,
): Promise<boolean> {
  const asTrashed = sql`r.seq = ${int(seq)} AND r.deleted_at IS NOT NULL AND ${modelIsCurrent(model)}`;
  const history = sameVersion(asTrashed, event);
  const results = await batchSql(db, [
    ...history,
    sql`UPDATE records AS r SET deleted_at = NULL, purge_at = NULL, publish_at = ${toCome("publish_at", event.now)},
        unpublish_at = ${toCome("unpublish_at", event.now)}, ${localePlansToCome(event.now)}
      WHERE ${asTrashed} RETURNING seq`,
    publishedFollows(seq, sql`o.deleted_at IS NULL`),
    ...addAllIndexRows(model.fields, sql`r.seq IN ${rowsOfRecord(seq)} AND ${modelIsCurrent(model)}`),
  ]);
  return isDone(results[history.length]);
}

/** Removes a trashed record, which has no index rows, and its history. False when it is not in the trash. */
export async function deleteTrashedRecord(
  db: Database,
  spaceId: string,
  id: string,
  { origin, now }: Pick<PlanEvent, "origin" | "now">,
): Promise<boolean> {
  const asTrashed = sql`r.id = ${id} AND r.space_id = ${spaceId} AND r.deleted_at IS NOT NULL`;
  const [, , purged] = await batchSql(db, [
    recordEvent(sql`${asTrashed} AND r.model_id > 0`, { event: "removed", origin, now, facts: NO_FACTS }),
    dropVersions(sql`SELECT r.seq FROM records r WHERE ${asTrashed}`),
    sql`DELETE FROM records AS r WHERE ${asTrashed} RETURNING seq`,
  ]);
  return isDone(purged);
}

/**
 * Removes trashed records whose retention is over, at most `limit`. Their histories are removed first, at most `limit`
 * events at once. @returns the number of removed records, and of all removed rows
 */
export async function deleteExpiredRecords(
  db: Database,
  now: number,
  limit: number,
): Promise<{ records: number; rows: number }> {
  const due = sql`SELECT seq FROM records WHERE purge_at IS NOT NULL AND purge_at <= ${now}
    AND ${standsHere(sql`space_id`)} ORDER BY purge_at, seq LIMIT ${int(limit)}`;
  const areDue = sql`r.seq IN (${due}) AND ${HAS_NO_HISTORY}`;
  const event = { event: "removed", origin: OF_SYSTEM, now, facts: NO_FACTS } as const;
  const [versions, , records] = await batchSql(db, [
    dropSomeVersions(due, limit),
    recordEvent(sql`${areDue} AND r.model_id > 0`, event),
    sql`DELETE FROM records AS r WHERE ${areDue} RETURNING seq`,
  ]);
  const rows = (records?.length ?? 0) + (versions?.length ?? 0);
  return { records: ((records ?? []) as { seq: number }[]).filter(({ seq }) => seq > 0).length, rows };
}
