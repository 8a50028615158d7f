/**
 * Writes the index rows of records. D1 always derives them from the record's own data, so they match the row whichever
 * write came last, and a batch whose first statement lost a race does no harm.
 */
import { sql, type SQL } from "drizzle-orm";
import { isUnique, type StoredField } from "../../../content/field-types/fields.ts";
import { rowFormOf } from "../../../content/field-types/index-rows.ts";
import type { FieldType } from "../../../content/field-types/registry.ts";
import { isLocalized } from "../../../content/model/localized-model.ts";
import { localeOfNumber } from "../../../content/locales/numbers.ts";
import {
  insertMemberships,
  insertSideUniques,
  insertSideValues,
  rowsOfAllLocales,
  rowsOfNumbers,
  valuesInAllLocales,
} from "../locales/side-index.ts";
import { asDouble, int, KEYS, NULL_VALUE, pathOf } from "./index-parts.ts";
import { SLICE } from "../../../limits.ts";
import { ownerOf } from "./published.ts";

export { asDouble, int, NULL_VALUE, pathOf } from "./index-parts.ts";

/** Writes the names of field types into a statement, as a list. They are constants of the code. */
export const typeNames = (types: readonly FieldType[]): SQL => sql.raw(`('${types.join("', '")}')`);

/** Returns the value of records that are older than the field, as its index row has it. */
const indexedAbsent = (field: StoredField): unknown =>
  rowFormOf(field) === "presence" && field.absent !== null ? 1 : field.absent;

const described = (fields: StoredField[]): string =>
  JSON.stringify(
    fields.map((field) => ({
      no: field.no,
      path: pathOf(field),
      form: rowFormOf(field),
      absent: indexedAbsent(field),
    })),
  );

/** Selects the values of `fields`, one row per record and field: `model_id, no, form, v, seq`. Null is NULL here. */
export const wholeValues = (fields: StoredField[], records: SQL): SQL => sql`
  SELECT model_id, no, form, seq, ${asDouble(sql`v`)} AS v FROM (
    SELECT r.model_id, f.value ->> 'no' AS no, f.value ->> 'form' AS form, r.seq,
      CASE WHEN json_type(r.data, f.value ->> 'path') IS NULL THEN f.value ->> 'absent'
        ELSE json_extract(r.data, f.value ->> 'path') END AS v
    FROM records r CROSS JOIN json_each(${described(fields)}) f
    WHERE r.deleted_at IS NULL AND ${records})`;

/** Selects the same values in all locales, under the numbers of these. */
export function valuesInLocales(fields: StoredField[], records: SQL): SQL {
  const localized = fields.filter(isLocalized);
  if (localized.length === 0) return wholeValues(fields, records);
  return sql`${wholeValues(fields, records)} UNION ALL ${valuesInAllLocales(localized, records)}`;
}

function insertValues(fields: StoredField[], records: SQL): SQL[] {
  const lists = fields.filter((field) => rowFormOf(field) === "items");
  const nested = fields.filter((field) => rowFormOf(field) === "nested");
  const single = fields.filter((field) => !lists.includes(field) && !nested.includes(field));
  const statements: SQL[] = [];
  if (single.length > 0) {
    statements.push(sql`
      INSERT OR IGNORE INTO record_values (model_id, field, value, record)
      SELECT model_id, no, CASE WHEN v IS NULL THEN ${NULL_VALUE} ELSE CASE form ${KEYS} END END, seq
      FROM (${wholeValues(single, records)})`);
  }
  if (lists.length > 0) {
    const source = sql`records r CROSS JOIN json_each(${described(lists)}) f`;
    statements.push(sql`
      INSERT OR IGNORE INTO record_values (model_id, field, value, record)
      SELECT r.model_id, f.value ->> 'no', e.value, r.seq
      FROM ${source} CROSS JOIN json_each(r.data, f.value ->> 'path') e
      WHERE r.deleted_at IS NULL AND ${records}
      UNION ALL
      SELECT r.model_id, f.value ->> 'no', x'', r.seq FROM ${source}
      WHERE r.deleted_at IS NULL AND ${records} AND coalesce(json_array_length(r.data, f.value ->> 'path'), 0) = 0`);
  }
  if (nested.length > 0) statements.push(insertNested(nested, records));
  return statements;
}

/** The condition that a nested value of the record `r` is empty: null, a list without items, or not there. */
const IS_EMPTY = sql.raw(`CASE json_type(r.data, f.value ->> 'path') WHEN 'object' THEN 0
  WHEN 'array' THEN json_array_length(r.data, f.value ->> 'path') = 0 ELSE 1 END`);

/** Inserts one row for the presence of a nested value, and one for each of its links. */
const insertNested = (fields: StoredField[], records: SQL): SQL => sql`
  INSERT OR IGNORE INTO record_values (model_id, field, value, record)
  SELECT r.model_id, f.value ->> 'no', CASE WHEN ${IS_EMPTY} THEN x'' ELSE 1 END, r.seq
  FROM records r CROSS JOIN json_each(${described(fields)}) f WHERE r.deleted_at IS NULL AND ${records}
  UNION ALL
  SELECT r.model_id, f.value ->> 'no', l.value, r.seq
  FROM records r CROSS JOIN json_each(${described(fields)}) f
    CROSS JOIN json_each(r.folded, '$.links."' || (f.value ->> 'no') || '"') l
  WHERE r.deleted_at IS NULL AND ${records}`;

/**
 * Inserts unique values. A value that another record has fails the statement, and with it the batch; rows of the record
 * itself stay. Draft and published content count as one record, so both may have the same value.
 */
const insertUniques = (fields: StoredField[], records: SQL): SQL[] =>
  fields.some(isUnique)
    ? [
        sql`
          INSERT INTO record_uniques (model_id, field, value, record)
          SELECT DISTINCT model_id, no, v, record FROM (SELECT abs(model_id) AS model_id, no, v,
            ${ownerOf(sql`seq`)} AS record FROM (${wholeValues(fields.filter(isUnique), records)})) whole
          WHERE v IS NOT NULL AND NOT EXISTS (SELECT 1 FROM record_uniques u
            WHERE u.model_id = whole.model_id AND u.field = whole.no AND u.value = whole.v
              AND u.record = whole.record)`,
      ]
    : [];

const isSide = ({ no }: StoredField): boolean => localeOfNumber(no) > 0;

/**
 * Adds the index rows of `fields` for the active records `r` for which the condition `records` holds. Fields may have
 * the numbers of locales.
 * @param holders the condition for unique values, if they apply to more rows, such as the published content
 */
export function addIndexRows(fields: StoredField[], records: SQL, holders = records): SQL[] {
  const sides = fields.filter(isSide);
  const own = sides.length === 0 ? fields : fields.filter((field) => !isSide(field));
  return [
    ...insertValues(own, records),
    ...insertUniques(own, holders),
    ...(sides.length === 0
      ? []
      : [
          ...insertSideValues(rowsOfNumbers(sides, records)),
          ...insertSideUniques(sides, holders, rowsOfNumbers),
        ]),
  ];
}

/** Adds the same rows for a model's fields in all locales, and those that say where records are published. */
export function addAllIndexRows(fields: StoredField[], records: SQL, holders = records): SQL[] {
  const localized = fields.filter(isLocalized);
  return [
    ...addIndexRows(fields, records, holders),
    ...(localized.length === 0
      ? []
      : [
          ...insertSideValues(rowsOfAllLocales(localized, records)),
          ...insertSideUniques(localized, holders, rowsOfAllLocales),
          insertMemberships(records),
        ]),
  ];
}

/** Adds the rows of localized fields in all locales but the default, without unique values. */
export function addSideRows(fields: StoredField[], records: SQL): SQL[] {
  const localized = fields.filter(isLocalized);
  return localized.length === 0 ? [] : insertSideValues(rowsOfAllLocales(localized, records));
}

/** Adds only the rows of unique values, for a field that becomes unique, in all locales. */
export const addUniqueRows = (fields: StoredField[], records: SQL): SQL[] => [
  ...insertUniques(fields, records),
  ...insertSideUniques(fields.filter(isLocalized), records, rowsOfAllLocales),
];

/** Removes a slice of the index rows of records, and returns a row for each. `seqs` is an SQL list or subquery. */
export const dropSomeIndexRows = (seqs: SQL): SQL[] => [
  sql`DELETE FROM record_values WHERE (model_id, field, value, record) IN (SELECT model_id, field, value, record
    FROM record_values WHERE record IN (${seqs}) LIMIT ${int(SLICE.rows)}) RETURNING 1`,
  sql`DELETE FROM record_uniques WHERE (model_id, field, value) IN (SELECT model_id, field, value
    FROM record_uniques WHERE record IN (${seqs}) LIMIT ${int(SLICE.rows)}) RETURNING 1`,
];

/** The condition that the record `r` has no index rows left. */
export const HAS_NO_INDEX_ROWS = sql`NOT EXISTS (SELECT 1 FROM record_values x WHERE x.record = r.seq)
  AND NOT EXISTS (SELECT 1 FROM record_uniques x WHERE x.record = r.seq)`;

/** Removes the index rows of records (`seqs` is an SQL list or subquery), or only those of `fields` if given. */
export function dropIndexRows(seqs: SQL, fields?: StoredField[]): SQL[] {
  const numbers =
    fields &&
    sql.join(
      fields.map(({ no }) => int(no)),
      sql`, `,
    );
  const ofFields = numbers ? sql`AND field IN (${numbers})` : sql``;
  return [
    sql`DELETE FROM record_values WHERE record IN (${seqs}) ${ofFields}`,
    sql`DELETE FROM record_uniques WHERE record IN (${seqs}) ${ofFields}`,
  ];
}
