/** Models in D1: creates, lists and removes them. */
import { and, asc, eq, gt, sql, type SQL } from "drizzle-orm";
import { models } from "../../../../schema/tables.ts";
import { isIndexedAs } from "../../../content/field-types/registry.ts";
import type { StoredField } from "../../../content/field-types/fields.ts";
import { ownReferencesOf } from "../../../content/model/components.ts";
import type { StoredContent } from "../../../content/model/model.ts";
import type { TypeModel } from "../../../content/model/type-models.ts";
import { CONTENT } from "../../../limits.ts";
import { batchSql, type Database } from "../database/database.ts";
import type { ModelRow } from "../spaces/entries.ts";
import { areAtVersions, holdsComponent } from "./components.ts";
import { definitionsInside, seesModel, type Scopes } from "../spaces/scopes.ts";
import { actorColumn, type By } from "../events/actor.ts";
import { modelEvent } from "../events/model-events.ts";
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

/** Lists models inside the scopes after `afterId`, in the order of their creation. */
export async function listModels(
  db: Database,
  spaceId: string,
  { limit, afterId, scopes }: { limit: number; afterId: number; scopes: Pick<Scopes, "models"> },
): Promise<ModelRow[]> {
  return db
    .select()
    .from(models)
    .where(and(eq(models.spaceId, spaceId), gt(models.id, afterId), definitionsInside(scopes, spaceId)))
    .orderBy(asc(models.id))
    .limit(limit);
}

/** Returns whether a model that was found by its name is inside the scopes. Only components cost a query. */
export async function isDefinitionInside(
  db: Database,
  { id, spaceId, typeModel, name }: ModelRow,
  scopes: Pick<Scopes, "models">,
): Promise<boolean> {
  if (scopes.models === null || typeModel !== "components") return seesModel(scopes, name);
  const isThis = and(eq(models.id, id), definitionsInside(scopes, spaceId));
  return (await db.select({ id: models.id }).from(models).where(isThis).get()) !== undefined;
}

export async function countModels(db: Database, spaceId: string): Promise<number> {
  return (await db.get<{ n: number }>(sql`SELECT count(*) AS n FROM models WHERE space_id = ${spaceId}`)).n;
}

/** Returns those of the given names that no collection of the space has. */
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

/** Returns the condition that all target collections of `fields` exist; `own` is the name of their own collection. */
export const targetsAreThere = (
  spaceId: string,
  fields: readonly StoredField[],
  own: string | null,
  coming: ReadonlySet<string> = new Set(),
): SQL => {
  const named = fields
    .flatMap((field) =>
      isIndexedAs(field, "record") ? [field.to] : ownReferencesOf(field).map(({ collection }) => collection),
    )
    .filter((name) => name !== null && name !== own && !coming.has(name));
  const targets = JSON.stringify([...new Set(named)]);
  return sql`NOT EXISTS (SELECT 1 FROM json_each(${targets}) j WHERE NOT EXISTS (SELECT 1 FROM models t
    WHERE t.space_id = ${spaceId} AND t.type_model = 'collections' AND t.name = j.value))`;
};

export interface NewModel {
  spaceId: string;
  typeModel: TypeModel;
  name: string;
  fields: StoredField[];
  /** The components that the fields hold, as they were read. */
  held: { stored: string; versions: readonly [id: number, version: number][] };
  options: Pick<ModelRow, "label" | "description" | "titleField" | "previewUrl" | "drafts" | "public">;
  by: By;
  /** The one record of a page model. */
  page: StoredContent | null;
  /** The version and times of a model of an import. */
  kept?: { version: number; createdAt: number; updatedAt: number };
  /** Collections that are made next. */
  coming?: ReadonlySet<string>;
}

/**
 * Inserts a model. Null, with nothing written, when the space was removed or is full, or when a target collection of a
 * relation does not exist. Throws when the name is taken.
 */
export async function insertModel(db: Database, model: NewModel): Promise<ModelRow | null> {
  const { spaceId, typeModel, name, fields, held, options, by, page, coming } = model;
  const { now } = by;
  const { version, createdAt, updatedAt } = model.kept ?? { version: 1, createdAt: now, updatedAt: now };
  const isThis = sql`space_id = ${spaceId} AND type_model = ${typeModel} AND name = ${name}`;
  const isRecord = sql`r.model_id = (SELECT id FROM models WHERE ${isThis}) AND r.id = ${name}`;
  const own = typeModel === "collections" ? name : null;
  const isWanted = sql`EXISTS (SELECT 1 FROM spaces WHERE id = ${spaceId} AND removed_at IS NULL)
        AND (SELECT count(*) FROM models WHERE space_id = ${spaceId}) < ${int(CONTENT.modelsPerSpaceMax)}
        AND ${targetsAreThere(spaceId, fields, own, coming)} AND ${areAtVersions(held.versions)}`;
  const [, inserted = []] = await batchSql(db, [
    modelEvent(model, "created", by, { version }, isWanted),
    sql`INSERT INTO models (space_id, type_model, name, label, description, title_field, preview_url, drafts, public, fields, components,
        last_field, version, created_at, updated_at)
      SELECT ${spaceId}, ${typeModel}, ${name}, ${options.label}, ${options.description}, ${options.titleField},
        ${options.previewUrl}, ${int(Number(options.drafts))}, ${int(Number(options.public))}, ${JSON.stringify(fields)}, ${held.stored},
        ${fields.length}, ${int(version)}, ${createdAt}, ${updatedAt}
      WHERE ${isWanted} RETURNING id`,
    ...(page
      ? [
          sql`INSERT INTO records (model_id, space_id, id, data, folded, size_bytes, version, created_at, updated_at,
              created_by, updated_by)
            SELECT id, space_id, name, ${page.data}, ${page.folded}, ${page.sizeBytes}, 1, ${createdAt}, ${createdAt},
              ${actorColumn(by.origin.actor)}, ${actorColumn(by.origin.actor)}
            FROM models WHERE ${isThis}`,
          ...addIndexRows(fields, isRecord),
        ]
      : []),
  ]);
  return inserted.length === 0 ? null : readModel(db, spaceId, typeModel, name);
}

/** Returns other models with a relation or a link to this collection, or that hold this component. */
const relatedTo = (model: ModelRow): SQL => sql`models m
  WHERE m.space_id = ${model.spaceId} AND m.id <> ${int(model.id)} AND ${
    model.typeModel === "components"
      ? holdsComponent(model.name)
      : sql`EXISTS (SELECT 1 FROM json_each(m.fields) f WHERE f.value ->> 'to' = ${model.name}
          OR EXISTS (SELECT 1 FROM json_each(f.value, '$.annotations') a
            WHERE CASE WHEN a.type = 'object' THEN a.value ->> 'to' END = ${model.name}))`
  }`;

/** Lists the names of the other models with a relation to a collection, or that hold a component. */
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
  by: By,
): Promise<boolean> {
  const isPage = page ? sql`seq = ${int(page.seq)} AND version = ${int(page.version)}` : sql`0`;
  const isOnly = sql`NOT EXISTS (SELECT 1 FROM records o WHERE o.model_id = ${int(model.id)} AND NOT (${isPage}))`;
  const isEmpty = sql`NOT EXISTS (SELECT 1 FROM records WHERE model_id = ${int(model.id)})`;
  const isUnrelated =
    model.typeModel === "pages" ? sql`1` : sql`NOT EXISTS (SELECT 1 FROM ${relatedTo(model)})`;
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
    modelEvent(
      model,
      "removed",
      by,
      { version: model.version },
      sql`EXISTS (SELECT 1 FROM models WHERE id = ${int(model.id)}) AND ${isEmpty} AND ${isUnrelated}`,
    ),
    sql`DELETE FROM models WHERE id = ${int(model.id)} AND ${isEmpty} AND ${isUnrelated} RETURNING id`,
  ]);
  return (results.at(-1) ?? []).length > 0;
}
