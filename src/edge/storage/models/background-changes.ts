/**
 * Changes of models that are worked on in the background (RULES 3.2): one row says how far each is, and moves on in the
 * batch of each slice. While it is there, triggers note the records that are written, and each is looked at once more.
 */
import { sql, type SQL } from "drizzle-orm";
import { modelChanges, models } from "../../../../schema/tables.ts";
import type { StoredField } from "../../../content/field-types/fields.ts";
import type { Model } from "../../../content/model/model.ts";
import { CONTENT } from "../../../limits.ts";
import { batchSql, type Database } from "../database/database.ts";
import type { ModelRow } from "../spaces/entries.ts";
import { guard, isGuardFailure } from "../database/guard.ts";
import { modelNumbers, ownerOf, publishedSeqOf } from "../records/published.ts";
import { addUniqueRows, int, wholeValues } from "../records/record-index.ts";

export type ModelChangeRow = typeof modelChanges.$inferSelect;

/** How far a change is: where a slice begins. */
export type Place = Pick<ModelChangeRow, "phase" | "afterId">;

/** Its phases: the records, their published contents, what was written meanwhile. */
export const PHASE = { records: 0, published: 1, touched: 2 } as const;

const ofModel = (modelId: number): SQL => sql`model_id = ${int(modelId)}`;

/** Holds while no other change of the model is worked on, or has something left to be removed. */
export const nothingInWork = (modelId: number): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM model_changes WHERE ${ofModel(modelId)} AND (state = 'working' OR left_uniques <> '[]'))`;

const isWorkedOn = ({ modelId, id }: Pick<ModelChangeRow, "modelId" | "id">): SQL =>
  sql`${ofModel(modelId)} AND id = ${id} AND state = 'working'`;

export async function readModelChange(db: Database, modelId: number): Promise<ModelChangeRow | null> {
  return (await db.select().from(modelChanges).where(ofModel(modelId)).get()) ?? null;
}

/** Changes that are to go on, or whose rest is to be removed: those that wait longest, `limit` at most. */
export async function modelChangesToDo(db: Database, limit: number): Promise<ModelChangeRow[]> {
  const isDue = sql`state = 'working' OR left_uniques <> '[]'`;
  return db.select().from(modelChanges).where(isDue).orderBy(modelChanges.startedAt).limit(limit);
}

/** False when the model changed, or another change of it is in work. */
export async function startModelChange(
  db: Database,
  model: Pick<ModelRow, "id" | "spaceId" | "version" | "drafts">,
  { id, asked, now }: { id: string; asked: string; now: number },
): Promise<boolean> {
  const total = sql`(SELECT count(*) FROM records WHERE model_id IN ${modelNumbers(model)})`;
  try {
    await batchSql(db, [
      guard(sql`${nothingInWork(model.id)}
        AND EXISTS (SELECT 1 FROM models WHERE id = ${int(model.id)} AND version = ${int(model.version)})`),
      sql`DELETE FROM model_change_touches WHERE ${ofModel(model.id)}`,
      sql`INSERT OR REPLACE INTO model_changes (model_id, space_id, id, state, asked, version, total, started_at)
        VALUES (${int(model.id)}, ${model.spaceId}, ${id}, 'working', ${asked}, ${int(model.version)}, ${total}, ${now})`,
    ]);
    return true;
  } catch (error) {
    if (isGuardFailure(error)) return false;
    throw error;
  }
}

/** Moves on, with what a slice has to write. False when somebody else did. Throws on duplicates. */
export async function advance(
  db: Database,
  change: ModelChangeRow,
  to: Place & { checked: number },
  statements: SQL[] = [],
): Promise<boolean> {
  const { modelId, phase, afterId, checked } = change;
  const isHere = sql`${isWorkedOn(change)} AND phase = ${int(phase)} AND after_id = ${afterId} AND checked = ${int(checked)}`;
  try {
    await batchSql(db, [
      guard(sql`EXISTS (SELECT 1 FROM model_changes WHERE ${isHere})`),
      ...statements,
      sql`UPDATE model_changes SET phase = ${int(to.phase)}, after_id = ${to.afterId}, checked = ${int(to.checked)}
        WHERE ${ofModel(modelId)}`,
    ]);
    return true;
  } catch (error) {
    if (isGuardFailure(error)) return false;
    throw error;
  }
}

/** Ends without effect. Rows of values that were to be unique are left to be removed. False when it had ended. */
export async function giveUp(
  db: Database,
  change: ModelChangeRow,
  end: { state: "refused" | "withdrawn"; conflicts: string; uniques: readonly StoredField[]; now: number },
): Promise<boolean> {
  const left = JSON.stringify(end.uniques.map(({ no }) => no));
  const [ended = []] = await batchSql(db, [
    sql`UPDATE model_changes SET state = ${end.state}, conflicts = ${end.conflicts}, left_uniques = ${left},
      ended_at = ${end.now} WHERE ${isWorkedOn(change)} RETURNING id`,
    sql`DELETE FROM model_change_touches WHERE ${ofModel(change.modelId)} AND NOT EXISTS
      (SELECT 1 FROM model_changes WHERE ${ofModel(change.modelId)} AND state = 'working')`,
  ]);
  return ended.length > 0;
}

/** For the batch that makes the change: it fails while a record that was written meanwhile is not looked at. */
export const finishStatements = (change: ModelChangeRow, now: number): SQL[] => [
  guard(sql`EXISTS (SELECT 1 FROM model_changes WHERE ${isWorkedOn(change)})
    AND NOT EXISTS (SELECT 1 FROM model_change_touches WHERE ${ofModel(change.modelId)})`),
  sql`UPDATE model_changes SET state = 'done', ended_at = ${now} WHERE ${isWorkedOn(change)}`,
];

/** Unique values of the active records from after `afterId` to `lastId`, of one of the model's contents. */
export const uniquesOfSlice = (
  modelNumber: number,
  fields: StoredField[],
  { afterId, lastId }: { afterId: string; lastId: string },
): SQL[] =>
  addUniqueRows(fields, sql`r.model_id = ${int(modelNumber)} AND r.id > ${afterId} AND r.id <= ${lastId}`);

export interface Touched {
  no: number;
  record: number;
  /** Null when it is not there any more. */
  id: string | null;
  data: string | null;
}

/** Records that were written meanwhile: as many as fit in a slice, one at least. */
export async function readTouched(db: Database, modelId: number): Promise<Touched[]> {
  return db.all<Touched>(sql`
    WITH batch AS MATERIALIZED (SELECT no, record FROM model_change_touches
      WHERE ${ofModel(modelId)} ORDER BY no LIMIT ${int(CONTENT.checkedRecordsBatch)}),
    measured AS (SELECT b.no, b.record, r.id, coalesce(r.size_bytes, 0) AS size,
      sum(coalesce(r.size_bytes, 0)) OVER (ORDER BY b.no) AS until FROM batch b LEFT JOIN records r ON r.seq = b.record)
    SELECT m.no, m.record, r.id, r.data FROM measured m LEFT JOIN records r ON r.seq = m.record
    WHERE m.until - m.size < ${int(CONTENT.pageMaxBytes)} ORDER BY m.no`);
}

/** Their unique values anew, and that they were looked at. */
export function settleTouched(modelId: number, touched: readonly Touched[], fields: StoredField[]): SQL[] {
  const seqs = JSON.stringify([...new Set(touched.map(({ record }) => record))]);
  const owners = sql`SELECT ${ownerOf(sql`value`)} FROM json_each(${seqs})`;
  const rows = sql`SELECT ${ownerOf(sql`value`)} FROM json_each(${seqs})
    UNION SELECT ${publishedSeqOf(ownerOf(sql`value`))} FROM json_each(${seqs})`;
  const numbers = sql.join(
    fields.map(({ no }) => int(no)),
    sql`, `,
  );
  const last = touched.at(-1)?.no ?? 0;
  return [
    ...(fields.length > 0
      ? [
          sql`DELETE FROM record_uniques WHERE record IN (${owners}) AND field IN (${numbers})`,
          ...addUniqueRows(fields, sql`r.seq IN (${rows})`),
        ]
      : []),
    sql`DELETE FROM model_change_touches WHERE ${ofModel(modelId)} AND no <= ${int(last)}`,
  ];
}

export interface Duplicate {
  /** Of the field. */
  no: number;
  id: string;
  other: string;
}

/** The first of `fields` and of the records of a slice whose value another record has, too. */
export async function firstDuplicates(
  db: Database,
  model: Pick<Model, "id" | "drafts">,
  fields: StoredField[],
  records: SQL,
): Promise<Duplicate[]> {
  const values = (where: SQL): SQL => sql`SELECT no, v, ${ownerOf(sql`seq`)} AS owner
    FROM (${wholeValues(fields, where)}) WHERE v IS NOT NULL`;
  return db.all(sql`
    WITH slice AS MATERIALIZED (${values(sql`r.model_id IN ${modelNumbers(model)} AND ${records}`)}),
    known AS (SELECT s.no, s.owner, u.record AS other FROM slice s JOIN record_uniques u
        ON u.model_id = ${int(model.id)} AND u.field = s.no AND u.value = s.v AND u.record <> s.owner
      UNION SELECT a.no, a.owner, b.owner FROM slice a JOIN slice b ON b.no = a.no AND b.v = a.v AND b.owner < a.owner)
    SELECT k.no, r.id, o.id AS other FROM known k JOIN records r ON r.seq = k.owner JOIN records o ON o.seq = k.other
    ORDER BY r.id LIMIT ${int(CONTENT.namedMisfitsMax)}`);
}

/** Removes rows that a change which did not succeed has left among the unique values, `limit` at most. */
export async function removeLeftUniques(db: Database, change: ModelChangeRow, limit: number): Promise<void> {
  const { modelId, leftUniques } = change;
  const isLeft = sql`${ofModel(modelId)} AND field IN (SELECT value FROM json_each(${leftUniques}))`;
  await batchSql(db, [
    sql`DELETE FROM record_uniques WHERE (model_id, field, value) IN (SELECT model_id, field, value
      FROM record_uniques WHERE ${isLeft} LIMIT ${int(limit)}) AND EXISTS (SELECT 1 FROM model_changes
        WHERE ${ofModel(modelId)} AND id = ${change.id} AND left_uniques = ${leftUniques})`,
    sql`UPDATE model_changes SET left_uniques = '[]' WHERE ${ofModel(modelId)} AND id = ${change.id}
      AND NOT EXISTS (SELECT 1 FROM record_uniques WHERE ${isLeft})`,
  ]);
}

/** Forgets a change whose model is gone. */
export async function forgetModelChange(db: Database, { modelId, id }: ModelChangeRow): Promise<void> {
  await batchSql(db, [
    sql`DELETE FROM model_change_touches WHERE ${ofModel(modelId)}`,
    sql`DELETE FROM model_changes WHERE ${ofModel(modelId)} AND id = ${id}`,
  ]);
}

export async function readModelById(db: Database, id: number): Promise<ModelRow | null> {
  return (
    (await db
      .select()
      .from(models)
      .where(sql`id = ${int(id)}`)
      .get()) ?? null
  );
}
