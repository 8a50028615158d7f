/**
 * Switches drafts of a model on or off (RULES 3.14). To switch them on, all records are first published in slices, to
 * rows that no request reads yet. The batch of the switch then corrects those that changed meanwhile. Without drafts a
 * record is public from its creation on, which counts as its first publication. Until the switch succeeds, and after
 * drafts were switched off, the rows are marked for the sweep, which removes them in slices.
 */
import { sql, type SQL } from "drizzle-orm";
import type { Model } from "../../../content/model/model.ts";
import type { StoredField } from "../../../content/field-types/fields.ts";
import { DAY_MS, SLICE } from "../../../limits.ts";
import { batchSql, type Database } from "../database/database.ts";
import { publishedSeqOf } from "../records/published.ts";
import {
  addAllIndexRows,
  dropIndexRows,
  dropSomeIndexRows,
  HAS_NO_INDEX_ROWS,
  int,
} from "../records/record-index.ts";
import { copySides } from "../locales/sides.ts";
import { isInRange, nextIndexedRange } from "./record-slices.ts";

/** The number that stands for all published contents of a model in the table of removed fields. No field has it. */
export const ALL_PUBLISHED = 0;

const twinOf = publishedSeqOf(sql`r.seq`);

/**
 * Returns the condition for published contents that differ from their record, or whose record does not exist any more.
 */
const isStale = (id: number): SQL => sql`p.model_id = ${int(-id)} AND NOT EXISTS (SELECT 1 FROM records r
  WHERE r.model_id = ${int(id)} AND r.id = p.id AND ${twinOf} = p.seq AND r.version = p.version
    AND r.deleted_at IS p.deleted_at)`;

/** The condition that the record `r` holds values in the locale of its edition `e`, which is not the default. */
const HOLDS_LOCALE = sql.raw(`e.key <> '0' AND EXISTS
  (SELECT 1 FROM record_locales l WHERE l.record = r.seq AND l.locale = CAST(e.key AS INTEGER))`);

/** Returns the editions of the record `r` when each locale in which it holds values is published, as its own row has them. */
const ownEditions = (now: number): SQL => sql`CASE WHEN r.locales IS NOT NULL THEN
  (SELECT json_group_object(e.key, CASE WHEN ${HOLDS_LOCALE}
      THEN json_object('v', e.value ->> 'v', 'p', r.version, 'at', ${now}, 'first', r.created_at)
      ELSE json_object('v', e.value ->> 'v') END)
    FROM json_each(r.locales) e) END`;

/** Returns the same editions, as the row of the published content has them. */
const publishedEditions = (now: number): SQL => sql`CASE WHEN r.locales IS NOT NULL THEN
  (SELECT json_group_object(e.key, json_object('v', r.version, 'p', r.version, 'at', ${now}, 'first', r.created_at))
    FROM json_each(r.locales) e WHERE ${HOLDS_LOCALE}) END`;

const publishAll = (records: SQL, now: number): SQL => sql`
  INSERT INTO records (seq, model_id, space_id, id, data, folded, size_bytes, version, created_at, updated_at,
    deleted_at, purge_at, published_version, published_at, first_published_at, locales, held)
  SELECT ${twinOf}, -r.model_id, r.space_id, r.id, r.data, r.folded, r.size_bytes, r.version, r.created_at,
    r.updated_at, r.deleted_at, r.purge_at, r.version, ${now}, r.created_at, ${publishedEditions(now)}, r.held
  FROM records r WHERE ${records}
  ON CONFLICT (seq) DO UPDATE SET data = excluded.data, folded = excluded.folded, size_bytes = excluded.size_bytes,
    version = excluded.version, updated_at = excluded.updated_at, deleted_at = excluded.deleted_at,
    purge_at = excluded.purge_at, published_version = excluded.published_version,
    published_at = excluded.published_at, first_published_at = excluded.first_published_at, locales = excluded.locales`;

/** Publishes the contents of some records `r` in their locales, beside their published rows. */
const publishSides = (records: SQL): SQL[] => [
  sql`DELETE FROM record_locales WHERE record IN (SELECT ${twinOf} FROM records r WHERE ${records})`,
  copySides(records, { seq: twinOf, modelId: sql`-r.model_id` }),
];

const markAll = (records: SQL, now: number): SQL => sql`
  UPDATE records AS r SET published_version = version, published_at = ${now}, first_published_at = created_at,
    publish_at = NULL, unpublish_at = NULL, locales = ${ownEditions(now)}, locale_plan_at = NULL
  WHERE ${records}`;

/** Returns the fields as not unique, because their records hold the unique values already. */
const plain = (fields: StoredField[]): StoredField[] =>
  fields.map((field) => ({ ...field, unique: false }) as StoredField);

/**
 * Returns the statement that begins the switch, or goes on with it. It must come before any slice, so that the sweep does
 * not remove rows meanwhile.
 */
export const keepPublished = (id: number, now: number): SQL => sql`
  INSERT OR REPLACE INTO doomed_fields (model_id, field, due_at)
  VALUES (${int(-id)}, ${int(ALL_PUBLISHED)}, ${now + DAY_MS})`;

/** Returns the statements that publish some records `r` of a model and write their index rows. */
export const publishRecords = (
  { id, fields }: Pick<Model, "id" | "fields">,
  isAmong: SQL,
  now: number,
): SQL[] => {
  const published = sql`r.model_id = ${int(-id)} AND ${isAmong}`;
  const records = sql`r.model_id = ${int(id)} AND ${isAmong}`;
  return [
    keepPublished(id, now),
    publishAll(records, now),
    ...publishSides(records),
    markAll(records, now),
    ...dropIndexRows(sql`SELECT r.seq FROM records r WHERE ${published}`),
    ...addAllIndexRows(plain(fields), published),
  ];
};

/** Publishes the next records after `afterId`. @returns the last id; null at the end */
export async function publishSlice(
  db: Database,
  model: Pick<Model, "id" | "fields">,
  afterId: string,
  now: number,
): Promise<string | null> {
  const range = await nextIndexedRange(db, model.id, afterId);
  if (range) await batchSql(db, publishRecords(model, isInRange(range), now));
  return range?.lastId ?? null;
}

/** Returns statements for the batch of the switch, which publish the records that changed after their slice. */
export function finishDrafts({ id, fields }: Pick<Model, "id" | "fields">, now: number): SQL[] {
  const lacksTwin = sql`r.model_id = ${int(id)} AND NOT EXISTS (SELECT 1 FROM records p WHERE p.seq = ${twinOf})`;
  const lacksSides = sql`r.model_id = ${int(id)} AND r.locales IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM record_locales x WHERE x.record = ${twinOf})`;
  const lacksRows = sql`r.model_id = ${int(-id)}
    AND NOT EXISTS (SELECT 1 FROM record_values x WHERE x.record = r.seq)`;
  return [
    ...dropIndexRows(sql`SELECT p.seq FROM records p WHERE ${isStale(id)}`),
    sql`DELETE FROM records AS p WHERE ${isStale(id)}`,
    publishAll(lacksTwin, now),
    ...publishSides(lacksSides),
    markAll(sql`r.model_id = ${int(id)} AND r.published_version IS NOT r.version`, now),
    ...addAllIndexRows(plain(fields), lacksRows),
    sql`DELETE FROM doomed_fields WHERE model_id = ${int(-id)} AND field = ${int(ALL_PUBLISHED)}`,
  ];
}

/**
 * The condition that a record `r` has a draft that is not published, in the default locale or in another one of the
 * space. A locale in which nothing was published and nothing is held has none.
 */
const UNPUBLISHED = sql.raw(`(r.published_version IS NULL
  OR r.published_version < coalesce(r.locales ->> '$."0".v', r.version)
  OR (r.locales IS NOT NULL AND EXISTS (SELECT 1 FROM spaces s CROSS JOIN json_each(s.locales, '$.numbers') n
    CROSS JOIN json_each(r.locales) e WHERE s.id = r.space_id AND e.key = CAST(n.value AS TEXT)
      AND CASE WHEN e.value ->> 'p' IS NULL THEN EXISTS
          (SELECT 1 FROM record_locales l WHERE l.record = r.seq AND l.locale = n.value)
        ELSE e.value ->> 'p' < e.value ->> 'v' END)))`);

/** Returns the condition that no record of the model, trashed ones included, has a draft that is not published. */
export const nothingUnpublished = (id: number): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM records r WHERE r.model_id = ${int(id)} AND ${UNPUBLISHED})`;

export async function countUnpublished(db: Database, id: number): Promise<number> {
  const found = await db.get<{ n: number }>(
    sql`SELECT count(*) AS n FROM records r WHERE r.model_id = ${int(id)} AND ${UNPUBLISHED}`,
  );
  return found.n;
}

/** Marks the published contents of a model for the sweep, which removes them. */
export const leavePublishedToSweep = (id: number, now: number): SQL => sql`
  INSERT OR REPLACE INTO doomed_fields (model_id, field, due_at) VALUES (${int(-id)}, ${int(ALL_PUBLISHED)}, ${now})`;

/** Removes a slice of the marked published contents of a model without drafts, with index rows. @returns how many rows */
export async function removePublished(db: Database, id: number, now: number): Promise<number> {
  const seqs = sql`SELECT seq FROM records WHERE model_id = ${int(-id)}
    AND EXISTS (SELECT 1 FROM doomed_fields WHERE model_id = ${int(-id)} AND field = ${int(ALL_PUBLISHED)}
      AND due_at <= ${now})
    AND NOT EXISTS (SELECT 1 FROM models WHERE id = ${int(id)} AND drafts) LIMIT ${int(SLICE.records)}`;
  const results = await batchSql(db, [
    ...dropSomeIndexRows(seqs),
    sql`DELETE FROM records AS r WHERE r.seq IN (${seqs}) AND ${HAS_NO_INDEX_ROWS} RETURNING seq`,
  ]);
  return results.reduce((sum, rows) => sum + rows.length, 0);
}
