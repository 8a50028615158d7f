/** Models made, changed, removed (completion §3). A change never leaves a record that its model does not describe. */
import { ApiError, notFound } from "../../errors.ts";
import { CONTENT } from "../../limits.ts";
import type { Space } from "../spaces/authorize.ts";
import { isUniqueViolation } from "../spaces/spaces.ts";
import type { Database } from "../storage/database.ts";
import { readAgain, type ModelRow } from "../storage/entries.ts";
import * as store from "../storage/models.ts";
import { checkFields, withStoredDefaults } from "./check-fields.ts";
import type { Faults } from "./validation-errors.ts";
import {
  defaultOf,
  isEmptyValue,
  isUnique,
  type Field,
  type StoredField,
  type TypeModel,
} from "../content-model/fields.ts";
import { modelOf, valuesOf, type Model } from "../content-model/model.ts";
import { mustBeEmpty, numbered, planChange, type KeptField, type ModelChange } from "./model-change.ts";
import { dataOf, sizeOf } from "./validate.ts";
import { checkValue } from "./values.ts";

export interface ModelInput {
  typeModel: TypeModel;
  name: string;
  fields: Field[];
}

const conflict = (message: string, cause?: unknown): ApiError => new ApiError("CONFLICT", message, { cause });

/** Relations must name collections that are there, or the one being made. */
async function checkTargets(db: Database, space: Space, input: ModelInput, faults: Faults): Promise<void> {
  const own = input.typeModel === "collections" ? input.name : null;
  const relations = input.fields.flatMap((field, index) =>
    field.type === "relation" && field.to !== own ? [{ index, to: field.to }] : [],
  );
  if (relations.length === 0) return;
  const missing = await store.missingCollections(db, space.id, [...new Set(relations.map(({ to }) => to))]);
  for (const { index, to } of relations) {
    if (missing.has(to)) faults.add(`fields.${index}.to`, `"${to}" is not a collection of this space`);
  }
}

async function checkInput(db: Database, space: Space, input: ModelInput): Promise<Field[]> {
  const faults = checkFields(input.fields);
  await checkTargets(db, space, input, faults);
  faults.throwIfAny("The model cannot be made; see details.");
  return input.fields.map(withStoredDefaults);
}

/** @throws ApiError VALIDATION_FAILED, CONFLICT (name taken, too many models) */
export async function createModel(
  db: Database,
  space: Space,
  input: ModelInput,
  now: number,
): Promise<ModelRow> {
  const fields = numbered(await checkInput(db, space, input), 1);
  const data = dataOf(new Map(fields.map((field) => [field.no, defaultOf(field)])));
  const page = input.typeModel === "pages" ? { data, sizeBytes: sizeOf(data) } : null;
  const { typeModel, name } = input;
  try {
    const model = await store.insertModel(db, { spaceId: space.id, typeModel, name, fields, now, page });
    if (model) return model;
  } catch (error) {
    if (isUniqueViolation(error)) throw conflict(`"${name}" is already a model of ${typeModel}.`, error);
    throw error;
  }
  throw conflict(`A space may have at most ${CONTENT.modelsPerSpaceMax} models.`);
}

/** Every value of the fields that may not fit any more, in bites. @throws ApiError CONFLICT naming the first misfit */
async function checkValues(db: Database, model: Model, kept: KeptField[]): Promise<void> {
  let afterId = "";
  for (;;) {
    const bite = await store.readDataAfter(db, model.id, afterId);
    for (const { id, data } of bite) {
      const values = valuesOf(model, data);
      for (const field of kept) {
        const misfit = misfitOf(model, field, values.get(field.before.no) ?? null);
        if (misfit === null) continue;
        throw conflict(
          `"${field.after.name}" cannot be changed so: its value in record ${id} ${misfit}. Change the records first.`,
        );
      }
    }
    const last = bite.at(-1);
    if (!last) return;
    afterId = last.id;
  }
}

function misfitOf(model: Model, field: KeptField, value: Parameters<typeof isEmptyValue>[0]): string | null {
  if (isEmptyValue(value)) {
    // A page is made with what defaults there are, so what it lacks stands in no one's way.
    return field.after.required && model.typeModel === "collections" ? "is missing" : null;
  }
  if (mustBeEmpty(field)) return "refers to something else";
  const checked = checkValue(field.after, value);
  if (!checked.ok) return checked.message;
  return JSON.stringify(checked.value) === JSON.stringify(value) ? null : "would have to be converted";
}

async function checkSize(db: Database, model: Model): Promise<void> {
  const max = CONTENT.checkedRecordsMax;
  if ((await store.countRecords(db, model.id, max + 1)) <= max) return;
  throw conflict(
    `The model has over ${max} records: retyping, tightening or making a field unique would take too long. ` +
      `Add a new field instead and move the values.`,
  );
}

/** What is asked of the records before a change. The fingerprint of those that were checked, when any were. */
async function checkRecords(
  db: Database,
  model: Model,
  { kept, added }: ModelChange,
): Promise<string | null> {
  const lacking = added.find((field) => field.required && isEmptyValue(defaultOf(field)));
  if (lacking && model.typeModel === "collections") {
    throw conflict(
      `"${lacking.name}" is required and has no default, and there are records. Give it a default.`,
    );
  }
  const same = added.find((field) => isUnique(field) && !isEmptyValue(defaultOf(field)));
  if (same)
    throw conflict(`"${same.name}" is unique, and its default would be the value of every record there is.`);
  const changed = kept.filter((f) => f.mustCheck || f.mustReindex || f.uniqueness === "added");
  if (changed.length === 0) return null;
  await checkSize(db, model);
  const toCheck = changed.filter(({ mustCheck }) => mustCheck);
  if (toCheck.length === 0) return null;
  const fingerprint = await store.readFingerprint(db, model.id);
  await checkValues(db, model, toCheck);
  return fingerprint;
}

/** New fields with their numbers, and index rows for all but the last bite of records; the rest goes with the change. */
async function prepareAdded(db: Database, model: Model, added: Field[], now: number): Promise<StoredField[]> {
  if (added.length === 0) return [];
  const firstNo = await store.reserveFields(db, model.id, added.length, now);
  if (firstNo === null) throw notFound("The model");
  const fields = numbered(added, firstNo);
  let end: string | null = "";
  while (end !== null) end = await store.indexBite(db, model.id, fields, end);
  return fields;
}

/**
 * Replaces a model's fields, matched by name. Values of a removed field are out of all answers at once and for good.
 * @throws ApiError VALIDATION_FAILED; CONFLICT when a value of some record would not fit, or others changed it
 */
export async function changeModel(
  db: Database,
  space: Space,
  row: ModelRow,
  fields: Field[],
  now: number,
): Promise<ModelRow> {
  const model = modelOf(row);
  const checked = await checkInput(db, space, { typeModel: row.typeModel, name: row.name, fields });
  const change = planChange(model.fields, checked);
  const fingerprint = (await store.hasRecords(db, model.id)) ? await checkRecords(db, model, change) : null;
  const added = await prepareAdded(db, model, change.added, now);
  const stored = new Map(
    [...change.kept.map(({ after }) => after), ...added].map((field) => [field.name, field]),
  );
  const update = {
    model,
    fields: checked.flatMap(({ name }) => stored.get(name) ?? []),
    kept: change.kept,
    added,
    dropped: change.dropped,
    fingerprint,
    now,
  };
  const changed = await store.updateModel(db, update).catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error;
    throw conflict(
      "A field cannot become unique: some records have the same value. Change those first.",
      error,
    );
  });
  if (!changed) throw conflict("The model or its records changed at the same time. Try again.");
  const after = await store.readModel(db, space.id, row.typeModel, row.name);
  if (!after) throw notFound("The model");
  return after;
}

/** @throws ApiError CONFLICT when it has records, trashed ones included, or another model has a relation to it */
export async function removeModel(db: Database, space: Space, row: ModelRow): Promise<void> {
  const related = row.typeModel === "collections" ? await store.relatedModels(db, row) : [];
  if (related.length > 0)
    throw conflict(`Relations of ${related.join(", ")} lead to this model. Remove them first.`);
  const page = row.typeModel === "pages" ? await readPage(db, space, row) : null;
  if (await store.deleteModel(db, row, page)) return;
  const what = row.typeModel === "pages" ? "content in the trash" : "records, or some in the trash";
  throw conflict(`The model has ${what}. Delete and purge them first.`);
}

/** A page that is at its defaults goes with its model; one with content must be reset first. */
async function readPage(
  db: Database,
  space: Space,
  row: ModelRow,
): Promise<{ seq: number; version: number } | null> {
  const found = await readAgain(db, space.id, { typeModel: row.typeModel, model: row.name, id: row.name });
  if (!found?.record) return null;
  const model = modelOf(found.model);
  const isDefault = ({ no, ...field }: StoredField): boolean =>
    JSON.stringify(valuesOf(model, found.record?.data ?? "{}").get(no)) === JSON.stringify(defaultOf(field));
  if (!model.fields.every(isDefault)) {
    throw conflict(
      "The page has content. Delete it, which resets the page, and purge it from the trash first.",
    );
  }
  return found.record;
}
