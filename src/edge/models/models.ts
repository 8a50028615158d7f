/** Creates and removes models (RULES 3.1). */
import { ApiError } from "../../errors.ts";
import { CONTENT } from "../../limits.ts";
import { retryUntilWritten } from "../storage/database/retry.ts";
import type { Space } from "../spaces/authorize.ts";
import type { By } from "../storage/events/actor.ts";
import { isUniqueViolation, type Database } from "../storage/database/database.ts";
import { readAgain, type ModelRow } from "../storage/spaces/entries.ts";
import * as store from "../storage/models/models.ts";
import { checkFields, withStoredDefaults } from "./check-fields.ts";
import { defaultOf, type StoredField } from "../../content/field-types/fields.ts";
import { isIndexedAs, type Field } from "../../content/field-types/registry.ts";
import { ownReferencesOf } from "../../content/model/components.ts";
import { fieldsWith, findHeld, type HeldComponents } from "./held-components.ts";
import { storedSurroundings, type Surroundings } from "./surroundings.ts";
import type { TypeModel } from "../../content/model/type-models.ts";
import { numbered } from "./change/1-compare-fields.ts";
import { modelOf, valuesOf } from "../../content/model/model.ts";
import { hasLocales, localesIn } from "../../content/locales/locales.ts";
import {
  checkComponentOptions,
  checkLocaleNames,
  checkNewNames,
  checkOptions,
  NO_OPTIONS,
  optionsAfter,
  type AskedOptions,
} from "./model-options.ts";
import { defaultContentOf } from "../records/write/stored-content.ts";
import { budgetOf, takePatternTurn } from "../spaces/pattern-turns.ts";
import { ValidationErrors } from "../../content/faults/validation-errors.ts";

export interface ModelInput {
  typeModel: TypeModel;
  name: string;
  fields: Field[];
  options: AskedOptions;
  /** The fields of the model that is changed; left out for a new one. */
  before?: readonly StoredField[];
  /** Collections that an import makes next: relations may lead to them already. */
  coming?: ReadonlySet<string>;
}

/** The version and times of a model of an import, in milliseconds. */
export interface KeptTimes {
  version: number;
  createdAt: number;
  updatedAt: number;
}

const conflict = (message: string, cause?: unknown): ApiError => new ApiError("CONFLICT", message, { cause });

/** Adds a fault for each relation to a collection that does not exist. The collection that is being made counts. */
async function checkTargets(
  around: Surroundings,
  input: ModelInput,
  errors: ValidationErrors,
): Promise<void> {
  const own = input.typeModel === "collections" ? input.name : null;
  const relations = input.fields.flatMap((field, index) => targetsOf(field, index, own));
  if (relations.length === 0) return;
  const missing = await around.missingCollections([...new Set(relations.map(({ to }) => to))]);
  for (const { path, to } of relations) {
    if (missing.has(to) && !input.coming?.has(to))
      errors.add(path, `"${to}" is not a collection of this space`);
  }
}

/** Returns the collections that a field leads to, each with its place in the definition. */
export function targetsOf(field: Field, index: number, own: string | null): { path: string; to: string }[] {
  const named = isIndexedAs(field, "record")
    ? [{ path: "to", to: field.to }]
    : ownReferencesOf(field).flatMap(({ collection }) =>
        collection === null ? [] : [{ path: "annotations", to: collection }],
      );
  return named
    .filter(({ to }) => to !== own)
    .map(({ path, to }) => ({ path: `fields.${index}.${path}`, to }));
}

/** Adds the faults of a model beyond its schema. @returns the components that it would hold */
export async function checkModel(
  around: Surroundings,
  space: Space,
  input: ModelInput,
  errors: ValidationErrors,
): Promise<HeldComponents> {
  await takePatternTurn(space.id, input.fields);
  checkFields(input.fields, errors, () => budgetOf(space.id));
  checkNewNames(input.fields, input.before ?? [], errors);
  checkOptions(input.options, input.fields, errors);
  if (hasLocales(localesIn(space.locales))) checkLocaleNames(input.fields, errors);
  if (input.typeModel === "components") checkComponentOptions(input.options, errors);
  await checkTargets(around, input, errors);
  return findHeld(around, input, errors);
}

/** The fields of a checked model, and the components that they hold. */
export interface CheckedFields {
  fields: Field[];
  held: HeldComponents;
}

/** Returns the fields as they are stored. @throws ApiError VALIDATION_FAILED with what `errors` holds already, too */
export async function checkedFields(
  around: Surroundings,
  space: Space,
  input: ModelInput,
  errors: ValidationErrors,
): Promise<CheckedFields> {
  const held = await checkModel(around, space, input, errors);
  errors.throwIfAny("The model cannot be made; see details.");
  return { fields: fieldsWith(input.fields, held).map(withStoredDefaults), held };
}

/** @throws ApiError VALIDATION_FAILED, CONFLICT (name taken, too many models) */
export async function createModel(
  db: Database,
  space: Space,
  input: ModelInput,
  by: By,
  kept?: KeptTimes,
): Promise<ModelRow> {
  const { typeModel, name } = input;
  return retryUntilWritten(async () => {
    const around = storedSurroundings(db, space.id);
    const checked = await checkedFields(around, space, input, new ValidationErrors());
    const fields = numbered(checked.fields, 1);
    const page = typeModel === "pages" ? defaultContentOf({ fields }) : null;
    const options = optionsAfter(NO_OPTIONS, input.options, fields);
    const { coming } = input;
    const model = {
      ...{ spaceId: space.id, typeModel, name, fields, held: checked.held, options, by, page },
      ...(kept && { kept }),
      ...(coming && { coming }),
    };
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
export async function removeModel(db: Database, space: Space, row: ModelRow, by: By): Promise<void> {
  await refuseRelated(db, row);
  const page = row.typeModel === "pages" ? await readPage(db, space, row) : null;
  if (await store.deleteModel(db, row, page, by)) return;
  await refuseRelated(db, row);
  const what = row.typeModel === "pages" ? "content in the trash" : "records, or some in the trash";
  throw conflict(`The model has ${what}. Delete them for good first.`);
}

async function refuseRelated(db: Database, row: ModelRow): Promise<void> {
  if (row.typeModel === "pages") return;
  const related = await store.relatedModels(db, row);
  if (related.length === 0) return;
  const names = related.join(", ");
  throw conflict(
    row.typeModel === "components"
      ? `Fields of ${names} hold this component. Remove it from them first.`
      : `Relations of ${names} lead to this model. Remove them first.`,
  );
}

/** Returns the page of a model, which is removed with it. A page with content must be reset first. */
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
      "The page has content. Delete it, which resets the page, and then delete it for good from the trash.",
    );
  }
  return record;
}
