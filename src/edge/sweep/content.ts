/** The sweep's part of the content: records whose time is over, index rows of removed fields, removed spaces. */
import { eq, sql } from "drizzle-orm";
import { doomedFields, models } from "../../../schema/tables.ts";
import { batchSql, type Database } from "../storage/database.ts";
import { dropIndexRows, int } from "../storage/record-index.ts";
import { purgeDueRecords } from "../storage/record-trash.ts";

/** Rows of one statement, and statements of one run: a run stays far below what a minute of D1 can do. */
const BITE = { records: 1000, indexRows: 5000 } as const;
const BITES_A_RUN = 20;

/** Trashed records hold no index rows, so their own row is all there is. How many went. */
export async function purgeRecords(db: Database, now: number): Promise<number> {
  let purged = 0;
  for (let bite = 0; bite < BITES_A_RUN; bite++) {
    const gone = await purgeDueRecords(db, now, BITE.records);
    purged += gone;
    if (gone < BITE.records) break;
  }
  return purged;
}

/** Index rows of fields that no model has: removed ones, and new ones whose change never came through. */
export async function dropDoomedFields(db: Database, now: number): Promise<number> {
  let finished = 0;
  for (let bite = 0; bite < BITES_A_RUN; bite++) {
    const due = await db
      .select()
      .from(doomedFields)
      .where(sql`due_at <= ${now}`)
      .limit(1)
      .get();
    if (!due) break;
    const ofField = sql`model_id = ${int(due.modelId)} AND field = ${int(due.field)}`;
    const [values, uniques] = await batchSql(db, [
      sql`DELETE FROM record_values WHERE (model_id, field, value, record) IN
        (SELECT model_id, field, value, record FROM record_values WHERE ${ofField} LIMIT ${int(BITE.indexRows)})
        RETURNING 1`,
      sql`DELETE FROM record_uniques WHERE (model_id, field, value) IN
        (SELECT model_id, field, value FROM record_uniques WHERE ${ofField} LIMIT ${int(BITE.indexRows)}) RETURNING 1`,
    ]);
    if ((values?.length ?? 0) + (uniques?.length ?? 0) > 0) continue;
    await db.delete(doomedFields).where(ofField);
    finished += 1;
  }
  return finished;
}

/** Records, then models of a removed space. True once nothing is left; false when the next run must go on. */
export async function emptySpaceContent(db: Database, spaceId: string): Promise<boolean> {
  for (let bite = 0; bite < BITES_A_RUN; bite++) {
    const found = await db.all<{ seq: number }>(sql`
      SELECT r.seq FROM models m CROSS JOIN records r ON r.model_id = m.id
      WHERE m.space_id = ${spaceId} LIMIT ${int(BITE.records)}`);
    if (found.length === 0) {
      await batchSql(db, [
        sql`DELETE FROM doomed_fields WHERE model_id IN (SELECT id FROM models WHERE space_id = ${spaceId})`,
        sql`DELETE FROM models WHERE space_id = ${spaceId}
          AND NOT EXISTS (SELECT 1 FROM records r WHERE r.model_id = models.id)`,
      ]);
      return (await db.select().from(models).where(eq(models.spaceId, spaceId)).limit(1).get()) === undefined;
    }
    const seqs = sql`SELECT value FROM json_each(${JSON.stringify(found.map(({ seq }) => seq))})`;
    await batchSql(db, [...dropIndexRows(seqs), sql`DELETE FROM records WHERE seq IN (${seqs})`]);
  }
  return false;
}
