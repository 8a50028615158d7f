/**
 * Changes of models that are worked on in the background (RULES 3.2): one row says how far each is, and moves on in the
 * batch of each slice. While it is there, triggers note the records that are written, and each is looked at once more.
 */
import { sql, type SQL } from "drizzle-orm";
import { modelChanges, models } from "../../../../schema/tables.ts";
import type { StoredField } from "../../../content/field-types/fields.ts";
import type { TypeModel } from "../../../content/model/type-models.ts";
import { SLICE } from "../../../limits.ts";
import { batchSql, type Database } from "../database/database.ts";
import type { ModelRow } from "../spaces/entries.ts";
import type { By } from "../events/actor.ts";
import { modelEvent } from "../events/model-events.ts";
import { guard, isGuardFailure } from "../database/guard.ts";
import { numbersOf, totalOf } from "./holders.ts";
import { int } from "../records/record-index.ts";
import { numbersInLocales } from "./model-values.ts";
import { standsHere } from "../shards/space-rows.ts";

export type ModelChangeRow = typeof modelChanges.$inferSelect;

/** The progress of a change: the place where its next slice begins. */
export type Place = Pick<ModelChangeRow, "phase" | "afterId">;

/**
 * The phases of a change, by their numbers in the table: the records are checked, then their published contents, then
 * the contents of both in other locales than the default. Records are published for a model that gets drafts. Index rows of new fields are written. Records that were written meanwhile
 * are looked at once more, and then the change is made.
 */
export const PHASE = { records: 0, published: 1, sides: 5, drafts: 4, added: 3, touched: 2 } as const;

export const ofModel = (modelId: number): SQL => sql`model_id = ${int(modelId)}`;

/** Returns the condition that no other change of the model is worked on, or has left rows that are to be removed. */
export const nothingInWork = (modelId: number): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM model_changes WHERE ${ofModel(modelId)} AND (state = 'working' OR left_uniques <> '[]'))`;

const isWorkedOn = ({ modelId, id }: Pick<ModelChangeRow, "modelId" | "id">): SQL =>
  sql`${ofModel(modelId)} AND id = ${id} AND state = 'working'`;

export async function readModelChange(db: Database, modelId: number): Promise<ModelChangeRow | null> {
  return (await db.select().from(modelChanges).where(ofModel(modelId)).get()) ?? null;
}

/** A model with a change that is worked on. */
export interface WorkingChange {
  typeModel: TypeModel;
  model: string;
}

/** Lists the models of a space with a change that is worked on. */
export async function workingChanges(db: Database, spaceId: string): Promise<WorkingChange[]> {
  return db.all<WorkingChange>(sql`SELECT m.type_model AS typeModel, m.name AS model
    FROM models m CROSS JOIN model_changes c ON c.model_id = m.id
    WHERE m.space_id = ${spaceId} AND c.state = 'working' ORDER BY m.id`);
}

/** Lists at most `limit` changes that go on, or have left rows that are to be removed. The oldest come first. */
export async function modelChangesToDo(db: Database, limit: number): Promise<ModelChangeRow[]> {
  const isDue = sql`(state = 'working' OR left_uniques <> '[]') AND ${standsHere(sql`space_id`)}`;
  return db.select().from(modelChanges).where(isDue).orderBy(modelChanges.startedAt).limit(limit);
}

/** A change that begins. */
export interface StartedChange {
  id: string;
  asked: string;
  now: number;
  /** The models whose records hold the component that is changed; none for a model with records. */
  holders?: readonly number[];
  /** The statement of its event. */
  event: SQL;
}

/** Starts a change. False if the model changed, or another change of it is worked on. */
export async function startModelChange(
  db: Database,
  model: Pick<ModelRow, "id" | "spaceId" | "version" | "drafts">,
  { id, asked, now, holders = [], event }: StartedChange,
): Promise<boolean> {
  const numbers = holders.length > 0 ? numbersOf(holders) : numbersOf([model.id]);
  await removeOldTouches(db, model.id);
  try {
    await batchSql(db, [
      guard(sql`${nothingInWork(model.id)}
        AND NOT EXISTS (SELECT 1 FROM model_change_touches WHERE ${ofModel(model.id)})
        AND EXISTS (SELECT 1 FROM models WHERE id = ${int(model.id)} AND version = ${int(model.version)})`),
      sql`INSERT OR REPLACE INTO model_changes (model_id, space_id, id, state, asked, version, total, holders, started_at)
        VALUES (${int(model.id)}, ${model.spaceId}, ${id}, 'working', ${asked}, ${int(model.version)},
          ${totalOf(numbers)}, ${JSON.stringify(holders)}, ${now})`,
      event,
    ]);
    return true;
  } catch (error) {
    if (isGuardFailure(error)) return false;
    throw error;
  }
}

/** Removes the notes of an earlier change, slice by slice. While a change is worked on, its notes stay. */
async function removeOldTouches(db: Database, modelId: number): Promise<void> {
  for (;;) {
    const removed =
      await db.all(sql`DELETE FROM model_change_touches WHERE no IN (SELECT no FROM model_change_touches
      WHERE ${ofModel(modelId)} LIMIT ${int(SLICE.rows)}) AND NOT EXISTS
        (SELECT 1 FROM model_changes WHERE ${ofModel(modelId)} AND state = 'working') RETURNING 1`);
    if (removed.length < SLICE.rows) return;
  }
}

/**
 * Moves a change on, in the batch that writes its slice. False if another run did so first. Throws if unique values
 * collide.
 * @param to.asked the request, if something is noted in it
 */
export async function advance(
  db: Database,
  change: ModelChangeRow,
  to: Place & { checked: number; asked?: string },
  slice: SQL[],
): Promise<boolean> {
  const { modelId, phase, afterId, checked } = change;
  const isHere = sql`${isWorkedOn(change)} AND phase = ${int(phase)} AND after_id = ${afterId} AND checked = ${int(checked)}`;
  try {
    await batchSql(db, [
      guard(sql`EXISTS (SELECT 1 FROM model_changes WHERE ${isHere})`),
      ...slice,
      sql`UPDATE model_changes SET phase = ${int(to.phase)}, after_id = ${to.afterId}, checked = ${int(to.checked)},
          asked = ${to.asked ?? change.asked}
        WHERE ${ofModel(modelId)}`,
    ]);
    return true;
  } catch (error) {
    if (isGuardFailure(error)) return false;
    throw error;
  }
}

/** The end of a change without effect. */
export interface GivenUp {
  state: "refused" | "withdrawn";
  conflicts: string;
  uniques: readonly StoredField[];
  now: number;
  /** The model of a change that a caller withdraws, which has an event. */
  withdrawn?: { row: ModelRow; by: By };
}

/** Ends a change without effect. The sweep removes the unique values that it has written. False if it had ended. */
export async function giveUp(db: Database, change: ModelChangeRow, end: GivenUp): Promise<boolean> {
  const isIt = isWorkedOn(change);
  const give = sql`UPDATE model_changes SET state = ${end.state}, conflicts = ${end.conflicts},
      left_uniques = (SELECT json_group_array(no) FROM (${numbersInLocales(change.modelId, end.uniques)})),
      ended_at = ${end.now} WHERE ${isIt} RETURNING id`;
  const isWorking = sql`EXISTS (SELECT 1 FROM model_changes WHERE ${isIt})`;
  const events = end.withdrawn
    ? [
        modelEvent(
          end.withdrawn.row,
          "withdrawn",
          end.withdrawn.by,
          { version: end.withdrawn.row.version },
          isWorking,
        ),
      ]
    : [];
  const ended = (await batchSql(db, [...events, give])).at(-1) ?? [];
  await removeOldTouches(db, change.modelId);
  return ended.length > 0;
}

/**
 * Returns statements for the batch of the change. It fails while a record that was written meanwhile is not checked.
 */
export const finishStatements = (change: ModelChangeRow, now: number): SQL[] => [
  guard(sql`EXISTS (SELECT 1 FROM model_changes WHERE ${isWorkedOn(change)})
    AND NOT EXISTS (SELECT 1 FROM model_change_touches WHERE ${ofModel(change.modelId)})`),
  sql`UPDATE model_changes SET state = 'done', ended_at = ${now} WHERE ${isWorkedOn(change)}`,
];

/** Removes at most `limit` unique values that a change without success has left. */
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
  await db.run(sql`DELETE FROM model_changes WHERE ${ofModel(modelId)} AND id = ${id}`);
  await removeOldTouches(db, modelId);
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
