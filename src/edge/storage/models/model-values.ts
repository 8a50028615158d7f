/** Queries of the values that the records of a model have, trashed ones included, for changes of its fields. */
import { sql, type SQL } from "drizzle-orm";
import { isEmptyValue, isMultiple, type StoredField } from "../../../content/field-types/fields.ts";
import type { Model } from "../../../content/model/model.ts";
import { CONTENT } from "../../../limits.ts";
import type { Database } from "../database/database.ts";
import { modelNumbers, ownerOf } from "../records/published.ts";
import { int, NULL_VALUE, pathOf, wholeValues } from "../records/record-index.ts";

type ModelNumbers = Pick<Model, "id" | "drafts">;

/** Counts the records of a model, up to `max`. */
export async function countRecords(db: Database, modelId: number, max: number): Promise<number> {
  const row = await db.get<{ n: number }>(
    sql`SELECT count(*) AS n FROM (SELECT 1 FROM records WHERE model_id = ${int(modelId)} LIMIT ${int(max)})`,
  );
  return row.n;
}

/** A value that changes with every write, creation and removal of a record of the model. */
export const fingerprint = (model: ModelNumbers): SQL => sql`
  (SELECT count(*) || '/' || coalesce(sum(version), 0) || '/' || coalesce(max(seq), 0)
    FROM records WHERE model_id IN ${modelNumbers(model)})`;

export async function readFingerprint(db: Database, model: ModelNumbers): Promise<string> {
  return (await db.get<{ print: string }>(sql`SELECT ${fingerprint(model)} AS print`)).print;
}

/** The data of the next records in order of id, trashed ones included: as many as fit a batch, but at least one. */
export async function readDataAfter(
  db: Database,
  modelId: number,
  afterId: string,
): Promise<{ id: string; data: string }[]> {
  return db.all(sql`
    WITH batch AS MATERIALIZED (SELECT seq, id, size_bytes FROM records
      WHERE model_id = ${int(modelId)} AND id > ${afterId} ORDER BY id LIMIT ${int(CONTENT.checkedRecordsBatch)}),
    measured AS (SELECT *, sum(size_bytes) OVER (ORDER BY id) - size_bytes AS before FROM batch)
    SELECT r.id, r.data FROM measured m CROSS JOIN records r ON r.seq = m.seq
    WHERE m.before < ${int(CONTENT.pageMaxBytes)} ORDER BY m.id`);
}

/** The trashed records of a model, by the index of the space's trash, which has few rows. */
const trashedOf = (spaceId: string, model: ModelNumbers): SQL =>
  sql`records r WHERE r.space_id = ${spaceId} AND r.deleted_at IS NOT NULL AND +r.model_id IN ${modelNumbers(model)}`;

/** Whether a trashed record `r` has a value of the field `f`, one of `described`. */
const TRASHED_HOLDS = sql.raw(`CASE WHEN f.value ->> 'isList' THEN
    coalesce(json_array_length(r.data, f.value ->> 'path'), 0) > 0
  ELSE coalesce(json_type(r.data, f.value ->> 'path') <> 'null', f.value ->> 'isAbsentHeld') END`);

const described = (fields: readonly StoredField[]): string =>
  JSON.stringify(
    fields.map((field) => ({
      no: field.no,
      path: pathOf(field),
      isList: isMultiple(field) ? 1 : 0,
      isAbsentHeld: isEmptyValue(field, field.absent) ? 0 : 1,
    })),
  );

/** The condition that no record has a value of any of `fields`. */
export const nothingHeld = (spaceId: string, model: ModelNumbers, fields: readonly StoredField[]): SQL => {
  const numbers = sql.join(
    fields.map(({ no }) => int(no)),
    sql`, `,
  );
  return sql`NOT EXISTS (SELECT 1 FROM record_values
      WHERE model_id IN ${modelNumbers(model)} AND field IN (${numbers}) AND value < ${NULL_VALUE})
    AND NOT EXISTS (SELECT 1 FROM json_each(${described(fields)}) f
      WHERE EXISTS (SELECT 1 FROM ${trashedOf(spaceId, model)} AND ${TRASHED_HOLDS}))`;
};

/** The number of records with a value of each field, by field number. Fields without values are left out. */
export async function countHeld(
  db: Database,
  spaceId: string,
  model: ModelNumbers,
  fields: readonly StoredField[],
): Promise<Map<number, number>> {
  const rows = await db.all<{ no: number; n: number }>(sql`
    SELECT f.value ->> 'no' AS no,
      (SELECT count(DISTINCT ${ownerOf(sql`v.record`)}) FROM record_values v
        WHERE v.model_id IN ${modelNumbers(model)} AND v.field = f.value ->> 'no' AND v.value < ${NULL_VALUE}) +
      (SELECT count(DISTINCT r.id) FROM ${trashedOf(spaceId, model)} AND ${TRASHED_HOLDS}) AS n
    FROM json_each(${described(fields)}) f`);
  return new Map(rows.filter(({ n }) => n > 0).map(({ no, n }) => [no, n]));
}

/** The number of values of each field that several active records share, by field number. */
export async function countDuplicates(
  db: Database,
  model: ModelNumbers,
  fields: StoredField[],
): Promise<Map<number, number>> {
  const rows = await db.all<{ no: number; n: number }>(sql`
    SELECT no, count(*) AS n FROM (SELECT no FROM (${wholeValues(fields, sql`r.model_id IN ${modelNumbers(model)}`)})
      WHERE v IS NOT NULL GROUP BY no, v HAVING count(DISTINCT ${ownerOf(sql`seq`)}) > 1) GROUP BY no`);
  return new Map(rows.map(({ no, n }) => [no, n]));
}
