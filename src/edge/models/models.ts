/** Models created and removed (RULES 3.1). */
import { ApiError } from "../../errors.ts";
import { CONTENT } from "../../limits.ts";
import { retryUntilWritten } from "../storage/database/retry.ts";
import type { Space } from "../spaces/authorize.ts";
import { isUniqueViolation, type Database } from "../storage/database/database.ts";
import { readAgain, type ModelRow } from "../storage/spaces/entries.ts";
import * as store from "../storage/models/models.ts";
import { checkFields, withStoredDefaults } from "./check-fields.ts";
import { defaultOf, type Field, type StoredField } from "../../content/field-types/fields.ts";
import type { TypeModel } from "../../content/model/type-models.ts";
import { numbered } from "./change/1-compare-fields.ts";
import { modelOf, valuesOf } from "../../content/model/model.ts";
import { checkNewNames, checkOptions, NO_OPTIONS, optionsAfter, type AskedOptions } from "./model-options.ts";
import { defaultContentOf } from "../records/write/stored-content.ts";
import { ValidationErrors } from "../../content/faults/validation-errors.ts";

export interface ModelInput {
  typeModel: TypeModel;
  name: string;
  fields: Field[];
  options: AskedOptions;
  /** The fields of the model that is changed; left out for a new one. */
  before?: readonly StoredField[];
}

const conflict = (message: string, cause?: unknown): ApiError => new ApiError("CONFLICT", message, { cause });

/** Relations must name collections that are there, or the one being made. */
async function checkTargets(
  db: Database,
  space: Space,
  input: ModelInput,
  errors: ValidationErrors,
): Promise<void> {
  const own = input.typeModel === "collections" ? input.name : null;
  const relations = input.fields.flatMap((field, index) =>
    field.type === "relation" && field.to !== own ? [{ index, to: field.to }] : [],
  );
  if (relations.length === 0) return;
  const missing = await store.missingCollections(db, space.id, [...new Set(relations.map(({ to }) => to))]);
  for (const { index, to } of relations) {
    if (missing.has(to)) errors.add(`fields.${index}.to`, `"${to}" is not a collection of this space`);
  }
}

/** Adds what is wrong with a model that its schema lets through. */
export async function checkModel(
  db: Database,
  space: Space,
  input: ModelInput,
  errors: ValidationErrors,
): Promise<void> {
  checkFields(input.fields, errors);
  checkNewNames(input.fields, input.before ?? [], errors);
  checkOptions(input.options, input.fields, errors);
  await checkTargets(db, space, input, errors);
}

/** The fields as they are stored. @throws ApiError VALIDATION_FAILED with what `errors` holds already, too */
export async function checkedFields(
  db: Database,
  space: Space,
  input: ModelInput,
  errors: ValidationErrors,
): Promise<Field[]> {
  await checkModel(db, space, input, errors);
  errors.throwIfAny("The model cannot be made; see details.");
  return input.fields.map(withStoredDefaults);
}

/** @throws ApiError VALIDATION_FAILED, CONFLICT (name taken, too many models) */
export async function createModel(
  db: Database,
  space: Space,
  input: ModelInput,
  now: number,
): Promise<ModelRow> {
  const { typeModel, name } = input;
  return retryUntilWritten(async () => {
    const fields = numbered(await checkedFields(db, space, input, new ValidationErrors()), 1);
    const page = typeModel === "pages" ? defaultContentOf({ fields }) : null;
    const options = optionsAfter(NO_OPTIONS, input.options, fields);
    const model = { spaceId: space.id, typeModel, name, fields, options, now, page };
    const made = await store.insertModel(db, model).catch((error: unknown) => {
      if (!isUniqueViolation(error)) throw error;
      throw conflict(`"${name}" is already a model of ${typeModel}.`, error);
    });
    if (!made && (await store.countModels(db, space.id)) >= CONTENT.modelsPerSpaceMax) {
      throw conflict(`A space may have at most ${CONTENT.modelsPerSpaceMax} models.`);
    }
    return made;
  });
}

/** @throws ApiError CONFLICT when it has records, trashed ones included, or another model has a relation to it */
export async function removeModel(db: Database, space: Space, row: ModelRow): Promise<void> {
  await refuseRelated(db, row);
  const page = row.typeModel === "pages" ? await readPage(db, space, row) : null;
  if (await store.deleteModel(db, row, page)) return;
  await refuseRelated(db, row);
  const what = row.typeModel === "pages" ? "content in the trash" : "records, or some in the trash";
  throw conflict(`The model has ${what}. Delete and purge them first.`);
}

async function refuseRelated(db: Database, row: ModelRow): Promise<void> {
  const related = row.typeModel === "collections" ? await store.relatedModels(db, row) : [];
  if (related.length === 0) return;
  throw conflict(`Relations of ${related.join(", ")} lead to this model. Remove them first.`);
}

/** A page that is at its defaults goes with its model; one with content must be reset first. */
async function readPage(
  db: Database,
  space: Space,
  row: ModelRow,
): Promise<{ seq: number; version: number } | null> {
  const found = await readAgain(db, space.id, { typeModel: row.typeModel, model: row.name, id: row.name });
  if (!found?.record) return null;
  const { record } = found;
  const model = modelOf(found.model);
  const values = valuesOf(model, record.data);
  const isDefault = (field: StoredField): boolean =>
    JSON.stringify(values.get(field.no)) === JSON.stringify(defaultOf(field));
  const isChanged = record.version > 1 && !model.fields.every(isDefault);
  if (isChanged || (model.drafts && record.publishedVersion !== null)) {
    throw conflict(
      "The page has content. Delete it, which resets the page, and purge it from the trash first.",
    );
  }
  return record;
}
