/**
 * The index rows of records. D1 always derives them from the record's own data, so they match the row whoever wrote it
 * last, and a batch whose first statement lost a race does no harm.
 */
import { sql, type SQL } from "drizzle-orm";
import { isMultiple, isUnique, type StoredField } from "../../../content/field-types/fields.ts";
import { CONTENT } from "../../../limits.ts";
import { ownerOf } from "./published.ts";

/** The value that stands for null: it sorts after every text and number, and is allowed in a key. */
export const NULL_VALUE = sql.raw("x''");

/** Writes an integer of our own rows into a statement. @throws Error for anything else */
export function int(n: number): SQL {
  if (!Number.isSafeInteger(n)) throw new Error(`Not a row number: ${n}`);
  return sql.raw(String(n));
}

/**
 * Converts a number that SQLite has read from JSON to the double that it means; other values stay as they are.
 * JavaScript writes a double above 2^53 with the fewest digits that tell it from its neighbours, and SQLite reads these
 * digits as an exact 64-bit integer, which is another number. Filters and cursors bind doubles, so the index holds them.
 */
export const asDouble = (value: SQL): SQL => sql`CASE WHEN typeof(${value}) = 'integer'
  AND ${value} NOT BETWEEN -9007199254740992 AND 9007199254740992 THEN CAST(${value} AS REAL) ELSE ${value} END`;

/** The JSON path of a field's value in `records.data`, for SQLite. */
export const pathOf = (field: StoredField): string => `$."${field.no}"`;

type Mirror = "scalar" | "text" | "presence" | "list";

function mirrorOf(field: StoredField): Mirror {
  if (isMultiple(field)) return "list";
  if (field.type === "json") return "presence";
  return field.type === "string" || field.type === "text" ? "text" : "scalar";
}

const described = (fields: StoredField[]): string =>
  JSON.stringify(
    fields.map((field) => {
      const mirror = mirrorOf(field);
      const absent = mirror === "presence" ? (field.absent === null ? null : 1) : field.absent;
      return { no: field.no, path: pathOf(field), mirror, absent };
    }),
  );

/** Values of `fields`, one row per record and field: `model_id, no, mirror, v, seq`. Null is NULL here. */
export const wholeValues = (fields: StoredField[], records: SQL): SQL => sql`
  SELECT model_id, no, mirror, seq, ${asDouble(sql`v`)} AS v FROM (
    SELECT r.model_id, f.value ->> 'no' AS no, f.value ->> 'mirror' AS mirror, r.seq,
      CASE WHEN json_type(r.data, f.value ->> 'path') IS NULL THEN f.value ->> 'absent'
        ELSE json_extract(r.data, f.value ->> 'path') END AS v
    FROM records r CROSS JOIN json_each(${described(fields)}) f
    WHERE r.deleted_at IS NULL AND ${records})`;

function insertValues(fields: StoredField[], records: SQL): SQL[] {
  const single = fields.filter((field) => !isMultiple(field));
  const lists = fields.filter(isMultiple);
  const statements: SQL[] = [];
  if (single.length > 0) {
    statements.push(sql`
      INSERT OR IGNORE INTO record_values (model_id, field, value, record)
      SELECT model_id, no, CASE WHEN v IS NULL THEN x'' WHEN mirror = 'presence' THEN 1
        WHEN mirror = 'text' THEN substr(v, 1, ${int(CONTENT.indexedCharacters)}) ELSE v END, seq
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
  return statements;
}

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

/**
 * Adds the index rows of `fields` for the active records `r` for which the condition `records` holds.
 * @param holders the condition for unique values, if they apply to more rows, such as the published content
 */
export const addIndexRows = (fields: StoredField[], records: SQL, holders = records): SQL[] => [
  ...insertValues(fields, records),
  ...insertUniques(fields, holders),
];

/** Adds only the rows of unique values, for a field that becomes unique. */
export const addUniqueRows = insertUniques;

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
