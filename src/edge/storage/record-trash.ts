/** Moves records to the trash, restores and removes them. Each is one batch, so index rows always match the records. */
import { sql, type SQL } from "drizzle-orm";
import type { Model, StoredContent } from "../content-model/model.ts";
import { batchSql, type Database } from "./database.ts";
import type { RecordRow } from "./entries.ts";
import type { PlannedWrite } from "./planned-write.ts";
import { publishedSeq, rowsOfRecord, UNPUBLISH, withdraw } from "./published.ts";
import { addIndexRows, dropIndexRows, int } from "./record-index.ts";
import {
  dropSomeVersions,
  dropVersions,
  HAS_NO_HISTORY,
  nextVersion,
  releaseVersions,
  sameVersion,
  type RecordEvent,
} from "./record-versions.ts";
import { modelIsCurrent } from "./records.ts";

type Versioned = Pick<RecordRow, "seq" | "version">;

const isAsRead = ({ seq, version }: Versioned): SQL =>
  sql`r.seq = ${int(seq)} AND r.version = ${int(version)} AND r.deleted_at IS NULL`;

const isIn = (seq: number, state: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM records o WHERE o.seq = ${int(seq)} AND ${state})`;

const isTrashed = (seq: number): SQL => isIn(seq, sql`o.deleted_at IS NOT NULL`);
const isGone = (seq: number): SQL => sql`NOT ${isIn(seq, sql`1`)}`;

/** A subquery of all rows of a record, if a condition holds. */
const rowsWhile = (seq: number, condition: SQL): SQL =>
  sql`SELECT ${int(seq)} WHERE ${condition} UNION ALL SELECT ${int(publishedSeq(seq))} WHERE ${condition}`;

/** Gives the published content of a record, if there is any, the same state as the record. */
const publishedFollows = (seq: number, state: SQL): SQL =>
  sql`UPDATE records SET deleted_at = (SELECT o.deleted_at FROM records o WHERE o.seq = ${int(seq)}),
      purge_at = (SELECT o.purge_at FROM records o WHERE o.seq = ${int(seq)})
    WHERE seq = ${int(publishedSeq(seq))} AND ${isIn(seq, state)}`;

const isDone = (rows: unknown[] | undefined): boolean => (rows ?? []).length > 0;

/**
 * Plans to move a record to the trash, which frees its unique values. The outcome is false when it changed meanwhile or
 * `condition` fails.
 */
export function trashRecord(
  record: Versioned,
  { deletedAt, purgeAt }: Pick<PageEntry, "deletedAt" | "purgeAt">,
  event: RecordEvent,
  condition: SQL = sql`1`,
): PlannedWrite<boolean> {
  const asRead = sql`${isAsRead(record)} AND ${condition}`;
  const history = sameVersion(asRead, event);
  const statements = [
    ...history,
    sql`UPDATE records AS r SET deleted_at = ${deletedAt}, purge_at = ${purgeAt} WHERE ${asRead} RETURNING seq`,
    publishedFollows(record.seq, sql`o.deleted_at IS NOT NULL`),
    ...dropIndexRows(rowsWhile(record.seq, isTrashed(record.seq))),
  ];
  return { statements, outcome: (rows) => isDone(rows[history.length]) };
}

/** Plans to remove a record at once. The outcome is false when it changed meanwhile or `condition` fails. */
export function removeRecord(record: Versioned, condition: SQL = sql`1`): PlannedWrite<boolean> {
  const statements = [
    sql`DELETE FROM records AS r WHERE ${isAsRead(record)} AND ${condition} RETURNING seq`,
    sql`DELETE FROM records WHERE seq = ${int(publishedSeq(record.seq))} AND ${isGone(record.seq)}`,
    ...dropIndexRows(rowsWhile(record.seq, isGone(record.seq))),
    dropVersions(rowsWhile(record.seq, isGone(record.seq))),
  ];
  return { statements, outcome: ([removed]) => isDone(removed) };
}

/** The entry of the trash that gets the present content of a page. */
export interface PageEntry {
  id: string;
  deletedAt: number;
  purgeAt: number;
}

/** Copies the content of a page to the trash, under a new id. */
const keepContent = (page: Versioned, entry: PageEntry): SQL => sql`
  INSERT INTO records (model_id, space_id, id, data, folded, size_bytes, version, created_at, updated_at,
    deleted_at, purge_at)
  SELECT model_id, space_id, ${entry.id}, data, folded, size_bytes, version, created_at, updated_at,
    ${entry.deletedAt}, ${entry.purgeAt}
  FROM records r WHERE ${isAsRead(page)}`;

/**
 * Gives a page other content. With `entry`, its previous content goes to the trash. `from` is the trash entry of the
 * new content, which is removed. False, with nothing written, when page, model or entry changed meanwhile.
 */
export async function replacePage(
  db: Database,
  model: Model,
  page: Versioned,
  content: StoredContent,
  options: { event: RecordEvent; entry: PageEntry | null; from?: number },
): Promise<boolean> {
  const { event, entry, from } = options;
  // Resetting a page unpublishes it.
  const isReset = event.event === "trashed";
  const fromIsThere = from === undefined ? sql`1` : sql`${isTrashed(from)}`;
  const holds = sql`${modelIsCurrent(model)} AND ${fromIsThere}`;
  const asRead = sql`${isAsRead(page)} AND ${holds}`;
  const before = [
    ...(entry ? [sql`${keepContent(page, entry)} AND ${holds}`] : []),
    ...nextVersion(asRead, event),
    ...(isReset ? [withdraw(page.seq, asRead)] : []),
  ];
  const results = await batchSql(db, [
    ...before,
    sql`UPDATE records AS r SET data = ${content.data}, folded = ${content.folded}, size_bytes = ${content.sizeBytes},
        version = version + 1, updated_at = max(${event.now}, updated_at) ${isReset ? sql`, ${UNPUBLISH}` : sql``}
      WHERE ${asRead} RETURNING seq`,
    releaseVersions(page.seq, event.now),
    ...dropIndexRows(rowsWhile(page.seq, modelIsCurrent(model))),
    ...addIndexRows(model.fields, sql`r.seq IN ${rowsOfRecord(page.seq)} AND ${modelIsCurrent(model)}`),
    // The page has a later version than when it was read only if this batch, or another writer, changed it.
    ...(from === undefined
      ? []
      : [
          sql`DELETE FROM records WHERE seq = ${int(from)} AND EXISTS (SELECT 1 FROM records p
            WHERE p.seq = ${int(page.seq)} AND p.version = ${int(page.version + 1)} AND p.data = ${content.data})`,
        ]),
  ]);
  return isDone(results[before.length]);
}

/** Restores a record. False when it is not in the trash, or the model changed. @throws when a unique value is taken */
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
    sql`UPDATE records AS r SET deleted_at = NULL, purge_at = NULL WHERE ${asTrashed} RETURNING seq`,
    publishedFollows(seq, sql`o.deleted_at IS NULL`),
    ...addIndexRows(model.fields, sql`r.seq IN ${rowsOfRecord(seq)} AND ${modelIsCurrent(model)}`),
  ]);
  return isDone(results[history.length]);
}

/** Removes a trashed record, which has no index rows, and its history. False when it is not in the trash. */
export async function purgeRecord(db: Database, spaceId: string, id: string): Promise<boolean> {
  const asTrashed = sql`r.id = ${id} AND r.space_id = ${spaceId} AND r.deleted_at IS NOT NULL`;
  const [, purged] = await batchSql(db, [
    dropVersions(sql`SELECT r.seq FROM records r WHERE ${asTrashed}`),
    sql`DELETE FROM records AS r WHERE ${asTrashed} RETURNING seq`,
  ]);
  return isDone(purged);
}

/**
 * Removes trashed records whose retention is over, at most `limit`. Their histories are removed first, at most `limit`
 * events at once. @returns the number of removed records, and of all removed rows
 */
export async function purgeDueRecords(
  db: Database,
  now: number,
  limit: number,
): Promise<{ records: number; rows: number }> {
  const due = sql`SELECT seq FROM records WHERE purge_at IS NOT NULL AND purge_at <= ${now} LIMIT ${int(limit)}`;
  const [versions, records] = await batchSql(db, [
    dropSomeVersions(due, limit),
    sql`DELETE FROM records AS r WHERE r.seq IN (${due}) AND ${HAS_NO_HISTORY} RETURNING seq`,
  ]);
  const rows = (records?.length ?? 0) + (versions?.length ?? 0);
  return { records: ((records ?? []) as { seq: number }[]).filter(({ seq }) => seq > 0).length, rows };
}
