/** A model's fields replaced (RULES 3.2): no record is left that its model does not describe, no value is lost unasked. */
import { ulid } from "ulid";
import { ApiError, notFound } from "../../../errors.ts";
import { CONTENT, RETRY } from "../../../limits.ts";
import { retryUntilWritten } from "../../storage/database/retry.ts";
import { isUniqueViolation, type Database } from "../../storage/database/database.ts";
import type { ModelRow } from "../../storage/spaces/entries.ts";
import { beginDrafts, publishSlice } from "../../storage/models/switch-drafts.ts";
import {
  readModelChange,
  startModelChange,
  type ModelChangeRow,
} from "../../storage/models/background-changes.ts";
import { indexBatch, reserveFields, updateModel } from "../../storage/models/change-fields.ts";
import { readModel } from "../../storage/models/models.ts";
import { rebuildSlice } from "../../storage/search/search-rebuilds.ts";
import type { KeptField } from "../../../content/model/kept-field.ts";
import type { Field, StoredField } from "../../../content/field-types/fields.ts";
import { numbered, type ChangeRequest } from "./1-compare-fields.ts";
import type { ChangeConflict } from "./2-find-conflicts.ts";
import { optionsAfter } from "../model-options.ts";
import {
  isUnchanged,
  planModelChange,
  storedFields,
  type ModelWriting,
  type PlannedChange,
  type StoredRequest,
} from "./3-plan-change.ts";
import type { Model } from "../../../content/model/model.ts";

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

/** As a field whose values fit, so that their index rows stay what they are, and whose unique values are written. */
const prepared = (field: KeptField): KeptField => ({
  ...field,
  mustReindex: false,
  uniqueness: field.uniqueness === "added" ? "stays" : field.uniqueness,
});

/**
 * Null when something that the plan rests on changed meanwhile.
 * @param inBackground the change that ends with this, whose unique values are there already
 */
export async function writeModelChange(
  writing: ModelWriting,
  planned: PlannedChange,
  inBackground: ModelChangeRow | null = null,
): Promise<ModelRow | null> {
  const { db, space, now } = writing;
  if (planned.options.drafts && !planned.row.drafts) await prepareDrafts(db, planned.model, now);
  const { row, model, change, fingerprint } = planned;
  const added = await prepareAdded(db, model, change.added, now);
  const fields = storedFields(planned, added);
  const options = optionsAfter(row, planned.options, fields);
  const kept = inBackground ? change.kept.map(prepared) : change.kept;
  const update = { ...change, kept, model: row, fields, options, added, fingerprint, now, inBackground };
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
 * fit or would be lost, or while another change is worked on
 * @returns the model as it is then; or the change, where there are so many records that it is worked on from here on
 */
export async function changeModel(
  writing: ModelWriting,
  first: ModelRow,
  asked: ChangeRequest,
): Promise<ModelRow | ModelChangeRow> {
  const { drafts, ...options } = asked.options;
  if (drafts === undefined || drafts === first.drafts) return change(writing, first, asked);
  // Two steps, each of which stands by itself; what is against either is found before the first.
  refuse((await planModelChange(writing, first, asked)).conflicts);
  const changed = await change(writing, first, { ...asked, options });
  // One that takes longer was refused above, unless the records became that many since.
  if ("asked" in changed) return changed;
  const switched = { fields: asked.fields, drop: [], rename: new Map(), options: { drafts }, faults: [] };
  return change({ ...writing, versions: new Set([changed.version]) }, changed, switched);
}

/** @throws ApiError CONFLICT */
async function checkNothingInWork({ db }: ModelWriting, { id }: ModelRow): Promise<void> {
  const known = await readModelChange(db, id);
  if (known?.state === "working") {
    throw new ApiError("CONFLICT", "A change of this model is being worked on. Wait for it, or withdraw it.");
  }
  if (known && known.leftUniques !== "[]") {
    throw new ApiError(
      "CONFLICT",
      "What an earlier change has left is being removed. Try again in a minute.",
    );
  }
}

/** Null when the model changed meanwhile. */
async function begin(
  { db, now }: ModelWriting,
  { row, fields, options }: PlannedChange,
  { drop, rename }: ChangeRequest,
): Promise<ModelChangeRow | null> {
  const text = JSON.stringify({ fields, drop, rename: [...rename], options } satisfies StoredRequest);
  const isStarted = await startModelChange(db, row, { id: ulid(now), asked: text, now });
  return isStarted ? readModelChange(db, row.id) : null;
}

async function change(
  writing: ModelWriting,
  first: ModelRow,
  asked: ChangeRequest,
): Promise<ModelRow | ModelChangeRow> {
  let row = first;
  return retryUntilWritten<ModelRow | ModelChangeRow>(
    async () => {
      const planned = await planModelChange(writing, row, asked);
      refuse(planned.conflicts);
      if (isUnchanged(planned)) return row;
      await checkNothingInWork(writing, row);
      const written = planned.isLarge
        ? await begin(writing, planned, asked)
        : await writeModelChange(writing, planned);
      if (written) return written;
      const found = await readModel(writing.db, writing.space.id, row.typeModel, row.name);
      if (!found) throw notFound("The model");
      row = found;
      return null;
    },
    { triesMax: RETRY.modelTriesMax },
  );
}
