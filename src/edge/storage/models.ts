/** Models in D1: made, listed, changed, removed. */
import { and, asc, eq, gt, sql, type SQL } from "drizzle-orm";
import { models } from "../../../schema/tables.ts";
import type { KeptField } from "../content/model-change.ts";
import type { StoredField, TypeModel } from "../content-model/fields.ts";
import { CONTENT, DAY_MS } from "../../limits.ts";
import { batchSql, type Database } from "./database.ts";
import type { ModelRow } from "./entries.ts";
import { addIndexRows, addUniqueRows, dropIndexRows, int } from "./record-index.ts";

export async function readModel(
  db: Database,
  spaceId: string,
  typeModel: string,
  name: string,
): Promise<ModelRow | null> {
  const named = and(
    eq(models.spaceId, spaceId),
    sql`${models.typeModel} = ${typeModel}`,
    eq(models.name, name),
  );
  return (await db.select().from(models).where(named).get()) ?? null;
}

/** In the order they were made, from after `afterId`. */
export async function listModels(
  db: Database,
  spaceId: string,
  limit: number,
  afterId: number,
): Promise<ModelRow[]> {
  return db
    .select()
    .from(models)
    .where(and(eq(models.spaceId, spaceId), gt(models.id, afterId)))
    .orderBy(asc(models.id))
    .limit(limit);
}

/** Of these names, the ones that are no collection of the space. */
export async function missingCollections(
  db: Database,
  spaceId: string,
  names: string[],
): Promise<Set<string>> {
  const rows = await db.all<{ name: string }>(sql`
    SELECT j.value AS name FROM json_each(${JSON.stringify(names)}) j WHERE NOT EXISTS
      (SELECT 1 FROM models WHERE space_id = ${spaceId} AND type_model = 'collections' AND name = j.value)`);
  return new Set(rows.map(({ name }) => name));
}

export interface NewModel {
  spaceId: string;
  typeModel: TypeModel;
  name: string;
  fields: StoredField[];
  now: number;
  /** The one record of a page model. */
  page: { data: string; sizeBytes: number } | null;
}

/** Null when the space is gone or has all the models it may have. Throws when the name is taken. */
export async function insertModel(db: Database, model: NewModel): Promise<ModelRow | null> {
  const { spaceId, typeModel, name, fields, now, page } = model;
  const isThis = sql`space_id = ${spaceId} AND type_model = ${typeModel} AND name = ${name}`;
  const isRecord = sql`r.model_id = (SELECT id FROM models WHERE ${isThis}) AND r.id = ${name}`;
  await batchSql(db, [
    sql`INSERT INTO models (space_id, type_model, name, fields, last_field, version, created_at, updated_at)
      SELECT ${spaceId}, ${typeModel}, ${name}, ${JSON.stringify(fields)}, ${fields.length}, 1, ${now}, ${now}
      WHERE EXISTS (SELECT 1 FROM spaces WHERE id = ${spaceId} AND removed_at IS NULL)
        AND (SELECT count(*) FROM models WHERE space_id = ${spaceId}) < ${int(CONTENT.modelsPerSpaceMax)}`,
    ...(page
      ? [
          sql`INSERT INTO records (model_id, space_id, id, data, size_bytes, version, created_at, updated_at)
            SELECT id, space_id, name, ${page.data}, ${page.sizeBytes}, 1, ${now}, ${now} FROM models WHERE ${isThis}`,
          ...addIndexRows(fields, isRecord),
        ]
      : []),
  ]);
  return readModel(db, spaceId, typeModel, name);
}

export async function hasRecords(db: Database, modelId: number): Promise<boolean> {
  const row = await db.get<{ found: number }>(
    sql`SELECT EXISTS (SELECT 1 FROM records WHERE model_id = ${int(modelId)}) AS found`,
  );
  return row.found === 1;
}

/** Counts no further than `max`. */
export async function countRecords(db: Database, modelId: number, max: number): Promise<number> {
  const row = await db.get<{ n: number }>(
    sql`SELECT count(*) AS n FROM (SELECT 1 FROM records WHERE model_id = ${int(modelId)} LIMIT ${int(max)})`,
  );
  return row.n;
}

/** Changes with every write, creation and removal of a record of the model: numbers of records are never used twice. */
const fingerprint = (modelId: number): SQL => sql`
  (SELECT count(*) || '/' || coalesce(sum(version), 0) || '/' || coalesce(max(seq), 0)
    FROM records WHERE model_id = ${int(modelId)})`;

export async function readFingerprint(db: Database, modelId: number): Promise<string> {
  return (await db.get<{ print: string }>(sql`SELECT ${fingerprint(modelId)} AS print`)).print;
}

/** Data of some records in order of id, trashed ones too: as many as fit in a bite, one at least. */
export async function readDataAfter(
  db: Database,
  modelId: number,
  afterId: string,
): Promise<{ id: string; data: string }[]> {
  return db.all(sql`
    WITH bite AS MATERIALIZED (SELECT seq, id, size_bytes FROM records
      WHERE model_id = ${int(modelId)} AND id > ${afterId} ORDER BY id LIMIT ${int(CONTENT.checkedRecordsBite)}),
    measured AS (SELECT *, sum(size_bytes) OVER (ORDER BY id) - size_bytes AS before FROM bite)
    SELECT r.id, r.data FROM measured m CROSS JOIN records r ON r.seq = m.seq
    WHERE m.before < ${int(CONTENT.pageMaxBytes)} ORDER BY m.id`);
}

/** Takes numbers for new fields; their index rows are doomed until the change comes through. The first number. */
export async function reserveFields(
  db: Database,
  modelId: number,
  count: number,
  now: number,
): Promise<number | null> {
  const [rows] = await batchSql(db, [
    sql`UPDATE models SET last_field = last_field + ${int(count)} WHERE id = ${int(modelId)} RETURNING last_field AS last`,
    sql`WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ${int(count)})
      INSERT INTO doomed_fields (model_id, field, due_at)
      SELECT id, last_field - n, ${now + DAY_MS} FROM models, numbers WHERE id = ${int(modelId)}`,
  ]);
  const last = (rows as { last: number }[])[0]?.last;
  return last === undefined ? null : last - count + 1;
}

const lacksField = (modelId: number, field: StoredField): SQL => sql`r.model_id = ${int(modelId)}
  AND NOT EXISTS (SELECT 1 FROM record_values x WHERE x.record = r.seq AND x.field = ${int(field.no)})`;

/** Index rows of new fields for a bite of records after `afterId`; where the bite ended, null once none are left. */
export async function indexBite(
  db: Database,
  modelId: number,
  fields: StoredField[],
  afterId: string,
): Promise<string | null> {
  const end = await db.get<{ id: string } | undefined>(sql`
    SELECT id FROM records WHERE model_id = ${int(modelId)} AND id > ${afterId} ORDER BY id
    LIMIT 1 OFFSET ${int(CONTENT.indexedRecordsBite - 1)}`);
  if (!end) return null;
  const isInBite = sql`r.model_id = ${int(modelId)} AND r.id > ${afterId} AND r.id <= ${end.id}`;
  const plain = fields.map((field) => ({ ...field, unique: false }) as StoredField);
  await batchSql(db, addIndexRows(plain, isInBite));
  return end.id;
}

export interface ModelUpdate {
  model: Pick<ModelRow, "id" | "version">;
  fields: StoredField[];
  kept: KeptField[];
  added: StoredField[];
  dropped: StoredField[];
  /** Of the records as they were when their values were checked. */
  fingerprint: string | null;
  now: number;
}

const GUARD = "doomed_fields.due_at";

/** Fails the batch unless `condition` holds: a missing due time is the one thing the table refuses. */
const guard = (condition: SQL): SQL =>
  sql`INSERT INTO doomed_fields (model_id, field, due_at) SELECT 0, 0, NULL WHERE NOT (${condition})`;

const isGuardFailure = (error: unknown): boolean => {
  for (let e = error; e instanceof Error; e = e.cause) if (e.message.includes(GUARD)) return true;
  return false;
};

/** One batch. False when the model, or a record whose values were checked, changed meanwhile. Throws on duplicates. */
export async function updateModel(db: Database, update: ModelUpdate): Promise<boolean> {
  const { model, fields, kept, added, dropped, now } = update;
  const all = sql`r.model_id = ${int(model.id)}`;
  const isAsRead = sql`EXISTS (SELECT 1 FROM models WHERE id = ${int(model.id)} AND version = ${int(model.version)})`;
  const recordsAreToo =
    update.fingerprint === null ? sql`1` : sql`${fingerprint(model.id)} = ${update.fingerprint}`;
  const ofField = ({ no }: StoredField): SQL => sql`model_id = ${int(model.id)} AND field = ${int(no)}`;
  const first = added[0];
  const statements = [
    guard(sql`${isAsRead} AND ${recordsAreToo}`),
    sql`UPDATE models SET fields = ${JSON.stringify(fields)}, version = version + 1, updated_at = ${now}
      WHERE id = ${int(model.id)}`,
    ...(first ? addIndexRows(added, lacksField(model.id, first)) : []),
    ...added.map((field) => sql`DELETE FROM doomed_fields WHERE ${ofField(field)}`),
    ...kept.flatMap(({ after, mustReindex, uniqueness }) => [
      ...(mustReindex ? [sql`DELETE FROM record_values WHERE ${ofField(after)}`] : []),
      ...(mustReindex ? addIndexRows([{ ...after, unique: false } as StoredField], all) : []),
      ...(uniqueness === "added" ? addUniqueRows([after], all) : []),
      ...(uniqueness === "dropped" ? [sql`DELETE FROM record_uniques WHERE ${ofField(after)}`] : []),
    ]),
    ...dropped.map(
      ({ no }) =>
        sql`INSERT INTO doomed_fields (model_id, field, due_at) VALUES (${int(model.id)}, ${int(no)}, ${now})`,
    ),
  ];
  try {
    await batchSql(db, statements);
    return true;
  } catch (error) {
    if (isGuardFailure(error)) return false;
    throw error;
  }
}

/** The collections and pages that have a relation to a collection, itself left out. */
export async function relatedModels(db: Database, model: ModelRow): Promise<string[]> {
  const rows = await db.all<{ name: string }>(sql`
    SELECT DISTINCT m.name FROM models m, json_each(m.fields) f
    WHERE m.space_id = ${model.spaceId} AND m.id <> ${int(model.id)} AND f.value ->> 'to' = ${model.name}`);
  return rows.map(({ name }) => name);
}

/** False when it has records (trashed ones too), or its page changed since it was read; nothing is removed then. */
export async function deleteModel(
  db: Database,
  model: ModelRow,
  page: { seq: number; version: number } | null,
): Promise<boolean> {
  const isPage = page ? sql`seq = ${int(page.seq)} AND version = ${int(page.version)}` : sql`0`;
  const isOnly = sql`NOT EXISTS (SELECT 1 FROM records o WHERE o.model_id = ${int(model.id)} AND NOT (${isPage}))`;
  const results = await batchSql(db, [
    ...(page
      ? [
          sql`DELETE FROM records WHERE ${isPage} AND deleted_at IS NULL AND ${isOnly}`,
          ...dropIndexRows(
            sql`SELECT ${int(page.seq)} WHERE NOT EXISTS (SELECT 1 FROM records WHERE seq = ${int(page.seq)})`,
          ),
        ]
      : []),
    sql`DELETE FROM models WHERE id = ${int(model.id)}
      AND NOT EXISTS (SELECT 1 FROM records WHERE model_id = ${int(model.id)}) RETURNING id`,
  ]);
  return (results.at(-1) ?? []).length > 0;
}
