/** Removes index rows of fields that no model has: removed fields, and new fields whose change failed. */
import { sql } from "drizzle-orm";
import { doomedFields } from "../../../../schema/tables.ts";
import { batchSql, type Database } from "../database/database.ts";
import { ALL_PUBLISHED, removePublished } from "./switch-drafts.ts";
import { int } from "../records/record-index.ts";

/** The assumed number of index rows per record. */
const ROWS_PER_RECORD = 10;

/**
 * Removes index rows of one field that is due, at most `limit` of each kind.
 *
 * @returns "none" if no field is due, "more" if the field may have rows left, "done" if it has none
 */
export async function removeDueFieldRows(
  db: Database,
  now: number,
  limit: number,
): Promise<"none" | "more" | "done"> {
  const due = await db
    .select()
    .from(doomedFields)
    .where(sql`due_at <= ${now}`)
    .limit(1)
    .get();
  if (!due) return "none";
  if (due.modelId < 0 && due.field === ALL_PUBLISHED) {
    const removed = await removePublished(db, -due.modelId, now, Math.ceil(limit / ROWS_PER_RECORD));
    if (removed > 0) return "more";
  }
  const ofField = sql`model_id = ${int(due.modelId)} AND field = ${int(due.field)}`;
  const [values, uniques] = await batchSql(db, [
    sql`DELETE FROM record_values WHERE (model_id, field, value, record) IN
      (SELECT model_id, field, value, record FROM record_values WHERE ${ofField} LIMIT ${int(limit)}) RETURNING 1`,
    sql`DELETE FROM record_uniques WHERE (model_id, field, value) IN
      (SELECT model_id, field, value FROM record_uniques WHERE ${ofField} LIMIT ${int(limit)}) RETURNING 1`,
  ]);
  if ((values?.length ?? 0) + (uniques?.length ?? 0) > 0) return "more";
  await db.delete(doomedFields).where(sql`${ofField} AND due_at <= ${now}`);
  return "done";
}
