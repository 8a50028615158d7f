/** The parts of statements that write index rows. */
import { sql, type SQL } from "drizzle-orm";
import type { StoredField } from "../../../content/field-types/fields.ts";
import type { RowForm } from "../../../content/field-types/index-rows.ts";
import { LOCALE_FACTOR } from "../../../content/locales/numbers.ts";
import { CONTENT } from "../../../limits.ts";

/** The value that stands for null: it sorts after every text and number, and is allowed in a key. */
export const NULL_VALUE = sql.raw("x''");

/** Returns an integer of our own rows as a statement has it. @throws Error for anything else */
export function intText(n: number): string {
  if (!Number.isSafeInteger(n)) throw new Error(`Not a row number: ${n}`);
  return String(n);
}

/** Writes an integer of our own rows into a statement. @throws Error for anything else */
export const int = (n: number): SQL => sql.raw(intText(n));

/**
 * Converts a number that SQLite has read from JSON to the double that it means; other values stay as they are.
 * JavaScript writes a double above 2^53 with the fewest digits that tell it from its neighbours, and SQLite reads these
 * digits as an exact 64-bit integer, which is another number. Filters and cursors bind doubles, so the index holds
 * them.
 */
export const asDouble = (value: SQL): SQL => sql`CASE WHEN typeof(${value}) = 'integer'
  AND ${value} NOT BETWEEN -9007199254740992 AND 9007199254740992 THEN CAST(${value} AS REAL) ELSE ${value} END`;

/** Returns the JSON path of a field's value in `records.data`, for SQLite. */
export const pathOf = (field: StoredField): string => `$."${field.no}"`;

/** The key of a value `v` in its index row, by the form of the row. Only a short value may be a key as a whole. */
const KEY: Record<Exclude<RowForm, "items" | "nested">, string> = {
  whole: "v",
  cut: `substr(v, 1, ${CONTENT.indexedCharacters})`,
  presence: "1",
};
export const KEYS = sql.raw(
  Object.entries(KEY)
    .map(([form, key]) => `WHEN '${form}' THEN ${key}`)
    .join(" "),
);

/** Returns `record_locales.filled` of a new content in JSON. A trigger keeps it when the content changes. */
export const filledOf = (data: SQL): SQL => sql`coalesce((SELECT ',' || group_concat(no, ',') || ',' FROM
  (SELECT CAST(key AS INTEGER) % ${int(LOCALE_FACTOR)} AS no FROM json_each(${data}) WHERE type <> 'null' ORDER BY no)), '')`;
