/** Changes the fields of a model in D1: it reserves numbers for new fields, writes their index rows, then one batch. */
import { sql, type SQL } from "drizzle-orm";
import { isList, isSearchable, type StoredField } from "../../../content/field-types/fields.ts";
import type { KeptField } from "../../../content/model/kept-field.ts";
import type { Model } from "../../../content/model/model.ts";
import { DAY_MS, LOCALES, SLICE } from "../../../limits.ts";
import { batchSql, type Database } from "../database/database.ts";
import type { ModelRow } from "../spaces/entries.ts";
import { guard, isGuardFailure } from "../database/guard.ts";
import type { Origin } from "../events/actor.ts";
import { modelEvent, type ModelFacts } from "../events/model-events.ts";
import { areAtVersions } from "./components.ts";
import { finishStatements, nothingInWork, type ModelChangeRow } from "./background-changes.ts";
import { isInRange, nextRange, rangesOf, recordsForRows, type IdRange } from "./record-slices.ts";
import { leaveUniquesToSweep } from "./removed-fields.ts";
import { leavePublishedToSweep, finishDrafts, nothingUnpublished } from "./switch-drafts.ts";
import { isLocalized } from "../../../content/model/localized-model.ts";
import { FIELD_BITS } from "../../../content/locales/numbers.ts";
import { fingerprint, leaveSidesToSweep, nothingHeld, numbersInLocales } from "./model-values.ts";
import { modelNumbers } from "../records/published.ts";
import { targetsAreThere } from "./models.ts";
import { addIndexRows, addSideRows, addUniqueRows, int, pathOf } from "../records/record-index.ts";
import { startRebuild } from "../search/search-rebuilds.ts";

/**
 * Reserves numbers for new fields. The sweep removes their index rows unless the change succeeds.
 * @returns the first
 */
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

/** Returns the statement by which the sweep leaves reserved numbers alone for another day. */
export const keepReserved = (
  model: Pick<Model, "id" | "drafts">,
  fields: readonly StoredField[],
  now: number,
): SQL[] => [
  sql`INSERT OR REPLACE INTO doomed_fields (model_id, field, due_at)
    SELECT k.value, f.value, ${now + DAY_MS} FROM json_each(${JSON.stringify(model.drafts ? [model.id, -model.id] : [model.id])}) k
      CROSS JOIN json_each(${JSON.stringify(fields.map(({ no }) => no))}) f`,
];

/**
 * Returns a new field as its index rows are written ahead of the change. Records do not hold unique values of it yet.
 */
const aheadOf = (field: StoredField): StoredField => ({ ...field, unique: false }) as StoredField;

const rowsPerRecord = (model: Pick<Model, "drafts">, fields: number): number =>
  fields * (model.drafts ? 2 : 1);

/** Returns the statements that write the index rows of new fields for a range of records. */
export const indexRange = (
  model: Pick<Model, "id" | "drafts">,
  fields: StoredField[],
  range: IdRange,
): SQL[] =>
  addIndexRows(fields.map(aheadOf), sql`r.model_id IN ${modelNumbers(model)} AND ${isInRange(range)}`);

/** Returns the next records whose rows of new fields one statement writes; null at the end. */
export const rangeToIndex = (
  db: Database,
  model: Pick<Model, "id" | "drafts">,
  fields: StoredField[],
  afterId: string,
): ReturnType<typeof nextRange> =>
  nextRange(db, model.id, afterId, recordsForRows(rowsPerRecord(model, fields.length)));

/** Writes index rows of new fields for the next records after `afterId`. @returns the last id; null at the end */
export async function indexBatch(
  db: Database,
  model: Pick<Model, "id" | "drafts">,
  fields: StoredField[],
  afterId: string,
): Promise<string | null> {
  const range = await rangeToIndex(db, model, fields, afterId);
  if (range) await batchSql(db, indexRange(model, fields, range));
  return range?.lastId ?? null;
}

/** Writes index rows of new fields for some records that were made meanwhile. @returns whether some may be left */
export async function indexLacking(
  db: Database,
  model: Pick<Model, "id" | "drafts">,
  fields: StoredField[],
): Promise<boolean> {
  const [first] = fields;
  if (!first) return false;
  const limit = recordsForRows(fields.length);
  const lacking = await db.all<{ seq: number }>(
    sql`SELECT r.seq FROM records r WHERE ${lacksField(modelNumbers(model), first)} LIMIT ${int(limit)}`,
  );
  if (lacking.length === 0) return false;
  const seqs = sql`SELECT value FROM json_each(${JSON.stringify(lacking.map(({ seq }) => seq))})`;
  await batchSql(db, addIndexRows(fields.map(aheadOf), sql`r.seq IN (${seqs})`));
  return lacking.length === limit;
}

export interface ModelUpdate {
  model: Pick<ModelRow, "id" | "version" | "spaceId" | "typeModel" | "name" | "drafts">;
  fields: StoredField[];
  /** The components that the fields hold, as they were read. */
  held: { stored: string; versions: readonly [id: number, version: number][] };
  options: Pick<ModelRow, "label" | "description" | "titleField" | "previewUrl" | "drafts" | "public">;
  kept: KeptField[];
  added: StoredField[];
  dropped: StoredField[];
  /** The fields in `dropped` that may be removed only if no record has a value for them. */
  mustBeUnused: StoredField[];
  /** The fingerprint of the records when their values were checked; null if none were checked. */
  fingerprint: string | null;
  /** The number of records, as far as they were counted. */
  records: number;
  now: number;
  /** The change in the background that ends with this batch; null for a change that is made at once. */
  inBackground: ModelChangeRow | null;
  origin: Origin;
  /** The facts of the event of the change. */
  facts: ModelFacts;
}

/** Returns the guards for the conditions that were checked before the change, to check them again in its batch. */
function guards(update: ModelUpdate): SQL[] {
  const { model, fields, held, mustBeUnused, fingerprint: print, inBackground, now } = update;
  const own = model.typeModel === "collections" ? model.name : null;
  return [
    guard(sql`EXISTS (SELECT 1 FROM models WHERE id = ${int(model.id)} AND version = ${int(model.version)})`),
    guard(targetsAreThere(model.spaceId, fields, own)),
    ...(held.versions.length === 0 ? [] : [guard(areAtVersions(held.versions))]),
    ...(inBackground ? finishStatements(inBackground, now) : [guard(nothingInWork(model.id))]),
    ...(print === null ? [] : [guard(sql`${fingerprint(model)} = ${print}`)]),
    ...(mustBeUnused.length === 0 ? [] : [guard(nothingHeld(model.spaceId, model, mustBeUnused))]),
  ];
}

/** Converts empty values to the form of the new type: null for a single value, [] for a list. */
function rewriteEmpty(records: SQL, { before, after }: KeptField): SQL[] {
  if (isList(before) === isList(after)) return [];
  const path = pathOf(after);
  const [isEmpty, changed] = isList(after)
    ? [sql`json_type(data, ${path}) = 'null'`, sql`json_set(data, ${path}, json('[]'))`]
    : [sql`json_array_length(data, ${path}) = 0`, sql`json_set(data, ${path}, NULL)`];
  return [
    sql`UPDATE records AS r SET data = ${changed}, size_bytes = length(CAST(${changed} AS BLOB))
      WHERE ${records} AND ${isEmpty}`,
  ];
}

const isRewritten = ({ before, after, mustReindex, uniqueness }: KeptField): boolean =>
  isList(before) !== isList(after) || mustReindex || uniqueness === "added";

/** Returns the statements that write the data and the index rows of changed fields anew, range by range. */
async function rewriteRecords(db: Database, { model, kept }: ModelUpdate): Promise<SQL[]> {
  const changed = kept.filter(isRewritten);
  if (changed.length === 0) return [];
  const reindexed = changed.flatMap(({ after, mustReindex }) => (mustReindex ? [aheadOf(after)] : []));
  const uniques = changed.flatMap(({ after, uniqueness }) => (uniqueness === "added" ? [after] : []));
  const numbers = sql.join(
    reindexed.map(({ no }) => int(no)),
    sql`, `,
  );
  const limit = Math.min(SLICE.records, recordsForRows(rowsPerRecord(model, changed.length)));
  return (await rangesOf(db, model.id, limit)).flatMap((range) => {
    const records = sql`r.model_id IN ${modelNumbers(model)} AND ${isInRange(range)}`;
    return [
      ...changed.flatMap((field) => rewriteEmpty(records, field)),
      ...(reindexed.length > 0
        ? [
            sql`DELETE FROM record_values WHERE field & ${int(FIELD_BITS)} IN (${numbers})
              AND record IN (SELECT r.seq FROM records r WHERE ${records})`,
            ...addIndexRows(reindexed, records),
            ...addSideRows(reindexed, records),
          ]
        : []),
      ...(uniques.length > 0 ? addUniqueRows(uniques, records) : []),
    ];
  });
}

/** Removes the unique values of a field that is not unique any more; those of many records are left to the sweep. */
const dropUniqueness = ({ model, records, now }: ModelUpdate, field: StoredField): SQL =>
  records * (isLocalized(field) ? LOCALES.perSpaceMax : 2) > SLICE.rows
    ? leaveUniquesToSweep(model.id, field, now)
    : sql`DELETE FROM record_uniques WHERE model_id = ${int(model.id)}
        AND field IN (SELECT no FROM (${numbersInLocales(model.id, [field])}))`;

const lacksField = (numbers: SQL, field: StoredField): SQL => sql`r.model_id IN ${numbers}
  AND NOT EXISTS (SELECT 1 FROM record_values x WHERE x.record = r.seq AND x.field = ${int(field.no)})`;

/** Returns whether other fields are searched after the change. */
function isSearchChanged({ kept, added, dropped }: ModelUpdate): boolean {
  const isSame = (before: StoredField, after: StoredField): boolean =>
    isSearchable(before) === isSearchable(after) &&
    (!isSearchable(after) || isLocalized(before) === isLocalized(after));
  const isKept = kept.every(({ before, after }) => isSame(before, after));
  return !isKept || [...added, ...dropped].some(isSearchable);
}

/**
 * Returns the statements for the records when drafts are switched on or off. Such a change leaves the fields as they
 * are.
 */
function switchStatements({ model, options, fields, now }: ModelUpdate): SQL[] {
  if (model.drafts === options.drafts) return [];
  if (options.drafts) return finishDrafts({ id: model.id, fields }, now);
  return [guard(nothingUnpublished(model.id)), leavePublishedToSweep(model.id, now)];
}

/** Writes the change as one batch. False if a checked condition does not hold any more. @throws on duplicates */
export async function updateModel(db: Database, update: ModelUpdate): Promise<boolean> {
  const { model, fields, held, options, kept, added, dropped, now } = update;
  const numbers = modelNumbers(model);
  const ofField = ({ no }: StoredField): SQL => sql`model_id IN ${numbers} AND field = ${int(no)}`;
  const first = added[0];
  const ceased = kept.filter(({ before, after }) => isLocalized(before) && !isLocalized(after));
  const sides = [...dropped.filter(isLocalized), ...ceased.map(({ before }) => before)];
  const statements = [
    ...guards(update),
    modelEvent(model, "changed", update, update.facts),
    ...switchStatements(update),
    sql`UPDATE models SET fields = ${JSON.stringify(fields)}, components = ${held.stored}, label = ${options.label},
        description = ${options.description}, title_field = ${options.titleField}, preview_url = ${options.previewUrl},
        drafts = ${int(Number(options.drafts))}, public = ${int(Number(options.public))}, version = version + 1,
        updated_at = max(${now}, updated_at) WHERE id = ${int(model.id)}`,
    ...(isSearchChanged(update) ? [startRebuild(model.id)] : []),
    ...(first ? addIndexRows(added, lacksField(numbers, first)) : []),
    ...added.map((field) => sql`DELETE FROM doomed_fields WHERE ${ofField(field)}`),
    ...(await rewriteRecords(db, update)),
    ...kept.flatMap(({ before, after, uniqueness }) =>
      uniqueness === "dropped" ? [dropUniqueness(update, isLocalized(before) ? before : after)] : [],
    ),
    ...dropped.flatMap(({ no }) =>
      (model.drafts ? [model.id, -model.id] : [model.id]).map(
        (number) =>
          sql`INSERT INTO doomed_fields (model_id, field, due_at) VALUES (${int(number)}, ${int(no)}, ${now})`,
      ),
    ),
    ...(sides.length > 0 ? [leaveSidesToSweep(model, sides, now)] : []),
  ];
  try {
    await batchSql(db, statements);
    return true;
  } catch (error) {
    if (isGuardFailure(error)) return false;
    throw error;
  }
}
