/** What a change of a model comes to, and what stands against it: looked at, and nothing written (RULES 3.2). */
import type { Field, StoredField } from "../../../content/field-types/fields.ts";
import { modelOf, type Model } from "../../../content/model/model.ts";
import type { Space } from "../../spaces/authorize.ts";
import type { Database } from "../../storage/database/database.ts";
import type { ModelRow } from "../../storage/spaces/entries.ts";
import { readFingerprint } from "../../storage/models/model-values.ts";
import { checkRequest, planChange, type ChangeRequest, type ModelChange } from "./1-compare-fields.ts";
import { conflictsOf, dependsOnRecords, switchConflicts, type ChangeConflict } from "./2-find-conflicts.ts";
import { OPTIONS, optionsAfter, type AskedOptions } from "../model-options.ts";
import { checkedFields } from "../models.ts";
import { checkVersion } from "../../records/read/preconditions.ts";
import { ValidationErrors } from "../../../content/faults/validation-errors.ts";

export interface ModelWriting {
  db: Database;
  space: Space;
  now: number;
  /** Versions that the change may be made from; null for any. */
  versions: ReadonlySet<number> | null;
}

/** What is asked for, as it is kept while it is worked on. */
export interface StoredRequest {
  fields: Field[];
  drop: readonly string[];
  rename: [string, string][];
  options: AskedOptions;
}

/** What a change comes to: its plan, what stands against it, what it is about. */
export interface PlannedChange {
  row: ModelRow;
  model: Model;
  fields: Field[];
  options: AskedOptions;
  change: ModelChange;
  conflicts: ChangeConflict[];
  records: number;
  /** Of the records that were looked at; null when the change does not depend on them. */
  fingerprint: string | null;
  /** There are too many records to look at in one request. */
  isLarge: boolean;
}

/**
 * Looks, and writes nothing.
 * @param isChecked the values of the records were looked at before
 * @throws ApiError VALIDATION_FAILED, PRECONDITION_FAILED
 */
export async function planModelChange(
  { db, space, versions }: ModelWriting,
  row: ModelRow,
  asked: ChangeRequest,
  isChecked = false,
): Promise<PlannedChange> {
  checkVersion(row, versions, "model");
  const model = modelOf(row);
  const errors = new ValidationErrors(asked.faults);
  checkRequest(model.fields, asked, errors);
  const { options } = asked;
  const isSwitched = options.drafts !== undefined && options.drafts !== row.drafts;
  // Names that drafts reserve: a fault of a model that has them, a conflict of one that is to.
  const checked = { ...options, drafts: row.drafts && !isSwitched };
  const { typeModel, name } = row;
  const input = { typeModel, name, fields: [...asked.fields], options: checked, before: model.fields };
  const fields = await checkedFields(db, space, input, errors);
  const change = planChange(model.fields, { ...asked, fields });
  // Read first: what changes after it is noticed by the write.
  const depends = !isChecked && dependsOnRecords(model, change);
  const fingerprint = depends ? await readFingerprint(db, model) : null;
  const { conflicts, records, isLarge } = await conflictsOf(db, space.id, model, change, isChecked);
  if (isSwitched) conflicts.push(...(await switchConflicts(db, model, fields)));
  if (isSwitched && isLarge) {
    const message =
      "cannot be switched by a change that looks at so many records; switch it by one of its own";
    conflicts.push({ path: "drafts", message, records });
  }
  return { row, model, fields, options, change, conflicts, records, fingerprint, isLarge };
}

/** The fields as they will be stored, in the order asked for. */
export const storedFields = ({ fields, change }: PlannedChange, added: StoredField[]): StoredField[] => {
  const stored = [...change.kept.map(({ after }) => after), ...added];
  const byName = new Map(stored.map((field) => [field.name, field]));
  return fields.flatMap(({ name }) => byName.get(name) ?? []);
};

/** Names of the options that change. A title field that is yet to be added has no number: it is a change. */
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

/** What a dry run answers. */
export function changeView(planned: PlannedChange): Record<string, unknown> {
  const { fields, model, change, conflicts, records } = planned;
  const isChanged = ({ before, after }: ModelChange["kept"][number]): boolean =>
    JSON.stringify({ ...before, name: "" }) !== JSON.stringify({ ...after, name: "" });
  const renamed = change.kept.filter(({ before, after }) => before.name !== after.name);
  return {
    version: model.version,
    fields,
    added: change.added.map(({ name }) => name),
    removed: change.dropped.map(({ name }) => name),
    renamed: Object.fromEntries(renamed.map(({ before, after }) => [before.name, after.name])),
    changed: change.kept.filter(isChanged).map(({ after }) => after.name),
    options: changedOptions(planned, storedFields(planned, [])),
    records: isUnchanged(planned) ? 0 : records,
    inBackground: planned.isLarge,
    conflicts,
  };
}
