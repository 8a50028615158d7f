/**
 * Plans the way of a space to a document of models, without writing anything (RULES 3.34). Each step is checked by the
 * dry run of a model change, in the space as it would be after the steps before it.
 */
import { CONTENT } from "../../../limits.ts";
import { ValidationErrors } from "../../../content/faults/validation-errors.ts";
import type { StoredField } from "../../../content/field-types/fields.ts";
import type { Space } from "../../spaces/authorize.ts";
import { sha256Hex } from "../../spaces/secrets.ts";
import { settingsOf } from "../../spaces/settings.ts";
import type { ModelRow } from "../../storage/spaces/entries.ts";
import { workingChanges, type WorkingChange } from "../../storage/models/background-changes.ts";
import { countRecordsOf } from "../../storage/models/model-values.ts";
import { listModels } from "../../storage/models/models.ts";
import { WHOLE_SPACE } from "../../storage/spaces/scopes.ts";
import { checkDocument, isAsAsked, keyOf, type DocumentModel, type ModelsDocument } from "./document.ts";
import { ModelNames } from "./allowed-losses.ts";
import { canonical } from "./canonical.ts";
import { orderOf, type Shape } from "./order.ts";
import { unchangedEntry, type PlannedModel } from "./planned-model.ts";
import { Planner, type AskedDocument, type DocumentStep, type DocumentWriting } from "./planner.ts";
import {
  areSettingsFirst,
  changedSettings,
  planDocumentLocales,
  type DocumentConflict,
} from "./plan-settings.ts";

export type PlannedEntry = PlannedModel | { action: "change"; settings: string[] };

export interface DocumentPlan {
  hash: string;
  changes: PlannedEntry[];
  conflicts: DocumentConflict[];
  /** The changes of models that the space works on in the background. */
  working: WorkingChange[];
  steps: DocumentStep[];
  /** The models as they were read. */
  rows: ModelRow[];
}

/** Returns a text that changes with the document, and with the models and settings of the space. */
const hashOf = (document: ModelsDocument, rows: readonly ModelRow[], space: Space): Promise<string> =>
  sha256Hex(
    canonical([
      document,
      rows.map(({ id, typeModel, name, version, createdAt }) => [id, typeModel, name, version, createdAt]),
      settingsOf(space),
    ]),
  );

/** Counts the records and published contents of the models that may change. */
function countsOf(
  { db }: DocumentWriting,
  rows: readonly ModelRow[],
  toDo: readonly DocumentModel[],
): Promise<Map<number, number>> {
  const keys = new Set(toDo.map(keyOf));
  const some = rows.filter((row) => keys.has(keyOf(row)) && row.typeModel !== "components");
  const numbers = some.flatMap(({ id, drafts }) => (drafts ? [id, -id] : [id]));
  return numbers.length > 0
    ? countRecordsOf(db, numbers, CONTENT.checkedRecordsMax + 1)
    : Promise.resolve(new Map<number, number>());
}

const shapeOf = (row: ModelRow): Shape => ({
  typeModel: row.typeModel,
  name: row.name,
  fields: JSON.parse(row.fields) as StoredField[],
});

/** Returns the conflict of a space that would have too many models. */
function tooMany({ models }: ModelsDocument, rows: readonly ModelRow[]): DocumentConflict[] {
  const there = new Set(rows.map(keyOf));
  const all = rows.length + models.filter((model) => !there.has(keyOf(model))).length;
  const max = CONTENT.modelsPerSpaceMax;
  if (all <= max) return [];
  return [{ path: "models", message: `would be ${all} in the space, which may have at most ${max}` }];
}

/** @throws ApiError VALIDATION_FAILED with every fault of the document */
export async function planDocument(writing: DocumentWriting, asked: AskedDocument): Promise<DocumentPlan> {
  const { db, space, now } = writing;
  const { document, allowDrop } = asked;
  const { settings = {}, models } = document;
  const rows = await listModels(db, space.id, {
    limit: CONTENT.modelsPerSpaceMax + 1,
    afterId: 0,
    scopes: WHOLE_SPACE,
  });
  const faults = new ValidationErrors();
  checkDocument(document, faults);
  const modelNames = new ModelNames(document);
  modelNames.check(allowDrop, faults);
  faults.throwIfAny("The document does not fit; see details.");
  const stored = new Map(rows.map((row) => [keyOf(row), row]));
  const toDo = models.filter((model) => {
    const row = stored.get(keyOf(model));
    return !row || !isAsAsked(row, model);
  });
  const planner = new Planner(writing, asked, modelNames, rows, await countsOf(writing, rows, toDo));
  const { errors, conflicts, virtual } = planner;
  conflicts.push(...tooMany(document, rows));
  const names = changedSettings(space, settings);
  const isFirst = names.length > 0 && areSettingsFirst(space, settings);
  const takeSettings = async (): Promise<Space> => {
    if (names.length === 0) return space;
    planner.steps.push({ kind: "settings" });
    const then = { allowDrop, rows: virtual.rows, now };
    return { ...space, locales: await planDocumentLocales(db, space, settings, then, { errors, conflicts }) };
  };
  const planned = isFirst ? await takeSettings() : space;
  for (const step of orderOf(rows.map(shapeOf), toDo)) {
    await planner.take(step, models.indexOf(step.model), planned);
  }
  if (!isFirst) await takeSettings();
  errors.throwIfAny("The document does not fit; see details.");

  const working = await workingChanges(db, space.id);
  const isInWork = new Set(working.map(({ typeModel, model }) => `${typeModel}/${model}`));
  for (const model of toDo) {
    const message = "is being changed in the background: wait for that change, or withdraw it";
    if (isInWork.has(keyOf(model))) conflicts.push({ path: modelNames.of(model), message });
  }
  const settingsEntry: PlannedEntry[] = names.length > 0 ? [{ action: "change", settings: names }] : [];
  return {
    hash: await hashOf(document, rows, space),
    changes: [
      ...settingsEntry,
      ...models.map((model) => planner.entries.get(keyOf(model)) ?? unchangedEntry(model)),
    ],
    conflicts,
    working,
    steps: planner.steps,
    rows,
  };
}
