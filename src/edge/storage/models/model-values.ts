/** Queries the values of a model's records, trashed ones included, for changes of its fields. */
import { sql, type SQL } from "drizzle-orm";
import { isEmptyValue, isList, type StoredField } from "../../../content/field-types/fields.ts";
import type { Model } from "../../../content/model/model.ts";
import { CONTENT } from "../../../limits.ts";
import type { Database } from "../database/database.ts";
import { LOCALE_FACTOR, TURN_FACTOR } from "../../../content/locales/numbers.ts";
import { modelNumbers, ownerOf } from "../records/published.ts";
import { int, NULL_VALUE, pathOf, valuesInLocales } from "../records/record-index.ts";

type ModelNumbers = Pick<Model, "id" | "drafts">;

/** Counts the records of a model, up to `max`. */
export async function countRecords(db: Database, modelId: number, max: number): Promise<number> {
  const row = await db.get<{ n: number }>(
    sql`SELECT count(*) AS n FROM (SELECT 1 FROM records WHERE model_id = ${int(modelId)} LIMIT ${int(max)})`,
  );
  return row.n;
}

/** Counts the records under several numbers of models, each up to `max`, in one query. */
export async function countRecordsOf(
  db: Database,
  numbers: readonly number[],
  max: number,
): Promise<Map<number, number>> {
  const rows = await db.all<{ model: number; n: number }>(sql`SELECT j.value AS model,
    (SELECT count(*) FROM (SELECT 1 FROM records r WHERE r.model_id = j.value LIMIT ${int(max)})) AS n
    FROM json_each(${JSON.stringify(numbers)}) j`);
  return new Map(rows.map(({ model, n }) => [model, n]));
}

/** Returns a value that changes with every write, creation and removal of a record of the model. */
export const fingerprint = (model: ModelNumbers): SQL => sql`
  (SELECT count(*) || '/' || coalesce(sum(version), 0) || '/' || coalesce(max(seq), 0)
    FROM records WHERE model_id IN ${modelNumbers(model)})`;

export async function readFingerprint(db: Database, model: ModelNumbers): Promise<string> {
  return (await db.get<{ print: string }>(sql`SELECT ${fingerprint(model)} AS print`)).print;
}

/**
 * Reads the data of the next records in order of id, trashed ones included: at most `limit`, as many as fit a batch, but
 * at least one.
 */
export async function readDataAfter(
  db: Database,
  modelId: number,
  afterId: string,
  limit: number = CONTENT.checkedRecordsBatch,
): Promise<{ id: string; data: string }[]> {
  return db.all(sql`
    WITH batch AS MATERIALIZED (SELECT seq, id, size_bytes FROM records
      WHERE model_id = ${int(modelId)} AND id > ${afterId} ORDER BY id LIMIT ${int(limit)}),
    measured AS (SELECT *, sum(size_bytes) OVER (ORDER BY id) - size_bytes AS before FROM batch)
    SELECT r.id, r.data FROM measured m CROSS JOIN records r ON r.seq = m.seq
    WHERE m.before < ${int(CONTENT.pageMaxBytes)} ORDER BY m.id`);
}

/** A content of a record in a locale other than the default. */
export interface SideData {
  /** The `seq` of its row. */
  record: number;
  id: string;
  /** The number of the locale. */
  locale: number;
  data: string;
}

/** Where the next batch of contents in locales begins. */
export type SidePlace = Pick<SideData, "locale" | "record">;

/** The place before all contents. Rows of published contents have negative numbers. */
export const FIRST_SIDE: SidePlace = { locale: 0, record: 0 };

/**
 * Reads the next contents of a model in the locales but the default, by locale and record: at most `limit`, as many as
 * fit a batch, but at least one.
 */
export const readSidesAfter = (
  db: Database,
  modelNumber: number,
  after: SidePlace,
  limit: number = CONTENT.checkedRecordsBatch,
): Promise<SideData[]> =>
  db.all<SideData>(sql`
    WITH batch AS MATERIALIZED (SELECT record, locale, size_bytes FROM record_locales
      WHERE model_id = ${int(modelNumber)} AND (locale, record) > (${int(after.locale)}, ${int(after.record)})
      ORDER BY locale, record LIMIT ${int(limit)}),
    measured AS (SELECT *, sum(size_bytes) OVER (ORDER BY locale, record) - size_bytes AS before FROM batch)
    SELECT m.record, r.id, m.locale, l.data FROM measured m CROSS JOIN records r ON r.seq = m.record
      CROSS JOIN record_locales l ON l.record = m.record AND l.locale = m.locale
    WHERE m.before < ${int(CONTENT.pageMaxBytes)} ORDER BY m.locale, m.record`);

/** Reads all contents of some rows of records in the locales but the default, in the order of the rows. */
export async function readSidesOf(db: Database, seqs: readonly number[]): Promise<SideData[]> {
  const found: SideData[] = [];
  let after: SidePlace = { record: Number.MIN_SAFE_INTEGER, locale: 0 };
  for (;;) {
    const batch = await db.all<SideData>(sql`
      WITH batch AS MATERIALIZED (SELECT record, locale, size_bytes FROM record_locales
        WHERE record IN (SELECT value FROM json_each(${JSON.stringify(seqs)}))
          AND (record, locale) > (${int(after.record)}, ${int(after.locale)})
        ORDER BY record, locale LIMIT ${int(CONTENT.checkedRecordsBatch)}),
      measured AS (SELECT *, sum(size_bytes) OVER (ORDER BY record, locale) - size_bytes AS before FROM batch)
      SELECT m.record, r.id, m.locale, l.data FROM measured m CROSS JOIN records r ON r.seq = m.record
        CROSS JOIN record_locales l ON l.record = m.record AND l.locale = m.locale
      WHERE m.before < ${int(CONTENT.pageMaxBytes)} ORDER BY m.record, m.locale`);
    found.push(...batch);
    const last = batch.at(-1);
    if (!last) return found;
    after = last;
  }
}

/** Counts the contents of models in the locales but the default, up to `max`. */
export async function countSides(db: Database, modelIds: readonly number[], max: number): Promise<number> {
  const row = await db.get<{ n: number }>(sql`SELECT count(*) AS n FROM (SELECT 1 FROM record_locales
    WHERE model_id IN (SELECT value FROM json_each(${JSON.stringify(modelIds)})) LIMIT ${int(max)})`);
  return row.n;
}

/** Returns the trashed records of a model, by the index of the space's trash, which has few rows. */
const trashedOf = (spaceId: string, model: ModelNumbers): SQL =>
  sql`records r WHERE r.space_id = ${spaceId} AND r.deleted_at IS NOT NULL AND +r.model_id IN ${modelNumbers(model)}`;

/** The condition that a trashed record `r` has a value of the field `f`, one of `described`. */
const TRASHED_HOLDS = sql.raw(`CASE WHEN f.value ->> 'isList' THEN
    coalesce(json_array_length(r.data, f.value ->> 'path'), 0) > 0
  ELSE coalesce(json_type(r.data, f.value ->> 'path') <> 'null', f.value ->> 'isAbsentHeld') END`);

const described = (fields: readonly StoredField[]): string =>
  JSON.stringify(
    fields.map((field) => ({
      no: field.no,
      path: pathOf(field),
      isList: isList(field) ? 1 : 0,
      isAbsentHeld: isEmptyValue(field, field.absent) ? 0 : 1,
    })),
  );

/** Returns the condition that no record has a value of any of `fields`. */
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

/** Counts the records with a value of each field, by field number. Fields without values are left out. */
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

/** Counts the values of each field that several active records share in one locale, by the number of field and locale. */
export async function countDuplicates(
  db: Database,
  model: ModelNumbers,
  fields: StoredField[],
): Promise<Map<number, number>> {
  const rows = await db.all<{ no: number; n: number }>(sql`
    SELECT no, count(*) AS n FROM (SELECT no FROM (${valuesInLocales(fields, sql`r.model_id IN ${modelNumbers(model)}`)})
      WHERE v IS NOT NULL GROUP BY no, v HAVING count(DISTINCT ${ownerOf(sql`seq`)}) > 1) GROUP BY no`);
  return new Map(rows.map(({ no, n }) => [no, n]));
}

export interface HeldInLocale {
  /** The field's own number. */
  no: number;
  locale: number;
  /** The number of records, trashed ones included. */
  n: number;
}

/** Counts the records that hold values of localized fields in each locale but the default. It reads all such values. */
export const countHeldInLocales = (
  db: Database,
  model: ModelNumbers,
  fields: readonly StoredField[],
): Promise<HeldInLocale[]> =>
  db.all<HeldInLocale>(sql`
    SELECT f.value ->> 'no' AS no, l.locale, count(DISTINCT ${ownerOf(sql`l.record`)}) AS n
    FROM record_locales l CROSS JOIN json_each(${describedInLocales(fields)}) f
    WHERE l.model_id IN ${modelNumbers(model)}
      AND json_type(l.data, '$."' || (f.value ->> 'side' + l.locale * ${int(LOCALE_FACTOR)}) || '"') IS NOT NULL
    GROUP BY 1, 2 ORDER BY 1, 2`);

const describedInLocales = (fields: readonly StoredField[]): string =>
  JSON.stringify(fields.map(({ no, turn = 0 }) => ({ no, side: no + turn * TURN_FACTOR })));

/** Selects the numbers `no` of fields in the default locale, and in all others in which records hold values. */
export const numbersInLocales = (modelId: number, fields: readonly StoredField[]): SQL => sql`
  SELECT value AS no FROM json_each(${JSON.stringify(fields.map(({ no }) => no))})
  UNION ALL SELECT f.value ->> 'side' + l.locale * ${int(LOCALE_FACTOR)}
  FROM (SELECT DISTINCT locale FROM record_locales WHERE model_id IN (${int(modelId)}, ${int(-modelId)})) l
    CROSS JOIN json_each(${describedInLocales(fields.filter(({ localized }) => localized === true))}) f`;

/** Leaves the index rows of fields in all locales but the default to the sweep. */
export const leaveSidesToSweep = (
  model: ModelNumbers,
  fields: readonly StoredField[],
  now: number,
): SQL => sql`
  INSERT OR IGNORE INTO doomed_fields (model_id, field, due_at)
  SELECT DISTINCT l.model_id, f.value ->> 'side' + l.locale * ${int(LOCALE_FACTOR)}, ${now}
  FROM (SELECT DISTINCT model_id, locale FROM record_locales WHERE model_id IN ${modelNumbers(model)}) l
    CROSS JOIN json_each(${describedInLocales(fields)}) f`;
