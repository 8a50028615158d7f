/** Plans writes of records: each changes a record, its index rows and its unique values in one batch. */
import { sql, type SQL } from "drizzle-orm";
import type { Model, StoredContent } from "../../../content/model/model.ts";
import type { StoredField } from "../../../content/field-types/fields.ts";
import type { Database } from "../database/database.ts";
import type { RecordRow } from "../spaces/entries.ts";
import type { PlannedWrite } from "../database/planned-write.ts";
import { actorColumn } from "../events/actor.ts";
import { modelNumbers } from "./published.ts";
import { addIndexRows, asDouble, dropIndexRows, int } from "./record-index.ts";
import { firstVersion, nextVersion, type RecordEvent } from "../history/record-versions.ts";
import { heldIn, keepParts, writeSides, type Sides } from "../locales/sides.ts";

/**
 * Returns the condition that the model is unchanged since values were checked against it, that its space still exists,
 * and that the space still has the locales in which the values were given.
 */
export const modelIsCurrent = (model: Pick<Model, "id" | "version" | "scope">): SQL => sql`
  EXISTS (SELECT 1 FROM models m JOIN spaces s ON s.id = m.space_id
    WHERE m.id = ${int(model.id)} AND m.version = ${int(model.version)} AND s.removed_at IS NULL
    ${model.scope ? sql`AND s.locales = ${JSON.stringify(model.scope.locales)}` : sql``})`;

export const seqOf = (modelId: number, id: string): SQL =>
  sql`SELECT seq FROM records WHERE model_id = ${int(modelId)} AND id = ${id}`;

/** Returns the condition for the rows of a record, published content included if its model has drafts. */
const isAnyOf = (model: Pick<Model, "id" | "drafts">, id: string): SQL =>
  sql`r.model_id IN ${modelNumbers(model)} AND r.id = ${id}`;

const isRecord = (modelId: number, id: string): SQL => sql`r.model_id = ${int(modelId)} AND r.id = ${id}`;

/** A record at the version at which it was read. */
export type VersionedRecord = Pick<RecordRow, "seq" | "version">;

export interface NewRecord {
  id: string;
  spaceId: string;
  content: StoredContent;
  event: RecordEvent;
  /** The record's content in the locales of its space; null in a model without localized fields. */
  localized: { sides: Sides; editions: string; fields: StoredField[] } | null;
}

/** Inserts a record. Its outcome is the creation time; null if the model changed meanwhile. Fails on duplicates. */
export function insertRecord(model: Model, record: NewRecord): PlannedWrite<number | null> {
  const { id, spaceId, content, event, localized } = record;
  // Never before the newest record, so that the order of `seq` is the order of creation.
  const newest = sql`SELECT max(created_at) FROM records WHERE model_id = ${int(model.id)} AND deleted_at IS NULL`;
  const by = actorColumn(event.origin.actor);
  const statements = [
    sql`
      INSERT INTO records (model_id, space_id, id, data, folded, size_bytes, version, created_at, updated_at,
        created_by, updated_by ${localized ? sql`, locales, held` : sql``})
      SELECT ${int(model.id)}, ${spaceId}, ${id}, ${content.data}, ${content.folded}, ${content.sizeBytes}, 1,
        clock.now, clock.now, ${by}, ${by} ${localized ? sql`, ${localized.editions}, ${heldIn(localized.sides)}` : sql``}
      FROM (SELECT max(${event.now}, coalesce((${newest}), 0)) AS now) clock
      WHERE ${modelIsCurrent(model)} RETURNING created_at AS createdAt`,
    ...firstVersion(isRecord(model.id, id), event),
    ...(localized ? writeSides(localized.sides, isRecord(model.id, id)) : []),
    ...addIndexRows([...model.fields, ...(localized?.fields ?? [])], isRecord(model.id, id)),
  ];
  return {
    statements,
    outcome: ([inserted = []]) => (inserted as { createdAt: number }[])[0]?.createdAt ?? null,
  };
}

export interface RecordChange {
  id: string;
  /** The version that the change was made from. */
  version: number;
  /** The content of the record's own row; null if it stays. */
  content: StoredContent | null;
  event: RecordEvent;
  changed: StoredField[];
  /** The record's changes in the locales of its space; null for a record that never had more than one. */
  localized: LocalizedChange | null;
}

/** The effect of a change on a record's editions. */
export interface LocalizedChange {
  /** The contents that change. */
  sides: Sides;
  /** The editions as they were read, and after the change. */
  before: string | null;
  after: string;
  /** The contents that the change replaces, by the number of their locale, each with the version that made it. */
  replaced: ReadonlyMap<number, number>;
}

/** Updates a record. Its outcome is the time; null if record or model changed meanwhile. Fails on duplicates. */
export function updateRecord(model: Model, change: RecordChange): PlannedWrite<number | null> {
  const { id, version, content, event, changed, localized } = change;
  const asRead = sql`${isRecord(model.id, id)} AND r.version = ${version} AND r.deleted_at IS NULL
    AND ${modelIsCurrent(model)} ${localized ? sql`AND r.locales IS ${localized.before}` : sql``}`;
  const history = [
    ...nextVersion(asRead, event, localized !== null),
    ...(localized ? [...keepParts(localized.replaced, asRead), ...writeSides(localized.sides, asRead)] : []),
  ];
  // Triggers note records whose data is written, for changes of components that they hold in any locale.
  const isNoted = localized && localized.sides.size > 0 ? sql`data = data,` : sql``;
  const statements = [
    ...history,
    sql`
      UPDATE records AS r SET ${content ? sql`data = ${content.data}, folded = ${content.folded}, size_bytes = ${content.sizeBytes},` : isNoted}
        version = version + 1, updated_at = max(${event.now}, updated_at),
        updated_by = ${actorColumn(event.origin.actor)} ${localized ? sql`, locales = ${localized.after}` : sql``}
      WHERE ${asRead} RETURNING updated_at AS updatedAt`,
    ...(changed.length > 0
      ? [
          ...dropIndexRows(seqOf(model.id, id), changed),
          ...addIndexRows(changed, isRecord(model.id, id), isAnyOf(model, id)),
        ]
      : []),
  ];
  return {
    statements,
    outcome: (rows) => (rows[history.length] as { updatedAt: number }[])[0]?.updatedAt ?? null,
  };
}

/**
 * Finds the ids of the other active records that have these unique values, by field number, after a write has failed.
 */
export async function takenUniques(
  db: Database,
  modelId: number,
  values: [field: number, value: unknown][],
  exceptId: string,
): Promise<Map<number, string>> {
  const rows = await db.all<{ field: number; id: string }>(sql`
    SELECT u.field, r.id FROM json_each(${JSON.stringify(values)}) j
    JOIN record_uniques u ON u.model_id = ${int(modelId)} AND u.field = j.value ->> 0 AND u.value = ${asDouble(sql`j.value ->> 1`)}
    JOIN records r ON r.seq = u.record
    WHERE r.id <> ${exceptId}`);
  return new Map(rows.map(({ field, id }) => [field, id]));
}
