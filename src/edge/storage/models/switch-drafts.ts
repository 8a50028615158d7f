/**
 * Switches drafts of a model on or off (RULES 3.14). To switch them on, all records are first published in slices, to
 * rows that nobody reads yet; the batch of the switch then corrects those that changed meanwhile. Without drafts a record
 * is public once it is there, so its first publication is its creation. Until the switch succeeds,
 * and after drafts were switched off, the rows are marked as doomed, and the sweep removes them in slices.
 */
import { sql, type SQL } from "drizzle-orm";
import type { Model } from "../../../content/model/model.ts";
import type { StoredField } from "../../../content/field-types/fields.ts";
import { CONTENT, DAY_MS } from "../../../limits.ts";
import { batchSql, type Database } from "../database/database.ts";
import { publishedSeqOf } from "../records/published.ts";
import { addIndexRows, dropIndexRows, int } from "../records/record-index.ts";

/** In the table of doomed fields, this number stands for all published contents of a model. No field has it. */
export const ALL_PUBLISHED = 0;

const twinOf = publishedSeqOf(sql`r.seq`);

/** The condition for published contents that differ from their record, or whose record does not exist any more. */
const isStale = (id: number): SQL => sql`p.model_id = ${int(-id)} AND NOT EXISTS (SELECT 1 FROM records r
  WHERE r.model_id = ${int(id)} AND r.id = p.id AND ${twinOf} = p.seq AND r.version = p.version
    AND r.deleted_at IS p.deleted_at)`;

const publishAll = (records: SQL, now: number): SQL => sql`
  INSERT INTO records (seq, model_id, space_id, id, data, folded, size_bytes, version, created_at, updated_at,
    deleted_at, purge_at, published_version, published_at, first_published_at)
  SELECT ${twinOf}, -r.model_id, r.space_id, r.id, r.data, r.folded, r.size_bytes, r.version, r.created_at,
    r.updated_at, r.deleted_at, r.purge_at, r.version, ${now}, r.created_at
  FROM records r WHERE ${records}
  ON CONFLICT (seq) DO UPDATE SET data = excluded.data, folded = excluded.folded, size_bytes = excluded.size_bytes,
    version = excluded.version, updated_at = excluded.updated_at, deleted_at = excluded.deleted_at,
    purge_at = excluded.purge_at, published_version = excluded.published_version,
    published_at = excluded.published_at, first_published_at = excluded.first_published_at`;

const markAll = (records: SQL, now: number): SQL => sql`
  UPDATE records AS r SET published_version = version, published_at = ${now}, first_published_at = created_at,
    publish_at = NULL, unpublish_at = NULL
  WHERE ${records}`;

/** The fields as not unique: their records hold the unique values already. */
const plain = (fields: StoredField[]): StoredField[] =>
  fields.map((field) => ({ ...field, unique: false }) as StoredField);

/** Begins the switch. It must be called before any slice, so that the sweep does not remove rows meanwhile. */
export async function beginDrafts(db: Database, id: number, now: number): Promise<void> {
  await batchSql(db, [
    sql`INSERT OR REPLACE INTO doomed_fields (model_id, field, due_at)
      VALUES (${int(-id)}, ${int(ALL_PUBLISHED)}, ${now + DAY_MS})`,
  ]);
}

/** Publishes a slice of records after `afterId`. @returns the last id; null at the end */
export async function publishSlice(
  db: Database,
  { id, fields }: Pick<Model, "id" | "fields">,
  afterId: string,
  now: number,
): Promise<string | null> {
  const slice = await db.all<{ id: string }>(sql`SELECT id FROM records
    WHERE model_id = ${int(id)} AND id > ${afterId} ORDER BY id LIMIT ${int(CONTENT.publishedRecordsBatch)}`);
  const end = slice.at(-1);
  if (!end) return null;
  const isInSlice = (number: number): SQL =>
    sql`r.model_id = ${int(number)} AND r.id > ${afterId} AND r.id <= ${end.id}`;
  await batchSql(db, [
    publishAll(isInSlice(id), now),
    markAll(isInSlice(id), now),
    ...dropIndexRows(sql`SELECT r.seq FROM records r WHERE ${isInSlice(-id)}`),
    ...addIndexRows(plain(fields), isInSlice(-id)),
  ]);
  return end.id;
}

/** Statements for the batch of the switch, which publish the records that changed after their slice. */
export function finishDrafts({ id, fields }: Pick<Model, "id" | "fields">, now: number): SQL[] {
  const lacksTwin = sql`r.model_id = ${int(id)} AND NOT EXISTS (SELECT 1 FROM records p WHERE p.seq = ${twinOf})`;
  const lacksRows = sql`r.model_id = ${int(-id)}
    AND NOT EXISTS (SELECT 1 FROM record_values x WHERE x.record = r.seq)`;
  return [
    ...dropIndexRows(sql`SELECT p.seq FROM records p WHERE ${isStale(id)}`),
    sql`DELETE FROM records AS p WHERE ${isStale(id)}`,
    publishAll(lacksTwin, now),
    markAll(sql`r.model_id = ${int(id)} AND r.published_version IS NOT r.version`, now),
    ...addIndexRows(plain(fields), lacksRows),
    sql`DELETE FROM doomed_fields WHERE model_id = ${int(-id)} AND field = ${int(ALL_PUBLISHED)}`,
  ];
}

const UNPUBLISHED = sql.raw("published_version IS NOT version");

/** The condition that no record of the model, trashed ones included, has a draft that is not published. */
export const nothingUnpublished = (id: number): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM records WHERE model_id = ${int(id)} AND ${UNPUBLISHED})`;

export async function countUnpublished(db: Database, id: number): Promise<number> {
  const found = await db.get<{ n: number }>(
    sql`SELECT count(*) AS n FROM records WHERE model_id = ${int(id)} AND ${UNPUBLISHED}`,
  );
  return found.n;
}

/** Marks the published contents of a model as doomed, for the sweep. */
export const doomPublished = (id: number, now: number): SQL => sql`
  INSERT OR REPLACE INTO doomed_fields (model_id, field, due_at) VALUES (${int(-id)}, ${int(ALL_PUBLISHED)}, ${now})`;

/** Removes at most `limit` doomed published contents of a model without drafts, with index rows. @returns how many */
export async function removePublished(db: Database, id: number, now: number, limit: number): Promise<number> {
  const seqs = sql`SELECT seq FROM records WHERE model_id = ${int(-id)}
    AND EXISTS (SELECT 1 FROM doomed_fields WHERE model_id = ${int(-id)} AND field = ${int(ALL_PUBLISHED)}
      AND due_at <= ${now})
    AND NOT EXISTS (SELECT 1 FROM models WHERE id = ${int(id)} AND drafts) LIMIT ${int(limit)}`;
  const results = await batchSql(db, [
    ...dropIndexRows(seqs),
    sql`DELETE FROM records WHERE seq IN (${seqs}) RETURNING seq`,
  ]);
  return results.at(-1)?.length ?? 0;
}
