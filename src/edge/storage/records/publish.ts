/** Plans to publish and unpublish records of models with drafts (RULES 3.14): one batch each, index rows included. */
import { sql, type SQL } from "drizzle-orm";
import type { Model } from "../../../content/model/model.ts";
import type { PlannedWrite } from "../database/planned-write.ts";
import { recordEvent, type PlanEvent } from "../events/record-events.ts";
import { modelNumbers, publishedSeq, rowsOfRecord, withdraw } from "./published.ts";
import { addAllIndexRows, dropIndexRows, int } from "./record-index.ts";
import { releaseVersions, sameVersion, type RecordEvent } from "../history/record-versions.ts";
import { modelIsCurrent, type VersionedRecord } from "./records.ts";

/** Returns the condition that record and model are unchanged since they were read, and that `schedule` holds. */
export const isAsRead = (model: Model, { seq, version }: VersionedRecord, schedule: SQL = sql`1`): SQL => sql`
  r.seq = ${int(seq)} AND r.version = ${int(version)} AND r.deleted_at IS NULL AND ${schedule}
  AND ${modelIsCurrent(model)}`;

/** Writes anew the index rows of the published content, and the unique values of draft and published content. */
export function reindex(model: Model, seq: number): SQL[] {
  const holds = modelIsCurrent(model);
  const all = sql`r.seq IN ${rowsOfRecord(seq)} AND r.model_id IN ${modelNumbers(model)} AND ${holds}`;
  return [
    ...dropIndexRows(sql`SELECT ${int(publishedSeq(seq))} WHERE ${holds}`),
    sql`DELETE FROM record_uniques WHERE record = ${int(seq)} AND ${holds}`,
    ...addAllIndexRows(model.fields, sql`r.seq = ${int(publishedSeq(seq))} AND ${holds}`, all),
  ];
}

/** Returns whether the statement with this index has returned a row. */
export const hasRow =
  (index: number) =>
  (rows: unknown[][]): boolean =>
    (rows[index] ?? []).length > 0;

/**
 * Returns the first publication of the record `r`, which is published now. Older rows have the time of the last one
 * alone.
 */
export const firstPublication = (now: number): SQL =>
  sql`coalesce(r.first_published_at, r.published_at, ${now})`;

/**
 * Publishes the draft, and cancels any plan to publish. Its outcome is false when record or model changed meanwhile.
 * @param due the planned time at which this is done; null if a caller asked for it now
 */
export function publishRecord(
  model: Model,
  record: VersionedRecord,
  { event, due }: { event: RecordEvent; due: number | null },
): PlannedWrite<boolean> {
  const { seq } = record;
  const asRead = isAsRead(model, record, due === null ? sql`1` : sql`r.publish_at = ${due}`);
  const before = [
    ...sameVersion(asRead, event),
    sql`
      INSERT INTO records (seq, model_id, space_id, id, data, folded, size_bytes, version, created_at, updated_at,
        created_by, updated_by, published_version, published_at, first_published_at)
      SELECT ${int(publishedSeq(seq))}, -r.model_id, r.space_id, r.id, r.data, r.folded, r.size_bytes, r.version,
        r.created_at, r.updated_at, r.created_by, r.updated_by, r.version, ${event.now}, ${firstPublication(event.now)}
      FROM records r WHERE ${asRead}
      ON CONFLICT (seq) DO UPDATE SET data = excluded.data, folded = excluded.folded,
        size_bytes = excluded.size_bytes, version = excluded.version, updated_at = excluded.updated_at,
        updated_by = excluded.updated_by, published_version = excluded.published_version, published_at = excluded.published_at,
        first_published_at = excluded.first_published_at`,
  ];
  const statements = [
    ...before,
    sql`UPDATE records AS r SET published_version = version, published_at = ${event.now}, publish_at = NULL,
        first_published_at = ${firstPublication(event.now)}
      WHERE ${asRead} RETURNING seq`,
    releaseVersions(seq, event.now),
    ...reindex(model, seq),
  ];
  return { statements, outcome: hasRow(before.length) };
}

/**
 * Unpublishes the record, so that only its draft is left, and cancels any plan to unpublish. Its outcome is as above.
 */
export function unpublishRecord(
  model: Model,
  record: VersionedRecord,
  { event, due }: { event: RecordEvent; due: number | null },
): PlannedWrite<boolean> {
  const { seq } = record;
  const schedule = due === null ? sql`1` : sql`r.unpublish_at = ${due}`;
  const asRead = isAsRead(model, record, sql`r.published_version IS NOT NULL AND ${schedule}`);
  const before = [...sameVersion(asRead, event), withdraw(seq, asRead)];
  const statements = [
    ...before,
    sql`UPDATE records AS r SET published_version = NULL, published_at = NULL, unpublish_at = NULL,
        first_published_at = coalesce(first_published_at, published_at)
      WHERE ${asRead} RETURNING seq`,
    releaseVersions(seq, event.now),
    ...reindex(model, seq),
  ];
  return { statements, outcome: hasRow(before.length) };
}

export type Schedule = "publishAt" | "unpublishAt";

const columnOf = (schedule: Schedule): SQL =>
  sql.raw(schedule === "publishAt" ? "publish_at" : "unpublish_at");

/** Cancels all plans. Its outcome is false when record or model changed meanwhile. */
export const cancelPlans = (
  model: Model,
  record: VersionedRecord,
  event: PlanEvent,
): PlannedWrite<boolean> => ({
  statements: [
    recordEvent(isAsRead(model, record), event),
    sql`UPDATE records AS r SET publish_at = NULL, unpublish_at = NULL WHERE ${isAsRead(model, record)} RETURNING seq`,
  ],
  outcome: hasRow(1),
});

/** Sets or clears the times of plans. Its outcome is false when record or model changed meanwhile. */
export const planRecord = (
  model: Model,
  record: VersionedRecord,
  { schedule, at }: { schedule: Schedule; at: number | null },
  event: PlanEvent,
): PlannedWrite<boolean> => ({
  statements: [
    recordEvent(isAsRead(model, record), event),
    sql`UPDATE records AS r SET ${columnOf(schedule)} = ${at} WHERE ${isAsRead(model, record)} RETURNING seq`,
  ],
  outcome: hasRow(1),
});
