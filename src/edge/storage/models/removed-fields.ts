/** Removes index rows of fields that no model has: removed fields, and new fields whose change failed. */
import { sql, type SQL } from "drizzle-orm";
import { removedFields } from "../../../../schema/tables.ts";
import type { StoredField } from "../../../content/field-types/fields.ts";
import { FIELD_BITS } from "../../../content/locales/numbers.ts";
import { batchSql, type Database } from "../database/database.ts";
import { numbersInLocales } from "./model-values.ts";
import { ALL_PUBLISHED, removePublished } from "./switch-drafts.ts";
import { int } from "../records/record-index.ts";
import { modelStandsHere } from "../shards/space-rows.ts";

/**
 * Returns the number that stands for the unique values of a field in the table of removed fields, when the field is not
 * unique any more, and stays. No field has it.
 */
const uniquesOf = (field: number): number => -field;

/** Returns a statement that marks the unique values of a field, in all locales, for the sweep. */
export const leaveUniquesToSweep = (modelId: number, field: StoredField, now: number): SQL => sql`
  INSERT OR REPLACE INTO doomed_fields (model_id, field, due_at)
  SELECT ${int(modelId)}, -no, ${now} FROM (${numbersInLocales(modelId, [field])})`;

/** Returns whether the sweep has unique values of some of these fields to remove, from when they were unique before. */
export async function areUniquesLeft(
  db: Database,
  modelId: number,
  fields: readonly number[],
): Promise<boolean> {
  const numbers = JSON.stringify(fields.map(uniquesOf));
  const left = await db.get(sql`SELECT 1 FROM doomed_fields WHERE model_id = ${int(modelId)}
    AND field < 0 AND -((-field) & ${int(FIELD_BITS)}) IN (SELECT value FROM json_each(${numbers})) LIMIT 1`);
  return left !== undefined;
}

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
    .from(removedFields)
    .where(sql`due_at <= ${now} AND ${modelStandsHere(sql`model_id`)}`)
    .limit(1)
    .get();
  if (!due) return "none";
  if (due.modelId < 0 && due.field === ALL_PUBLISHED) {
    const removed = await removePublished(db, -due.modelId, now);
    if (removed > 0) return "more";
  }
  const isMark = sql`model_id = ${int(due.modelId)} AND field = ${int(due.field)} AND due_at <= ${now}`;
  const ofField = sql`model_id = ${int(due.modelId)} AND field = ${int(Math.abs(due.field))}`;
  const isDue = sql`EXISTS (SELECT 1 FROM doomed_fields WHERE ${isMark})`;
  const removed = await batchSql(db, [
    ...(due.field < 0
      ? []
      : [
          sql`DELETE FROM record_values WHERE (model_id, field, value, record) IN (SELECT model_id, field, value, record
            FROM record_values WHERE ${ofField} AND ${isDue} LIMIT ${int(limit)}) RETURNING 1`,
        ]),
    sql`DELETE FROM record_uniques WHERE (model_id, field, value) IN (SELECT model_id, field, value
      FROM record_uniques WHERE ${ofField} AND ${isDue} LIMIT ${int(limit)}) RETURNING 1`,
  ]);
  if (removed.some((rows) => rows.length > 0)) return "more";
  await db.delete(removedFields).where(isMark);
  return "done";
}
