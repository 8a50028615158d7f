/** Reads what the drafts of records hold in the locales but the default, on which their publication depends. */
import { sql } from "drizzle-orm";
import type { Json } from "../../../content/field-types/field-type.ts";
import type { StoredField } from "../../../content/field-types/fields.ts";
import { lackingIn } from "../../../content/field-types/nested/references.ts";
import { LOCALE_FACTOR } from "../../../content/locales/numbers.ts";
import { ApiError } from "../../../errors.ts";
import { CONTENT } from "../../../limits.ts";
import type { Database } from "../database/database.ts";
import { int } from "../records/index-parts.ts";

/** The values of a record's draft in the locales but the default. */
export interface Held {
  /** The numbers of the locales that hold values. */
  locales: ReadonlySet<number>;
  /** Those of the numbers in question under which there is a value. */
  fields: ReadonlySet<number>;
  /** The paths of required values that are missing inside of components, by the number of the field in its locale. */
  lacking: ReadonlyMap<number, readonly string[]>;
}

/** The fields that a reader asks for, by their numbers in the locales. */
export interface AskedFields {
  /** Those of which it asks whether there is a value. */
  present: readonly number[];
  /** Those whose values hold components with required fields. */
  nested: readonly StoredField[];
}

export const NOTHING_HELD: Held = { locales: new Set(), fields: new Set(), lacking: new Map() };

interface Found extends Held {
  locales: Set<number>;
  fields: Set<number>;
  lacking: Map<number, string[]>;
}

type SideKey = [record: number, locale: number];

/** Splits contents into runs of as many bytes as one answer may have. @throws ApiError VALIDATION_FAILED for too many */
function runsOf(sides: readonly { seq: number; locale: number; bytes: number }[]): SideKey[][] {
  const total = sides.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total > CONTENT.publishedTogetherMaxBytes) {
    throw new ApiError("VALIDATION_FAILED", "The records are too large together; name fewer of them.");
  }
  const runs: SideKey[][] = [];
  let room = 0;
  for (const { seq, locale, bytes } of sides) {
    if (runs.length === 0 || bytes > room) {
      runs.push([]);
      room = CONTENT.pageMaxBytes;
    }
    runs.at(-1)?.push([seq, locale]);
    room -= bytes;
  }
  return runs;
}

/** Reads the values of fields in these contents. */
const readValues = (db: Database, run: readonly SideKey[], fields: readonly number[]) =>
  db.all<{ seq: number; no: number; value: string }>(sql`
    SELECT l.record AS seq, f.value AS no, json_extract(l.data, '$."' || f.value || '"') AS value
    FROM json_each(${JSON.stringify(run)}) k
    CROSS JOIN record_locales l ON l.record = k.value ->> 0 AND l.locale = k.value ->> 1
    CROSS JOIN json_each(${JSON.stringify(fields)}) f
    WHERE f.value / ${int(LOCALE_FACTOR)} = l.locale AND json_type(l.data, '$."' || f.value || '"') <> 'null'`);

/**
 * Reads what records hold in the locales but the default.
 * @throws ApiError VALIDATION_FAILED if more would be read than publications together may
 */
export async function readHeld(
  db: Database,
  seqs: readonly number[],
  { present, nested }: AskedFields,
): Promise<(seq: number) => Held> {
  if (seqs.length === 0) return () => NOTHING_HELD;
  const rows = await db.all<{
    seq: number;
    locale: number | null;
    bytes: number;
    field: number | null;
  }>(sql`
    SELECT l.record AS seq, l.locale, l.size_bytes AS bytes, NULL AS field
    FROM json_each(${JSON.stringify(seqs)}) j CROSS JOIN record_locales l ON l.record = j.value
    UNION ALL SELECT v.record, NULL, 0, v.field
    FROM json_each(${JSON.stringify(seqs)}) j CROSS JOIN json_each(${JSON.stringify(present)}) f
    CROSS JOIN record_values v ON v.record = j.value AND v.field = f.value AND v.value < x''`);
  const held = new Map<number, Found>();
  const of = (seq: number): Found => {
    const found = held.get(seq) ?? { locales: new Set(), fields: new Set(), lacking: new Map() };
    held.set(seq, found);
    return found;
  };
  for (const { seq, locale, field } of rows) {
    if (locale !== null) of(seq).locales.add(locale);
    if (field !== null) of(seq).fields.add(field);
  }
  const byNumber = new Map(nested.map((field) => [field.no, field]));
  const sides = rows.flatMap(({ locale, ...row }) => (locale === null ? [] : [{ ...row, locale }]));
  for (const run of byNumber.size === 0 ? [] : runsOf(sides)) {
    for (const { seq, no, value } of await readValues(db, run, [...byNumber.keys()])) {
      const field = byNumber.get(no);
      const lacking = field ? lackingIn(field, JSON.parse(value) as Json) : [];
      if (lacking.length > 0) of(seq).lacking.set(no, lacking);
    }
  }
  return (seq) => held.get(seq) ?? NOTHING_HELD;
}
