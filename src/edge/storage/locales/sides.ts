/** The contents of records in the locales of their space but the default: written with their record, and read with it. */
import { sql, type SQL } from "drizzle-orm";
import type { StoredContent } from "../../../content/model/model.ts";
import { heldOf, localeOfNumber } from "../../../content/locales/numbers.ts";
import { CONTENT } from "../../../limits.ts";
import type { Database } from "../database/database.ts";
import { filledOf, int } from "../records/index-parts.ts";

/** The contents of a record by the number of their locale; null for a locale without values. */
export type Sides = ReadonlyMap<number, StoredContent | null>;

/** Returns `records.held` of a new record with these contents, so that their rows have nothing to note with it. */
export const heldIn = (sides: Sides): string | null =>
  heldOf([...sides].flatMap(([locale, content]) => (content === null ? [] : [locale])));

/** Writes the contents of the record `r` for which `records` holds. */
export const writeSides = (sides: Sides, records: SQL): SQL[] =>
  [...sides].map(([locale, content]) =>
    content === null
      ? sql`DELETE FROM record_locales WHERE locale = ${int(locale)}
          AND record IN (SELECT r.seq FROM records r WHERE ${records})`
      : sql`INSERT INTO record_locales (record, locale, model_id, size_bytes, folded, data, filled)
          SELECT r.seq, ${int(locale)}, r.model_id, ${content.sizeBytes}, ${content.folded}, c.data, ${filledOf(sql`c.data`)}
          FROM records r CROSS JOIN (SELECT ${content.data} AS data) c WHERE ${records}
          ON CONFLICT (record, locale) DO UPDATE SET size_bytes = excluded.size_bytes, folded = excluded.folded,
            data = excluded.data`,
  );

/** Copies contents of the record `r` for which `records` holds to the row `seq` of the model number `modelId`. */
export const copySides = (records: SQL, to: { seq: SQL; modelId: SQL }, locales: SQL = sql`1`): SQL => sql`
  INSERT INTO record_locales (record, locale, model_id, size_bytes, folded, data, filled)
  SELECT ${to.seq}, l.locale, ${to.modelId}, l.size_bytes, l.folded, l.data, l.filled
  FROM records r CROSS JOIN record_locales l ON l.record = r.seq WHERE (${records}) AND ${locales}
  ON CONFLICT (record, locale) DO UPDATE SET size_bytes = excluded.size_bytes, folded = excluded.folded,
    data = excluded.data`;

/**
 * Keeps what a change replaces: the parts of the record `r` that are named, each with the version that made it.
 * `records` holds before the change.
 */
export const keepParts = (parts: ReadonlyMap<number, number>, records: SQL): SQL[] =>
  [...parts].map(([locale, version]) =>
    locale === 0
      ? sql`INSERT OR IGNORE INTO record_locale_versions (record, locale, version, until, data)
          SELECT r.seq, 0, ${int(version)}, r.version + 1, r.data FROM records r WHERE ${records}`
      : sql`INSERT OR IGNORE INTO record_locale_versions (record, locale, version, until, data)
          SELECT r.seq, l.locale, ${int(version)}, r.version + 1, l.data FROM records r
          CROSS JOIN record_locales l ON l.record = r.seq AND l.locale = ${int(locale)} WHERE ${records}`,
  );

/** Returns the column of the content that has a field's values, for the record `alias`. */
export function columnOf(alias: SQL, no: number, column: "data" | "folded"): SQL {
  const locale = localeOfNumber(no);
  const name = sql.raw(column);
  if (locale === 0) return sql`${alias}.${name}`;
  return sql`(SELECT l.${name} FROM record_locales l WHERE l.record = ${alias}.seq AND l.locale = ${int(locale)})`;
}

/** Joins objects in JSON that have no name in common. */
export function joined(data: string, side: string | null | undefined): string {
  if (side === null || side === undefined || side === "{}") return data;
  if (data === "{}") return side;
  return `${data.slice(0, -1)},${side.slice(1)}`;
}

interface SideRow {
  record: number;
  locale: number;
  /** Null when the rows before it had as many bytes as an answer may have. */
  data: string | null;
}

/** Contents in several locales by the `seq` of their record; null where an answer has no room for them. */
export type SidesOfRecords = ReadonlyMap<number, string | null>;

/**
 * Reads the contents of records in some locales (null: in all), joined, in the order of the records: as many bytes as
 * one answer may have.
 */
export async function readSides(
  db: Database,
  seqs: readonly number[],
  locales: readonly number[] | null,
): Promise<SidesOfRecords> {
  if (seqs.length === 0 || locales?.length === 0) return new Map();
  const isAsked =
    locales === null ? sql`1` : sql`l.locale IN (SELECT value FROM json_each(${JSON.stringify(locales)}))`;
  const rows = await db.all<SideRow>(sql`
    WITH measured AS (SELECT l.record, l.locale, sum(l.size_bytes) OVER (ORDER BY j.key, l.locale) AS until
      FROM json_each(${JSON.stringify(seqs)}) j CROSS JOIN record_locales l ON l.record = j.value WHERE ${isAsked})
    SELECT m.record, m.locale, CASE WHEN m.until <= ${int(CONTENT.pageMaxBytes)} THEN l.data END AS data
    FROM measured m CROSS JOIN record_locales l ON l.record = m.record AND l.locale = m.locale`);
  const found = new Map<number, string | null>();
  for (const { record, data } of rows) {
    const before = found.get(record);
    found.set(record, before === null || data === null ? null : joined(before ?? "{}", data));
  }
  return found;
}
