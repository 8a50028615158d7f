/** Reads what versions of records held, for exports: of many records at once, if they have few bytes together. */
import { sql } from "drizzle-orm";
import { batchSql, type Database } from "../database/database.ts";

/** An earlier content of a record in one locale, and the versions in which it is valid. */
export interface Part {
  locale: number;
  version: number;
  until: number;
  data: string;
}

/** The rows from which the contents of one record's versions are put together. */
export interface EarlierRows {
  data: ReadonlyMap<number, string | null>;
  parts: readonly Part[];
  /** The present contents in locales other than the default. */
  sides: ReadonlyMap<number, string>;
}

/** Returns the bytes that `earlierOf` would read of each record. */
export async function earlierSizes(db: Database, seqs: readonly number[]): Promise<Map<number, number>> {
  const list = sql`(SELECT value FROM json_each(${JSON.stringify(seqs)}))`;
  const rows = await db.all<{ record: number; bytes: number }>(sql`
    SELECT record, sum(bytes) AS bytes FROM (
      SELECT record, coalesce(octet_length(data), 0) AS bytes FROM record_versions
        WHERE record IN ${list} AND is_content = 1
      UNION ALL SELECT record, octet_length(data) FROM record_locale_versions WHERE record IN ${list}
      UNION ALL SELECT record, size_bytes FROM record_locales WHERE record IN ${list}) GROUP BY record`);
  return new Map(rows.map(({ record, bytes }) => [record, bytes]));
}

/** Groups rows by their record. */
function byRecord<Row extends { record: number }>(rows: unknown[]): ReadonlyMap<number, Row[]> {
  const groups = new Map<number, Row[]>();
  for (const row of rows as Row[]) {
    const group = groups.get(row.record);
    if (group) group.push(row);
    else groups.set(row.record, [row]);
  }
  return groups;
}

type Numbered<Row> = Row & { record: number };

/** Reads the earlier contents of records, which have few enough bytes together. */
export async function earlierOf(
  db: Database,
  seqs: readonly number[],
): Promise<(seq: number) => EarlierRows> {
  const list = sql`(SELECT value FROM json_each(${JSON.stringify(seqs)}))`;
  const [versions = [], parts = [], sides = []] = await batchSql(db, [
    sql`SELECT record, version, data FROM record_versions WHERE record IN ${list} AND is_content = 1`,
    sql`SELECT record, locale, version, until, data FROM record_locale_versions WHERE record IN ${list}
      ORDER BY record, locale, version`,
    sql`SELECT record, locale, data FROM record_locales WHERE record IN ${list} ORDER BY record, locale`,
  ]);
  const data = byRecord<Numbered<{ version: number; data: string | null }>>(versions);
  const kept = byRecord<Numbered<Part>>(parts);
  const present = byRecord<Numbered<{ locale: number; data: string }>>(sides);
  return (seq) => ({
    data: new Map((data.get(seq) ?? []).map((row) => [row.version, row.data])),
    parts: kept.get(seq) ?? [],
    sides: new Map((present.get(seq) ?? []).map((row) => [row.locale, row.data])),
  });
}
