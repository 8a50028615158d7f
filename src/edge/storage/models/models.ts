/** Models in D1: creates, lists and removes them. */
import { and, asc, eq, gt, sql, type SQL } from "drizzle-orm";
import { models } from "../../../../schema/tables.ts";
import type { StoredField } from "../../../content/field-types/fields.ts";
import type { StoredContent } from "../../../content/model/model.ts";
import type { TypeModel } from "../../../content/model/type-models.ts";
import { CONTENT } from "../../../limits.ts";
import { batchSql, type Database } from "../database/database.ts";
import type { ModelRow } from "../spaces/entries.ts";
import { addIndexRows, dropIndexRows, int } from "../records/record-index.ts";
import { dropVersions } from "../history/record-versions.ts";

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

/** Lists models after `afterId`, in the order of their creation. */
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

export async function countModels(db: Database, spaceId: string): Promise<number> {
  return (await db.get<{ n: number }>(sql`SELECT count(*) AS n FROM models WHERE space_id = ${spaceId}`)).n;
}

/** Those of the given names that no collection of the space has. */
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

/** The condition that all target collections of `fields` exist; `own` is the name of their own collection. */
export const targetsAreThere = (spaceId: string, fields: readonly StoredField[], own: string | null): SQL => {
  const named = fields.flatMap((field) => (field.type === "relation" && field.to !== own ? [field.to] : []));
  const targets = JSON.stringify([...new Set(named)]);
  return sql`NOT EXISTS (SELECT 1 FROM json_each(${targets}) j WHERE NOT EXISTS (SELECT 1 FROM models t
    WHERE t.space_id = ${spaceId} AND t.type_model = 'collections' AND t.name = j.value))`;
};

export interface NewModel {
  spaceId: string;
  typeModel: TypeModel;
  name: string;
  fields: StoredField[];
  options: Pick<ModelRow, "label" | "description" | "titleField" | "drafts" | "public">;
  now: number;
  /** The one record of a page model. */
  page: StoredContent | null;
}

/**
 * Inserts a model. Null, with nothing written, when the space was removed or is full, or when a target collection of a
 * relation does not exist. Throws when the name is taken.
 */
export async function insertModel(db: Database, model: NewModel): Promise<ModelRow | null> {
  const { spaceId, typeModel, name, fields, options, now, page } = model;
  const isThis = sql`space_id = ${spaceId} AND type_model = ${typeModel} AND name = ${name}`;
  const isRecord = sql`r.model_id = (SELECT id FROM models WHERE ${isThis}) AND r.id = ${name}`;
  const own = typeModel === "collections" ? name : null;
  const [inserted = []] = await batchSql(db, [
    sql`INSERT INTO models (space_id, type_model, name, label, description, title_field, drafts, public, fields, last_field, version,
        created_at, updated_at)
      SELECT ${spaceId}, ${typeModel}, ${name}, ${options.label}, ${options.description}, ${options.titleField},
        ${int(Number(options.drafts))}, ${int(Number(options.public))}, ${JSON.stringify(fields)}, ${fields.length}, 1, ${now}, ${now}
      WHERE EXISTS (SELECT 1 FROM spaces WHERE id = ${spaceId} AND removed_at IS NULL)
        AND (SELECT count(*) FROM models WHERE space_id = ${spaceId}) < ${int(CONTENT.modelsPerSpaceMax)}
        AND ${targetsAreThere(spaceId, fields, own)} RETURNING id`,
    ...(page
      ? [
          sql`INSERT INTO records (model_id, space_id, id, data, folded, size_bytes, version, created_at, updated_at)
            SELECT id, space_id, name, ${page.data}, ${page.folded}, ${page.sizeBytes}, 1, ${now}, ${now}
            FROM models WHERE ${isThis}`,
          ...addIndexRows(fields, isRecord),
        ]
      : []),
  ]);
  return inserted.length === 0 ? null : readModel(db, spaceId, typeModel, name);
}

/** Other models with a relation to this collection. */
const relatedTo = (model: ModelRow): SQL => sql`models m, json_each(m.fields) f
  WHERE m.space_id = ${model.spaceId} AND m.id <> ${int(model.id)} AND f.value ->> 'to' = ${model.name}`;

/** The names of other collections and pages with a relation to a collection. */
export async function relatedModels(db: Database, model: ModelRow): Promise<string[]> {
  const rows = await db.all<{ name: string }>(sql`SELECT DISTINCT m.name FROM ${relatedTo(model)}`);
  return rows.map(({ name }) => name);
}

/**
 * Removes a model. False, with nothing removed, when it has records (trashed ones included), when its page changed
 * since it was read, or when another model has a relation to it.
 */
export async function deleteModel(
  db: Database,
  model: ModelRow,
  page: { seq: number; version: number } | null,
): Promise<boolean> {
  const isPage = page ? sql`seq = ${int(page.seq)} AND version = ${int(page.version)}` : sql`0`;
  const isOnly = sql`NOT EXISTS (SELECT 1 FROM records o WHERE o.model_id = ${int(model.id)} AND NOT (${isPage}))`;
  const isUnrelated =
    model.typeModel === "collections" ? sql`NOT EXISTS (SELECT 1 FROM ${relatedTo(model)})` : sql`1`;
  const results = await batchSql(db, [
    ...(page
      ? [
          sql`DELETE FROM records WHERE ${isPage} AND deleted_at IS NULL AND ${isOnly}`,
          ...dropIndexRows(
            sql`SELECT ${int(page.seq)} WHERE NOT EXISTS (SELECT 1 FROM records WHERE seq = ${int(page.seq)})`,
          ),
          dropVersions(
            sql`SELECT ${int(page.seq)} WHERE NOT EXISTS (SELECT 1 FROM records WHERE seq = ${int(page.seq)})`,
          ),
        ]
      : []),
    sql`DELETE FROM models WHERE id = ${int(model.id)}
      AND NOT EXISTS (SELECT 1 FROM records WHERE model_id = ${int(model.id)})
      AND ${isUnrelated} RETURNING id`,
  ]);
  return (results.at(-1) ?? []).length > 0;
}
