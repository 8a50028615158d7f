/** Writes the histories of records of an import, many events in one statement. */
import { sql, type SQL } from "drizzle-orm";
import type { recordVersions } from "../../../../schema/tables.ts";
import { EXCHANGE } from "../../../limits.ts";
import type { Database } from "../database/database.ts";
import { int } from "../records/record-index.ts";
import { inParts } from "./write.ts";

const raw = (text: string): SQL => sql.raw(text);

export type EventRow = typeof recordVersions.$inferInsert;

const EVENT_COLUMNS = [
  "record",
  "no",
  "version",
  "event",
  "isContent",
  "createdAt",
  "keyId",
  "keyName",
  "actorKind",
  "changed",
  "purgeAt",
  "data",
] as const satisfies (keyof EventRow)[];

/** Inserts events of histories. */
export const insertEvents = (events: readonly EventRow[]): SQL[] =>
  inParts(events, ({ data, changed }) => (data?.length ?? 0) + changed.length + 200).map((part) => {
    const [only] = part;
    const names = raw(
      "record, no, version, event, is_content, created_at, key_id, key_name, actor_kind, changed, purge_at, data",
    );
    if (part.length === 1 && only) {
      const values = EVENT_COLUMNS.map((name) => {
        const value = only[name];
        return typeof value === "number"
          ? int(value)
          : sql`${typeof value === "boolean" ? Number(value) : (value ?? null)}`;
      });
      return sql`INSERT OR IGNORE INTO record_versions (${names}) VALUES (${sql.join(values, sql`, `)})`;
    }
    const list = JSON.stringify(
      part.map((event) =>
        EVENT_COLUMNS.map((name) => (name === "isContent" ? Number(event[name]) : (event[name] ?? null))),
      ),
    );
    const values = raw(EVENT_COLUMNS.map((_, index) => `j.value ->> ${index}`).join(", "));
    return sql`INSERT OR IGNORE INTO record_versions (${names}) SELECT ${values} FROM json_each(${list}) j ORDER BY j.key`;
  });

/** An earlier content of a record in one locale. */
export interface PartRow {
  record: number;
  locale: number;
  version: number;
  until: number;
  data: string;
}

/** Inserts earlier contents, or lets those that are there be valid for longer. */
export const insertParts = (parts: readonly PartRow[]): SQL[] =>
  inParts(parts, ({ data }) => data.length + 50).map((part) => {
    const [only] = part;
    const conflict = raw(
      "ON CONFLICT (record, locale, version) DO UPDATE SET until = max(until, excluded.until)",
    );
    if (part.length === 1 && only)
      return sql`INSERT INTO record_locale_versions (record, locale, version, until, data)
        VALUES (${int(only.record)}, ${int(only.locale)}, ${int(only.version)}, ${int(only.until)}, ${only.data})
        ${conflict}`;
    const list = JSON.stringify(
      part.map(({ record, locale, version, until, data }) => [record, locale, version, until, data]),
    );
    return sql`INSERT INTO record_locale_versions (record, locale, version, until, data)
      SELECT j.value ->> 0, j.value ->> 1, j.value ->> 2, j.value ->> 3, j.value ->> 4
      FROM json_each(${list}) j WHERE true ${conflict}`;
  });

/** Returns what a version of a record held in a locale; null if the space has no such content. */
export async function heldPart(
  db: Database,
  record: number,
  locale: number,
  version: number,
): Promise<string | null> {
  const [row] = await db.all<{ data: string }>(sql`SELECT data FROM record_locale_versions
    WHERE record = ${int(record)} AND locale = ${int(locale)} AND version <= ${int(version)} AND until > ${int(version)}`);
  return row?.data ?? null;
}

/** Reads the earlier contents that are valid until the version that each record is given with. */
export async function lastParts(
  db: Database,
  ends: readonly [record: number, until: number][],
): Promise<PartRow[]> {
  if (ends.length === 0) return [];
  return db.all<PartRow>(sql`SELECT p.record, p.locale, p.version, p.until, p.data
    FROM json_each(${JSON.stringify(ends)}) j
    CROSS JOIN record_locale_versions p ON p.record = j.value ->> 0 AND p.until = j.value ->> 1
    WHERE (SELECT sum(octet_length(q.data)) FROM record_locale_versions q WHERE q.record = p.record AND q.until = p.until)
      <= ${int(EXCHANGE.partsMaxBytes)}`);
}
