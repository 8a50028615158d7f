/** Measures what the filters of a list would read of texts, without reading the texts (RULES 3.18). */
import { sql, type SQL } from "drizzle-orm";
import type { Measured, RelationFilter } from "../../../content/query/list-query.ts";
import { CONTENT } from "../../../limits.ts";
import type { Database } from "../database/database.ts";
import { int, NULL_VALUE } from "../records/record-index.ts";
import type { ListRequest } from "./record-branches.ts";
import { leadOf } from "./record-leads.ts";
import { isSearch } from "./record-page.ts";

/**
 * Returns the bytes of a row's columns, whose lengths SQLite knows without loading them, where `octet_length` stands in
 * the innermost SELECT.
 */
const sizeOf = (alias: string): SQL =>
  sql.raw(`octet_length(${alias}.data) + coalesce(octet_length(${alias}.folded), 0) AS bytes`);

async function measure(db: Database, tables: SQL[], rows: SQL, max: number): Promise<Measured> {
  const before = tables.length > 0 ? sql`WITH ${sql.join(tables, sql`, `)}` : sql``;
  return db.get<Measured>(
    sql`${before} SELECT count(*) AS records, coalesce(sum(bytes), 0) AS bytes FROM (${rows} LIMIT ${int(max + 1)})`,
  );
}

/**
 * Measures the records whose texts a list may read, up to `max + 1`: those of a condition that leads to few, else all
 * of the model.
 */
export async function measureRecords(db: Database, request: ListRequest, max: number): Promise<Measured> {
  const { modelId, conditions } = request;
  const few = Math.min(CONTENT.fewMatches, max);
  const lead = isSearch(request) ? null : leadOf(modelId, conditions, few);
  if (lead) {
    const where = sql.join([sql`1`, ...lead.where], sql` AND `);
    const rows = sql`SELECT ${sizeOf("r")} FROM ${lead.from} CROSS JOIN records r ON r.seq = d.record WHERE ${where}`;
    const led = await measure(db, lead.tables, rows, few);
    if (led.records <= few) return led;
  }
  const all = sql`SELECT ${sizeOf("r")} FROM records r WHERE r.model_id = ${int(modelId)} AND r.deleted_at IS NULL`;
  return measure(db, [], all, max);
}

/**
 * Measures the targets whose texts a filter through a relation may read, each as often as a record names it, up to `max
 * + 1`.
 */
export const measureTargets = (
  db: Database,
  { modelId }: Pick<ListRequest, "modelId">,
  { relation, modelId: targets }: RelationFilter,
  max: number,
): Promise<Measured> =>
  measure(
    db,
    [],
    sql`SELECT ${sizeOf("t")} FROM record_values v
      CROSS JOIN records t ON t.model_id = ${int(targets)} AND t.id = v.value AND t.deleted_at IS NULL
      WHERE v.model_id = ${int(modelId)} AND v.field = ${int(relation.no)} AND v.value < ${NULL_VALUE}`,
    max,
  );

/** Counts the media of a space, up to `max + 1`. */
export const countMedia = async (db: Database, spaceId: string, max: number): Promise<Measured> => {
  const { n } = await db.get<{ n: number }>(sql`SELECT count(*) AS n FROM
    (SELECT 1 FROM media m WHERE m.space_id = ${spaceId} AND m.deleted_at IS NULL LIMIT ${int(max + 1)})`);
  return { records: n, bytes: 0 };
};
