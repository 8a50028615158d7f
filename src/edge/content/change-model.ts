/** A model's fields replaced (RULES 3.2): no record is left that its model does not describe, no value is lost unasked. */
import { ApiError, notFound } from "../../errors.ts";
import { CONTENT, RETRY } from "../../limits.ts";
import { retryUntilWritten } from "../storage/retry.ts";
import type { Space } from "../spaces/authorize.ts";
import { isUniqueViolation, type Database } from "../storage/database.ts";
import type { ModelRow } from "../storage/entries.ts";
import { beginDrafts, publishSlice } from "../storage/model-drafts.ts";
import { indexBatch, reserveFields, updateModel } from "../storage/model-change.ts";
import { readFingerprint } from "../storage/model-values.ts";
import { readModel } from "../storage/models.ts";
import { rebuildSlice } from "../storage/search-rebuilds.ts";
import type { Field, StoredField } from "../content-model/fields.ts";
import { checkRequest, numbered, planChange, type ChangeRequest, type ModelChange } from "./model-change.ts";
import { conflictsOf, dependsOnRecords, switchConflicts, type ChangeConflict } from "./model-conflicts.ts";
import { OPTIONS, optionsAfter, type AskedOptions } from "./model-options.ts";
import { checkedFields } from "./models.ts";
import { modelOf, type Model } from "../content-model/model.ts";
import { checkVersion } from "./preconditions.ts";
import { ValidationErrors } from "./validation-errors.ts";

export interface ModelWriting {
  db: Database;
  space: Space;
  now: number;
  /** Versions that the change may be made from; null for any. */
  versions: ReadonlySet<number> | null;
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
}

/** Looks, and writes nothing. @throws ApiError VALIDATION_FAILED, PRECONDITION_FAILED */
export async function planModelChange(
  { db, space, versions }: ModelWriting,
  row: ModelRow,
  asked: ChangeRequest,
): Promise<PlannedChange> {
  checkVersion(row, versions, "model");
  const model = modelOf(row);
  const errors = new ValidationErrors(asked.faults);
  checkRequest(model.fields, asked, errors);
  const { options } = asked;
  const isSwitched = options.drafts !== undefined && options.drafts !== row.drafts;
  // Names that drafts reserve: a fault of a model that has them, a conflict of one that is to.
  const checked = { ...options, drafts: row.drafts && !isSwitched };
  const input = { typeModel: row.typeModel, name: row.name, fields: [...asked.fields], options: checked };
  const fields = await checkedFields(db, space, input, errors);
  const change = planChange(model.fields, { ...asked, fields });
  // Read first: what changes after it is noticed by the write.
  const fingerprint = dependsOnRecords(model, change) ? await readFingerprint(db, model) : null;
  const { conflicts, records } = await conflictsOf(db, space.id, model, change);
  if (isSwitched) conflicts.push(...(await switchConflicts(db, model, fields)));
  return { row, model, fields, options, change, conflicts, records, fingerprint };
}

/** New fields with their numbers, and index rows for all but the last batch of records; the rest goes with the change. */
async function prepareAdded(db: Database, model: Model, added: Field[], now: number): Promise<StoredField[]> {
  if (added.length === 0) return [];
  const firstNo = await reserveFields(db, model, added.length, now);
  if (firstNo === null) throw notFound("The model");
  const fields = numbered(added, firstNo);
  let end: string | null = "";
  while (end !== null) end = await indexBatch(db, model, fields, end);
  return fields;
}

/** The fields as they will be stored, in the order asked for. */
const storedFields = ({ fields, change }: PlannedChange, added: StoredField[]): StoredField[] => {
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

const isUnchanged = (planned: PlannedChange): boolean => {
  const fields = storedFields(planned, []);
  if (planned.change.added.length > 0 || changedOptions(planned, fields).length > 0) return false;
  return JSON.stringify(fields) === JSON.stringify(planned.model.fields);
};

function refuse(conflicts: ChangeConflict[]): void {
  if (conflicts.length === 0) return;
  const [first] = conflicts;
  const more = conflicts.length > 1 ? ` And ${conflicts.length - 1} more; see details.` : "";
  throw new ApiError("CONFLICT", `"${first?.path}" ${first?.message}.${more}`, {
    details: conflicts.map(({ path, message }) => ({ path, message })),
  });
}

/** Words of changed searchable fields, of as many records as a request has time for: the sweep does the rest. */
async function beginRebuild(db: Database, modelId: number): Promise<void> {
  for (let slice = 0; slice < CONTENT.searchRequestSlices; slice++) {
    if ((await rebuildSlice(db, CONTENT.searchSliceRecords, modelId)) === "none") return;
  }
}

/** Publishes what there is, before drafts are switched on. */
async function prepareDrafts(db: Database, model: Model, now: number): Promise<void> {
  await beginDrafts(db, model.id, now);
  let end: string | null = "";
  while (end !== null) end = await publishSlice(db, model, end, now);
}

/** Null when something that the plan rests on changed meanwhile. */
async function write(writing: ModelWriting, planned: PlannedChange): Promise<ModelRow | null> {
  const { db, space, now } = writing;
  if (planned.options.drafts && !planned.row.drafts) await prepareDrafts(db, planned.model, now);
  const { row, model, change, fingerprint } = planned;
  const added = await prepareAdded(db, model, change.added, now);
  const fields = storedFields(planned, added);
  const options = optionsAfter(row, planned.options, fields);
  const update = { ...change, model: row, fields, options, added, fingerprint, now };
  const changed = await updateModel(db, update).catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error;
    const message = "A field cannot become unique: some records have the same value. Change those first.";
    throw new ApiError("CONFLICT", message, { cause: error });
  });
  if (!changed) return null;
  await beginRebuild(db, model.id);
  return readModel(db, space.id, row.typeModel, row.name);
}

/**
 * Replaces a model's fields, matched by name. Values of a removed field are out of all answers at once and for good.
 * @throws ApiError VALIDATION_FAILED; PRECONDITION_FAILED; NOT_FOUND; CONFLICT when a value of some record would not
 * fit or would be lost
 */
export async function changeModel(
  writing: ModelWriting,
  first: ModelRow,
  asked: ChangeRequest,
): Promise<ModelRow> {
  const { drafts, ...options } = asked.options;
  if (drafts === undefined || drafts === first.drafts) return change(writing, first, asked);
  // Two steps, each of which stands by itself; what is against either is found before the first.
  refuse((await planModelChange(writing, first, asked)).conflicts);
  const changed = await change(writing, first, { ...asked, options });
  const switched = { fields: asked.fields, drop: [], rename: new Map(), options: { drafts }, faults: [] };
  return change({ ...writing, versions: new Set([changed.version]) }, changed, switched);
}

async function change(writing: ModelWriting, first: ModelRow, asked: ChangeRequest): Promise<ModelRow> {
  let row = first;
  return retryUntilWritten(
    async () => {
      const planned = await planModelChange(writing, row, asked);
      refuse(planned.conflicts);
      if (isUnchanged(planned)) return row;
      const written = await write(writing, planned);
      if (written) return written;
      const found = await readModel(writing.db, writing.space.id, row.typeModel, row.name);
      if (!found) throw notFound("The model");
      row = found;
      return null;
    },
    { triesMax: RETRY.modelTriesMax },
  );
}

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
    conflicts,
  };
}
