/** Plans writes of records: each changes a record, its index rows and its unique values in one batch. */
import { sql, type SQL } from "drizzle-orm";
import type { Model, StoredContent } from "../../../content/model/model.ts";
import type { StoredField } from "../../../content/field-types/fields.ts";
import type { Database } from "../database/database.ts";
import type { PlannedWrite } from "../database/planned-write.ts";
import { modelNumbers } from "./published.ts";
import { addIndexRows, asDouble, dropIndexRows, int } from "./record-index.ts";
import { firstVersion, nextVersion, type RecordEvent } from "../history/record-versions.ts";

/** The condition that the model is unchanged since values were checked against it, and that its space still exists. */
export const modelIsCurrent = (model: Pick<Model, "id" | "version">): SQL => sql`
  EXISTS (SELECT 1 FROM models m JOIN spaces s ON s.id = m.space_id
    WHERE m.id = ${int(model.id)} AND m.version = ${int(model.version)} AND s.removed_at IS NULL)`;

export const seqOf = (modelId: number, id: string): SQL =>
  sql`SELECT seq FROM records WHERE model_id = ${int(modelId)} AND id = ${id}`;

/** The condition for the rows of a record, published content included if its model has drafts. */
const isAnyOf = (model: Pick<Model, "id" | "drafts">, id: string): SQL =>
  sql`r.model_id IN ${modelNumbers(model)} AND r.id = ${id}`;

const isRecord = (modelId: number, id: string): SQL => sql`r.model_id = ${int(modelId)} AND r.id = ${id}`;

export interface NewRecord {
  id: string;
  spaceId: string;
  content: StoredContent;
  event: RecordEvent;
}

/** Inserts a record. Its outcome is the creation time; null if the model changed meanwhile. Fails on duplicates. */
export function insertRecord(model: Model, record: NewRecord): PlannedWrite<number | null> {
  const { id, spaceId, content, event } = record;
  // Never before the newest record, so that the order of `seq` is the order of creation.
  const newest = sql`SELECT max(created_at) FROM records WHERE model_id = ${int(model.id)} AND deleted_at IS NULL`;
  const statements = [
    sql`
      INSERT INTO records (model_id, space_id, id, data, folded, size_bytes, version, created_at, updated_at)
      SELECT ${int(model.id)}, ${spaceId}, ${id}, ${content.data}, ${content.folded}, ${content.sizeBytes}, 1,
        clock.now, clock.now
      FROM (SELECT max(${event.now}, coalesce((${newest}), 0)) AS now) clock
      WHERE ${modelIsCurrent(model)} RETURNING created_at AS createdAt`,
    firstVersion(isRecord(model.id, id), event),
    ...addIndexRows(model.fields, isRecord(model.id, id)),
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
  content: StoredContent;
  event: RecordEvent;
  changed: StoredField[];
}

/** Updates a record. Its outcome is the time; null if record or model changed meanwhile. Fails on duplicates. */
export function updateRecord(model: Model, change: RecordChange): PlannedWrite<number | null> {
  const { id, version, content, event, changed } = change;
  const asRead = sql`${isRecord(model.id, id)} AND r.version = ${version} AND r.deleted_at IS NULL
    AND ${modelIsCurrent(model)}`;
  const history = nextVersion(asRead, event);
  const statements = [
    ...history,
    sql`
      UPDATE records AS r SET data = ${content.data}, folded = ${content.folded}, size_bytes = ${content.sizeBytes},
        version = version + 1, updated_at = max(${event.now}, updated_at)
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

/** The ids of the other active records that have these unique values, by field number. Asked after a write has failed. */
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
