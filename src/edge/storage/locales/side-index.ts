/**
 * The index rows of localized values. Null has no row here, so that a record needs none in a locale in which it holds
 * nothing, and a new locale touches no record.
 */
import { sql, type SQL } from "drizzle-orm";
import { isUnique, type StoredField } from "../../../content/field-types/fields.ts";
import { rowFormOf } from "../../../content/field-types/index-rows.ts";
import {
  fieldOfNumber,
  LOCALE_FACTOR,
  localeOfNumber,
  TURN_FACTOR,
} from "../../../content/locales/numbers.ts";
import { asDouble, int, KEYS, pathOf } from "../records/index-parts.ts";
import { ownerOf } from "../records/published.ts";

/** The numbers and values of fields in the locales of records: `model_id, no, form, seq, data, folded, path`. */
export type SideRows = SQL;

/** Selects the rows of fields that have the numbers of their locales. */
export function rowsOfNumbers(fields: readonly StoredField[], records: SQL): SideRows {
  const described = fields.map((field) => ({
    no: field.no,
    path: pathOf(field),
    form: rowFormOf(field),
    locale: localeOfNumber(field.no),
  }));
  return sql`SELECT r.model_id, f.value ->> 'no' AS no, f.value ->> 'form' AS form, r.seq, l.data, l.folded,
      f.value ->> 'path' AS path
    FROM records r CROSS JOIN json_each(${JSON.stringify(described)}) f
    CROSS JOIN record_locales l ON l.record = r.seq AND l.locale = f.value ->> 'locale'
    WHERE r.deleted_at IS NULL AND (${records})`;
}

/** Selects the rows of localized fields in all locales that records hold values in. */
export function rowsOfAllLocales(fields: readonly StoredField[], records: SQL): SideRows {
  const described = fields.map((field) => ({
    no: fieldOfNumber(field.no) + (field.turn ?? 0) * TURN_FACTOR,
    form: rowFormOf(field),
  }));
  const no = sql`(f.value ->> 'no' + l.locale * ${int(LOCALE_FACTOR)})`;
  return sql`SELECT r.model_id, ${no} AS no, f.value ->> 'form' AS form, r.seq, l.data, l.folded, '$."' || ${no} || '"' AS path
    FROM records r CROSS JOIN json_each(${JSON.stringify(described)}) f
    CROSS JOIN record_locales l ON l.record = r.seq
    WHERE r.deleted_at IS NULL AND (${records})`;
}

/** Selects the values of rows: `model_id, no, form, seq, v`. */
const valuesIn = (rows: SideRows): SQL => sql`
  SELECT model_id, no, form, seq, ${asDouble(sql`v`)} AS v FROM
    (SELECT model_id, no, form, seq, json_extract(data, path) AS v FROM (${rows}))`;

export const sideValues = (fields: readonly StoredField[], records: SQL): SQL =>
  valuesIn(rowsOfNumbers(fields, records));

/** Selects the values of localized fields in all locales but the default. */
export const valuesInAllLocales = (fields: readonly StoredField[], records: SQL): SQL =>
  valuesIn(rowsOfAllLocales(fields, records));

/** Inserts the values of rows that are not null, and the items of lists. */
export const insertSideValues = (rows: SideRows): SQL[] => [
  sql`
    INSERT OR IGNORE INTO record_values (model_id, field, value, record)
    SELECT model_id, no, CASE form ${KEYS} END, seq FROM (${valuesIn(sql`${rows} AND f.value ->> 'form' NOT IN ('items', 'nested')`)})
    WHERE v IS NOT NULL`,
  sql`
    INSERT OR IGNORE INTO record_values (model_id, field, value, record)
    SELECT s.model_id, s.no, e.value, s.seq FROM (${rows} AND f.value ->> 'form' = 'items') s
    CROSS JOIN json_each(s.data, s.path) e`,
  sql`
    INSERT OR IGNORE INTO record_values (model_id, field, value, record)
    SELECT s.model_id, s.no, 1, s.seq FROM (${rows} AND f.value ->> 'form' = 'nested') s
    WHERE json_type(s.data, s.path) IS NOT NULL
    UNION ALL
    SELECT s.model_id, s.no, e.value, s.seq FROM (${rows} AND f.value ->> 'form' = 'nested') s
    CROSS JOIN json_each(s.folded, '$.links."' || s.no || '"') e`,
];

/** Inserts the unique values of rows, as of a record's own. Each locale has unique values of its own. */
export const insertSideUniques = (
  fields: readonly StoredField[],
  records: SQL,
  rowsOf: (fields: readonly StoredField[], records: SQL) => SideRows,
): SQL[] =>
  fields.some(isUnique)
    ? [
        sql`
          INSERT INTO record_uniques (model_id, field, value, record)
          SELECT DISTINCT model_id, no, v, record FROM (SELECT abs(model_id) AS model_id, no, v,
            ${ownerOf(sql`seq`)} AS record FROM (${valuesIn(rowsOf(fields.filter(isUnique), records))})) whole
          WHERE v IS NOT NULL AND NOT EXISTS (SELECT 1 FROM record_uniques u
            WHERE u.model_id = whole.model_id AND u.field = whole.no AND u.value = whole.v
              AND u.record = whole.record)`,
      ]
    : [];

/** Inserts the rows that say in which locales records are published. */
export const insertMemberships = (records: SQL): SQL => sql`
  INSERT OR IGNORE INTO record_values (model_id, field, value, record)
  SELECT r.model_id, CAST(j.key AS INTEGER) * ${int(LOCALE_FACTOR)}, 1, r.seq FROM records r CROSS JOIN json_each(r.locales) j
  WHERE r.model_id < 0 AND r.deleted_at IS NULL AND CAST(j.key AS INTEGER) > 0 AND j.value ->> 'p' IS NOT NULL AND (${records})`;
