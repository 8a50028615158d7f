/** The reads before a bulk of operations, and the condition under which it is written. */
import { and, eq, isNull, sql, type SQL } from "drizzle-orm";
import { records } from "../../../../schema/tables.ts";
import type { Model } from "../../../content/model/model.ts";
import type { Database } from "../database/database.ts";
import type { RecordRow } from "../spaces/entries.ts";
import { guard } from "../database/guard.ts";
import { int } from "./record-index.ts";
import { modelIsCurrent } from "./records.ts";

/** Reads the existing records with these ids, by id. */
export async function readRecords(
  db: Database,
  modelId: number,
  ids: readonly string[],
): Promise<Map<string, RecordRow>> {
  if (ids.length === 0) return new Map();
  const isAsked = sql`${records.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;
  const rows = await db
    .select()
    .from(records)
    .where(and(eq(records.modelId, modelId), isAsked, isNull(records.deletedAt)));
  return new Map(rows.map((row) => [row.id, row]));
}

/** Fails the batch unless the model and the records are unchanged since they were read. */
export function asRead(model: Model, rows: readonly RecordRow[]): SQL {
  const read = JSON.stringify(
    rows.map((row) => [
      row.seq,
      row.version,
      row.publishedVersion,
      row.publishAt,
      row.unpublishAt,
      row.locales,
    ]),
  );
  return guard(sql`${modelIsCurrent(model)} AND NOT EXISTS (SELECT 1 FROM json_each(${read}) j
    WHERE NOT EXISTS (SELECT 1 FROM records r WHERE r.seq = j.value ->> 0 AND r.version = j.value ->> 1
      AND r.published_version IS j.value ->> 2 AND r.publish_at IS j.value ->> 3
      AND r.unpublish_at IS j.value ->> 4 AND r.locales IS j.value ->> 5 AND r.model_id = ${int(model.id)} AND r.deleted_at IS NULL))`);
}
