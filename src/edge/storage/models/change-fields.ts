/** Changes the fields of a model in D1: it reserves numbers for new fields, writes their index rows, then one batch. */
import { sql, type SQL } from "drizzle-orm";
import { isMultiple, type StoredField } from "../../../content/field-types/fields.ts";
import type { KeptField } from "../../../content/model/kept-field.ts";
import type { Model } from "../../../content/model/model.ts";
import { isSearchable } from "../../../content/search/words.ts";
import { CONTENT, DAY_MS } from "../../../limits.ts";
import { batchSql, type Database } from "../database/database.ts";
import type { ModelRow } from "../spaces/entries.ts";
import { guard, isGuardFailure } from "../database/guard.ts";
import { finishStatements, nothingInWork, type ModelChangeRow } from "./background-changes.ts";
import { doomPublished, finishDrafts, nothingUnpublished } from "./switch-drafts.ts";
import { fingerprint, nothingHeld } from "./model-values.ts";
import { modelNumbers } from "../records/published.ts";
import { targetsAreThere } from "./models.ts";
import { addIndexRows, addUniqueRows, int, pathOf } from "../records/record-index.ts";
import { startRebuild } from "../search/search-rebuilds.ts";

/** Reserves numbers for new fields, whose index rows are doomed until the change succeeds. @returns the first number */
export async function reserveFields(
  db: Database,
  model: Pick<Model, "id" | "drafts">,
  count: number,
  now: number,
): Promise<number | null> {
  const { id } = model;
  const [rows] = await batchSql(db, [
    sql`UPDATE models SET last_field = last_field + ${int(count)} WHERE id = ${int(id)} RETURNING last_field AS last`,
    sql`WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ${int(count)})
      INSERT INTO doomed_fields (model_id, field, due_at)
      SELECT k.model, last_field - n, ${now + DAY_MS} FROM models, numbers,
        (SELECT ${int(id)} AS model UNION ALL SELECT ${int(-id)} WHERE ${int(Number(model.drafts))}) k
      WHERE id = ${int(id)}`,
  ]);
  const last = (rows as { last: number }[])[0]?.last;
  return last === undefined ? null : last - count + 1;
}

/** Writes index rows of new fields for a batch of records after `afterId`. @returns the last id; null at the end */
export async function indexBatch(
  db: Database,
  model: Pick<Model, "id" | "drafts">,
  fields: StoredField[],
  afterId: string,
): Promise<string | null> {
  const end = await db.get<{ id: string } | undefined>(sql`
    SELECT id FROM records WHERE model_id = ${int(model.id)} AND id > ${afterId} ORDER BY id
    LIMIT 1 OFFSET ${int(CONTENT.indexedRecordsBatch - 1)}`);
  if (!end) return null;
  const isInBatch = sql`r.model_id IN ${modelNumbers(model)} AND r.id > ${afterId} AND r.id <= ${end.id}`;
  const plain = fields.map((field) => ({ ...field, unique: false }) as StoredField);
  await batchSql(db, addIndexRows(plain, isInBatch));
  return end.id;
}

export interface ModelUpdate {
  model: Pick<ModelRow, "id" | "version" | "spaceId" | "typeModel" | "name" | "drafts">;
  fields: StoredField[];
  options: Pick<ModelRow, "label" | "description" | "titleField" | "drafts" | "public">;
  kept: KeptField[];
  added: StoredField[];
  dropped: StoredField[];
  /** Those of `dropped` that may be removed only if no record has a value of them. */
  mustBeUnused: StoredField[];
  /** The fingerprint of the records when their values were checked; null if none were checked. */
  fingerprint: string | null;
  now: number;
  /** Of a change that was worked on in the background: it ends with this batch. Null for one that is made at once. */
  inBackground: ModelChangeRow | null;
}

/** The conditions that were checked before the change, to be checked again in its transaction. */
function guards(update: ModelUpdate): SQL[] {
  const { model, fields, mustBeUnused, fingerprint: print, inBackground, now } = update;
  const own = model.typeModel === "collections" ? model.name : null;
  return [
    guard(sql`EXISTS (SELECT 1 FROM models WHERE id = ${int(model.id)} AND version = ${int(model.version)})`),
    guard(targetsAreThere(model.spaceId, fields, own)),
    ...(inBackground ? finishStatements(inBackground, now) : [guard(nothingInWork(model.id))]),
    ...(print === null ? [] : [guard(sql`${fingerprint(model)} = ${print}`)]),
    ...(mustBeUnused.length === 0 ? [] : [guard(nothingHeld(model.spaceId, model, mustBeUnused))]),
  ];
}

/** Converts empty values to the form of the new type: null for a single value, [] for a list. */
function rewriteEmpty(numbers: SQL, { before, after }: KeptField): SQL[] {
  if (isMultiple(before) === isMultiple(after)) return [];
  const path = pathOf(after);
  const [isEmpty, changed] = isMultiple(after)
    ? [sql`json_type(data, ${path}) = 'null'`, sql`json_set(data, ${path}, json('[]'))`]
    : [sql`json_array_length(data, ${path}) = 0`, sql`json_set(data, ${path}, NULL)`];
  return [
    sql`UPDATE records SET data = ${changed}, size_bytes = length(CAST(${changed} AS BLOB))
      WHERE model_id IN ${numbers} AND ${isEmpty}`,
  ];
}

const lacksField = (numbers: SQL, field: StoredField): SQL => sql`r.model_id IN ${numbers}
  AND NOT EXISTS (SELECT 1 FROM record_values x WHERE x.record = r.seq AND x.field = ${int(field.no)})`;

/** Whether the change alters which fields are searched. */
function isSearchChanged({ kept, added, dropped }: ModelUpdate): boolean {
  const isKept = kept.every(({ before, after }) => isSearchable(before) === isSearchable(after));
  return !isKept || [...added, ...dropped].some(isSearchable);
}

/** The statements for the records when drafts are switched on or off. Such a change leaves the fields as they are. */
function switchStatements({ model, options, fields, now }: ModelUpdate): SQL[] {
  if (model.drafts === options.drafts) return [];
  if (options.drafts) return finishDrafts({ id: model.id, fields }, now);
  return [guard(nothingUnpublished(model.id)), doomPublished(model.id, now)];
}

/** Writes the change as one batch. False if a checked condition does not hold any more. @throws on duplicates */
export async function updateModel(db: Database, update: ModelUpdate): Promise<boolean> {
  const { model, fields, options, kept, added, dropped, now } = update;
  const numbers = modelNumbers(model);
  const all = sql`r.model_id IN ${numbers}`;
  const ofField = ({ no }: StoredField): SQL => sql`model_id IN ${numbers} AND field = ${int(no)}`;
  const first = added[0];
  const statements = [
    ...guards(update),
    ...switchStatements(update),
    sql`UPDATE models SET fields = ${JSON.stringify(fields)}, label = ${options.label},
        description = ${options.description}, title_field = ${options.titleField}, drafts = ${int(Number(options.drafts))},
        public = ${int(Number(options.public))}, version = version + 1,
        updated_at = max(${now}, updated_at) WHERE id = ${int(model.id)}`,
    ...(isSearchChanged(update) ? [startRebuild(model.id)] : []),
    ...(first ? addIndexRows(added, lacksField(numbers, first)) : []),
    ...added.map((field) => sql`DELETE FROM doomed_fields WHERE ${ofField(field)}`),
    ...kept.flatMap((field) => rewriteEmpty(numbers, field)),
    ...kept.flatMap(({ after, mustReindex, uniqueness }) => [
      ...(mustReindex ? [sql`DELETE FROM record_values WHERE ${ofField(after)}`] : []),
      ...(mustReindex ? addIndexRows([{ ...after, unique: false } as StoredField], all) : []),
      ...(uniqueness === "added" ? addUniqueRows([after], all) : []),
      ...(uniqueness === "dropped" ? [sql`DELETE FROM record_uniques WHERE ${ofField(after)}`] : []),
    ]),
    ...dropped.flatMap(({ no }) =>
      (model.drafts ? [model.id, -model.id] : [model.id]).map(
        (number) =>
          sql`INSERT INTO doomed_fields (model_id, field, due_at) VALUES (${int(number)}, ${int(no)}, ${now})`,
      ),
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
