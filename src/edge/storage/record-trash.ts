/** Records into the trash, back and away. Each is one batch: no crash leaves a record apart from its index rows. */
import { sql, type SQL } from "drizzle-orm";
import type { Model, StoredContent } from "../content-model/model.ts";
import { batchSql, type Database } from "./database.ts";
import type { RecordRow } from "./entries.ts";
import { addIndexRows, dropIndexRows, int } from "./record-index.ts";
import {
  dropSomeVersions,
  dropVersions,
  HAS_NO_HISTORY,
  nextVersion,
  sameVersion,
  type RecordEvent,
} from "./record-versions.ts";
import { modelIsCurrent } from "./records.ts";

type Versioned = Pick<RecordRow, "seq" | "version">;

const isAsRead = ({ seq, version }: Versioned): SQL =>
  sql`r.seq = ${int(seq)} AND r.version = ${int(version)} AND r.deleted_at IS NULL`;

const trashedSeq = (seq: number): SQL =>
  sql`SELECT seq FROM records WHERE seq = ${int(seq)} AND deleted_at IS NOT NULL`;

const goneSeq = (seq: number): SQL =>
  sql`SELECT ${int(seq)} WHERE NOT EXISTS (SELECT 1 FROM records WHERE seq = ${int(seq)})`;

const isDone = (rows: unknown[] | undefined): boolean => (rows ?? []).length > 0;

/** False when the record changed meanwhile, or `condition` fails. Its unique values are free from here on. */
export async function trashRecord(
  db: Database,
  record: Versioned,
  { deletedAt, purgeAt }: Pick<PageEntry, "deletedAt" | "purgeAt">,
  event: RecordEvent,
  condition: SQL = sql`1`,
): Promise<boolean> {
  const asRead = sql`${isAsRead(record)} AND ${condition}`;
  const history = sameVersion(asRead, event);
  const results = await batchSql(db, [
    ...history,
    sql`UPDATE records AS r SET deleted_at = ${deletedAt}, purge_at = ${purgeAt} WHERE ${asRead} RETURNING seq`,
    ...dropIndexRows(trashedSeq(record.seq)),
  ]);
  return isDone(results[history.length]);
}

/** False when the record changed meanwhile, or `condition` fails. */
export async function removeRecord(
  db: Database,
  record: Versioned,
  condition: SQL = sql`1`,
): Promise<boolean> {
  const [removed] = await batchSql(db, [
    sql`DELETE FROM records AS r WHERE ${isAsRead(record)} AND ${condition} RETURNING seq`,
    ...dropIndexRows(goneSeq(record.seq)),
    dropVersions(goneSeq(record.seq)),
  ]);
  return isDone(removed);
}

/** Where a page's present content goes: an entry of the trash. */
export interface PageEntry {
  id: string;
  deletedAt: number;
  purgeAt: number;
}

/** Copies a page's content into the trash, under an entry id of its own. */
const keepContent = (page: Versioned, entry: PageEntry): SQL => sql`
  INSERT INTO records (model_id, space_id, id, data, folded, size_bytes, version, created_at, updated_at,
    deleted_at, purge_at)
  SELECT model_id, space_id, ${entry.id}, data, folded, size_bytes, version, created_at, updated_at,
    ${entry.deletedAt}, ${entry.purgeAt}
  FROM records r WHERE ${isAsRead(page)}`;

/**
 * Gives a page other content; what it held goes to the trash when `entry` is given. `from` is the trash entry that
 * the content came from, which is used up. False when page, model or entry changed meanwhile: nothing is written.
 */
export async function replacePage(
  db: Database,
  model: Model,
  page: Versioned,
  content: StoredContent,
  options: { event: RecordEvent; entry: PageEntry | null; from?: number },
): Promise<boolean> {
  const { event, entry, from } = options;
  const fromIsThere = from === undefined ? sql`1` : sql`EXISTS (${trashedSeq(from)})`;
  const holds = sql`${modelIsCurrent(model)} AND ${fromIsThere}`;
  const asRead = sql`${isAsRead(page)} AND ${holds}`;
  const before = [
    ...(entry ? [sql`${keepContent(page, entry)} AND ${holds}`] : []),
    ...nextVersion(asRead, event),
  ];
  const results = await batchSql(db, [
    ...before,
    sql`UPDATE records AS r SET data = ${content.data}, folded = ${content.folded}, size_bytes = ${content.sizeBytes},
        version = version + 1, updated_at = max(${event.now}, updated_at) WHERE ${asRead} RETURNING seq`,
    ...dropIndexRows(sql`${int(page.seq)}`),
    ...addIndexRows(model.fields, sql`r.seq = ${int(page.seq)}`),
    // The page is past the version it was read at only if this batch, or another writer, changed it.
    ...(from === undefined
      ? []
      : [
          sql`DELETE FROM records WHERE seq = ${int(from)} AND EXISTS (SELECT 1 FROM records p
            WHERE p.seq = ${int(page.seq)} AND p.version = ${int(page.version + 1)} AND p.data = ${content.data})`,
        ]),
  ]);
  return isDone(results[before.length]);
}

/** Back as it was. False when it is not in the trash any more, or the model changed. Throws on a value taken. */
export async function restoreRecord(
  db: Database,
  model: Model,
  seq: number,
  event: RecordEvent,
): Promise<boolean> {
  const isTrashed = sql`r.seq = ${int(seq)} AND r.deleted_at IS NOT NULL AND ${modelIsCurrent(model)}`;
  const history = sameVersion(isTrashed, event);
  const results = await batchSql(db, [
    ...history,
    sql`UPDATE records AS r SET deleted_at = NULL, purge_at = NULL WHERE ${isTrashed} RETURNING seq`,
    ...addIndexRows(model.fields, sql`r.seq = ${int(seq)}`),
  ]);
  return isDone(results[history.length]);
}

/** False when it is not in the trash. A trashed record has no index rows; its history goes with it. */
export async function purgeRecord(db: Database, spaceId: string, id: string): Promise<boolean> {
  const isTrashed = sql`r.id = ${id} AND r.space_id = ${spaceId} AND r.deleted_at IS NOT NULL`;
  const [, purged] = await batchSql(db, [
    dropVersions(sql`SELECT r.seq FROM records r WHERE ${isTrashed}`),
    sql`DELETE FROM records AS r WHERE ${isTrashed} RETURNING seq`,
  ]);
  return isDone(purged);
}

/**
 * Removes trashed records whose time is over, `limit` at most, once their histories are gone: of those, as many events
 * go before. How many rows went of either kind.
 */
export async function purgeDueRecords(
  db: Database,
  now: number,
  limit: number,
): Promise<{ records: number; versions: number }> {
  const due = sql`SELECT seq FROM records WHERE purge_at IS NOT NULL AND purge_at <= ${now} LIMIT ${int(limit)}`;
  const [versions, records] = await batchSql(db, [
    dropSomeVersions(due, limit),
    sql`DELETE FROM records AS r WHERE r.seq IN (${due}) AND ${HAS_NO_HISTORY} RETURNING seq`,
  ]);
  return { records: records?.length ?? 0, versions: versions?.length ?? 0 };
}
