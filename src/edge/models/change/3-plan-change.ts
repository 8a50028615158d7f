/** Plans a change of a model and finds its conflicts, without writing anything (RULES 3.2). */
import type { StoredField } from "../../../content/field-types/fields.ts";
import type { Field } from "../../../content/field-types/registry.ts";
import { localesIn } from "../../../content/locales/locales.ts";
import { modelOf, type Model } from "../../../content/model/model.ts";
import { CONTENT } from "../../../limits.ts";
import type { Space } from "../../spaces/authorize.ts";
import { budgetOf } from "../../spaces/pattern-turns.ts";
import type { Database } from "../../storage/database/database.ts";
import type { Origin } from "../../storage/events/actor.ts";
import type { ModelRow } from "../../storage/spaces/entries.ts";
import { numbersOf, readFingerprintOf, type HolderRow } from "../../storage/models/holders.ts";
import { readFingerprint } from "../../storage/models/model-values.ts";
import { checkRequest, planChange, type ChangeRequest, type ModelChange } from "./1-compare-fields.ts";
import { conflictsOf, dependsOnRecords, switchConflicts, type LookOptions } from "./2-find-conflicts.ts";
import { conflictViews, type ChangeConflict } from "./conflicts.ts";
import { OPTIONS, optionsAfter, type AskedOptions } from "../model-options.ts";
import type { HeldComponents } from "../held-components.ts";
import { checkedFields } from "../models.ts";
import { storedSurroundings, type Surroundings } from "../surroundings.ts";
import { componentConflicts, dependsOnObjects, recordHolders } from "./component-records.ts";
import { checkVersion } from "../../records/read/preconditions.ts";
import { ValidationErrors } from "../../../content/faults/validation-errors.ts";

export interface ModelWriting {
  db: Database;
  space: Space;
  /** The actor and the request that the event of the change names. */
  origin: Origin;
  now: number;
  /** The versions that the change may be made from; null for any. */
  versions: ReadonlySet<number> | null;
  /** The other models, if they are to be others than those that are stored. */
  around?: Surroundings;
  /** The counts and the queries of a plan of many models. A change that is planned with them is not written. */
  dryRun?: Pick<LookOptions, "counts" | "isSpent">;
}

const aroundOf = ({ db, space, around }: ModelWriting): Surroundings =>
  around ?? storedSurroundings(db, space.id);

/** A request as it is stored while it is worked on in the background. */
export interface StoredRequest {
  fields: Field[];
  drop: readonly string[];
  rename: [string, string][];
  options: AskedOptions;
  /** The new fields with their numbers, once these are reserved. */
  reserved?: StoredField[];
  /** The origin of the request; absent in changes from before there were events. */
  origin?: Origin;
}

/** A planned change with its conflicts. */
export interface PlannedChange {
  row: ModelRow;
  model: Model;
  fields: Field[];
  /** The components that the fields hold. */
  held: HeldComponents;
  options: AskedOptions;
  change: ModelChange;
  /** The models that hold the component that is changed; none for a model with records. */
  holders: HolderRow[];
  conflicts: ChangeConflict[];
  records: number;
  /** The fingerprint of the records that were checked; null if the change does not depend on them. */
  fingerprint: string | null;
  /** Whether there are too many records to check in one request. */
  isLarge: boolean;
}

/**
 * Plans a change.
 * @param isChecked whether the values of the records were checked before
 * @throws ApiError VALIDATION_FAILED, PRECONDITION_FAILED
 */
export async function planModelChange(
  writing: ModelWriting,
  row: ModelRow,
  asked: ChangeRequest,
  isChecked = false,
): Promise<PlannedChange> {
  const { db, space, versions } = writing;
  checkVersion(row, versions, "model");
  const model = modelOf(row);
  const errors = new ValidationErrors(asked.faults);
  checkRequest(model.fields, asked, errors);
  const { options } = asked;
  const isComponent = row.typeModel === "components";
  const isSwitched = !isComponent && options.drafts !== undefined && options.drafts !== row.drafts;
  // A name that drafts reserve is a fault in a model with drafts, and a conflict if drafts are to be switched on.
  const checked = isComponent ? options : { ...options, drafts: row.drafts && !isSwitched };
  const { typeModel, name } = row;
  const input = { typeModel, name, fields: [...asked.fields], options: checked, before: model.fields };
  const { fields, held } = await checkedFields(aroundOf(writing), space, input, errors);
  const change = planChange(model.fields, { ...asked, fields }, budgetOf(space.id));
  const plan = { row, model, fields, held, options, change };
  if (isComponent) return { ...plan, ...(await planForHolders(writing, plan, isChecked)) };
  // The fingerprint is read first, so that the write notices every later change.
  const { dryRun } = writing;
  const depends = !dryRun && !isChecked && dependsOnRecords(model, change);
  const fingerprint = depends ? await readFingerprint(db, model) : null;
  const outlook = await conflictsOf(db, space.id, model, change, {
    isChecked,
    locales: localesIn(space.locales),
    ...dryRun,
  });
  const { conflicts, records } = outlook;
  // Names that drafts reserve are conflicts without any record.
  if (isSwitched && (!model.drafts || (records > 0 && dryRun?.isSpent?.() !== true)))
    conflicts.push(...(await switchConflicts(db, model, fields)));
  if (isSwitched && outlook.isLarge) {
    const message =
      "cannot be switched by a change that looks at so many records; switch it by one of its own";
    conflicts.push({ path: "drafts", message, records });
  }
  const isMuchToPublish =
    isSwitched && !isChecked && options.drafts === true && records > CONTENT.publishedRecordsMax;
  const isLarge = outlook.isLarge || isMuchToPublish;
  return { ...plan, holders: [], conflicts, records, fingerprint, isLarge };
}

/** Finds the models that hold a component, and the conflicts with their records. */
async function planForHolders(
  writing: ModelWriting,
  { row, change }: Pick<PlannedChange, "row" | "change">,
  isChecked: boolean,
): Promise<Pick<PlannedChange, "holders" | "conflicts" | "records" | "fingerprint" | "isLarge">> {
  const { db, space, dryRun } = writing;
  const holders = await aroundOf(writing).holdersOf(row.name);
  const models = recordHolders(holders);
  const depends = !dryRun && !isChecked && dependsOnObjects(change);
  const numbers = numbersOf(models.map(({ id }) => id));
  const fingerprint = depends ? await readFingerprintOf(db, numbers) : null;
  const outlook = await componentConflicts(db, space.id, { id: row.id, change }, models, {
    ...dryRun,
    isChecked,
  });
  return { holders, fingerprint, ...outlook };
}

/** Returns the fields as they will be stored, in the order of the request. */
export const storedFields = ({ fields, change }: PlannedChange, added: StoredField[]): StoredField[] => {
  const stored = [...change.kept.map(({ after }) => after), ...added];
  const byName = new Map(stored.map((field) => [field.name, field]));
  return fields.flatMap(({ name }) => byName.get(name) ?? []);
};

/**
 * Returns the names of the options that change. A title field that is yet to be added has no number, but is a change.
 */
function changedOptions({ row, options, change }: PlannedChange, fields: StoredField[]): string[] {
  const after = optionsAfter(row, options, fields);
  const isAdded = change.added.some(({ name }) => name === options.titleField);
  return OPTIONS.filter((name) => after[name] !== row[name] || (name === "titleField" && isAdded));
}

export const isUnchanged = (planned: PlannedChange): boolean => {
  const fields = storedFields(planned, []);
  if (planned.change.added.length > 0 || changedOptions(planned, fields).length > 0) return false;
  return JSON.stringify(fields) === JSON.stringify(planned.model.fields);
};

/** The answer to a dry run of a model change. */
export interface ChangeView {
  version: number;
  fields: Field[];
  added: string[];
  removed: string[];
  /** The new names of fields by their old ones. */
  renamed: Record<string, string>;
  changed: string[];
  options: string[];
  records: number;
  inBackground: boolean;
  conflicts: Omit<ChangeConflict, "loss">[];
}

/** Returns the names of the fields that a change concerns. */
export function changedFields({ added, dropped, kept }: ModelChange) {
  const isChanged = ({ before, after }: ModelChange["kept"][number]): boolean =>
    JSON.stringify({ ...before, name: "" }) !== JSON.stringify({ ...after, name: "" });
  const renamed = kept.filter(({ before, after }) => before.name !== after.name);
  return {
    added: added.map(({ name }) => name),
    removed: dropped.map(({ name }) => name),
    renamed: Object.fromEntries(renamed.map(({ before, after }) => [before.name, after.name])),
    changed: kept.filter(isChanged).map(({ after }) => after.name),
  };
}

/** Returns the answer to a dry run of a model change. */
export function changeView(planned: PlannedChange): ChangeView {
  const { fields, model, change, conflicts, records } = planned;
  return {
    version: model.version,
    fields,
    ...changedFields(change),
    options: changedOptions(planned, storedFields(planned, [])),
    records: isUnchanged(planned) ? 0 : records,
    inBackground: planned.isLarge,
    conflicts: conflictViews(conflicts),
  };
}
