/**
 * The index rows of records, always derived by D1 from the record's own data: whoever wrote the row last, what is
 * mirrored is what it holds, so a batch whose first statement lost a race mends rather than harms.
 */
import { sql, type SQL } from "drizzle-orm";
import { isMultiple, isUnique, type StoredField } from "../content-model/fields.ts";
import { CONTENT } from "../../limits.ts";
import { ownerOf } from "./published.ts";

/** Stands for null: after every text and number, and allowed in a key. */
export const NULL_VALUE = sql.raw("x''");

/** A number of our own rows, written into a statement as it stands. @throws Error for anything else */
export function int(n: number): SQL {
  if (!Number.isSafeInteger(n)) throw new Error(`Not a row number: ${n}`);
  return sql.raw(String(n));
}

/** The key of a field's values in `records.data`, as SQLite's JSON path. */
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

/** Whole values of `fields`, one row each record: `model_id, no, mirror, v, seq`. Null is NULL here. */
export const wholeValues = (fields: StoredField[], records: SQL): SQL => sql`
  SELECT r.model_id, f.value ->> 'no' AS no, f.value ->> 'mirror' AS mirror, r.seq,
    CASE WHEN json_type(r.data, f.value ->> 'path') IS NULL THEN f.value ->> 'absent'
      ELSE json_extract(r.data, f.value ->> 'path') END AS v
  FROM records r CROSS JOIN json_each(${described(fields)}) f
  WHERE r.deleted_at IS NULL AND ${records}`;

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
 * A value that another record holds fails the statement, and with it the batch; the record's own rows stay. What is
 * published of a record is unique in the record's name: both of its contents may hold the same value.
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
 * Adds the rows of `fields` for the active records that `records` (over `r`) holds for.
 * @param holders of unique values, where those have more rows: the published content too
 */
export const addIndexRows = (fields: StoredField[], records: SQL, holders = records): SQL[] => [
  ...insertValues(fields, records),
  ...insertUniques(fields, holders),
];

/** Adds the rows of unique values alone, for a field that becomes unique. */
export const addUniqueRows = insertUniques;

/** Removes the rows of records: `seqs` is a list or a subquery. Of `fields` alone, when given. */
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
