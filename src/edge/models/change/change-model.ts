/**
 * Replaces a model's fields (RULES 3.2). Every record fits its model afterwards, and no value is lost unless it is
 * asked for.
 */
import { ulid } from "ulid";
import { ApiError, notFound } from "../../../errors.ts";
import { CONTENT, RETRY, SLICE } from "../../../limits.ts";
import { retryUntilWritten } from "../../storage/database/retry.ts";
import { isUniqueViolation, type Database } from "../../storage/database/database.ts";
import type { ModelRow } from "../../storage/spaces/entries.ts";
import { modelEvent } from "../../storage/events/model-events.ts";
import { publishSlice } from "../../storage/models/switch-drafts.ts";
import {
  readModelChange,
  startModelChange,
  type ModelChangeRow,
} from "../../storage/models/background-changes.ts";
import { areUniquesLeft, removeDueFieldRows } from "../../storage/models/removed-fields.ts";
import { indexBatch, indexLacking, reserveFields, updateModel } from "../../storage/models/change-fields.ts";
import { readModel } from "../../storage/models/models.ts";
import { rebuildSlice } from "../../storage/search/search-rebuilds.ts";
import type { KeptField } from "../../../content/model/kept-field.ts";
import type { StoredField } from "../../../content/field-types/fields.ts";
import type { Field } from "../../../content/field-types/registry.ts";
import { numbered, type ChangeRequest } from "./1-compare-fields.ts";
import type { ChangeConflict } from "./conflicts.ts";
import { writeComponentChange } from "./change-component.ts";
import { recordHolders } from "./component-records.ts";
import { optionsAfter } from "../model-options.ts";
import {
  changedFields,
  isUnchanged,
  planModelChange,
  storedFields,
  type ModelWriting,
  type PlannedChange,
  type StoredRequest,
} from "./3-plan-change.ts";
import type { Model } from "../../../content/model/model.ts";

/** Gives new fields their numbers and writes their index rows. */
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
    details: conflicts.map(({ path, message, loss }) => ({ path, message, ...(loss && { loss }) })),
  });
}

/**
 * Indexes the words of changed searchable fields, for as many records as a request has time for. The sweep does the
 * rest.
 */
async function beginRebuild(db: Database, modelId: number): Promise<void> {
  for (let slice = 0; slice < CONTENT.searchRequestSlices; slice++) {
    if ((await rebuildSlice(db, CONTENT.searchSliceRecords, modelId)) === "none") return;
  }
}

/** Models that hold a changed component and whose words a request begins to index. The sweep does the others. */
const REBUILT_HOLDERS = 3;

/** Publishes the records, before drafts are switched on. The batch of the switch publishes what changed meanwhile. */
async function prepareDrafts(db: Database, model: Model, now: number): Promise<void> {
  let end: string | null = "";
  while (end !== null) end = await publishSlice(db, model, end, now);
}

/**
 * Returns a field whose index rows stay the same because its values fit, and whose unique values are already written.
 */
const prepared = (field: KeptField): KeptField => ({
  ...field,
  mustReindex: false,
  uniqueness: field.uniqueness === "added" ? "stays" : field.uniqueness,
});

/** A change that was worked on in the background, whose unique values and published contents are there already. */
interface WorkedOn {
  change: ModelChangeRow;
  /** The new fields whose index rows are there already. */
  reserved: StoredField[];
}

/** Writes a planned change. Null if something that the plan depends on changed meanwhile. */
export async function writeModelChange(
  writing: ModelWriting,
  planned: PlannedChange,
  workedOn: WorkedOn | null = null,
): Promise<ModelRow | null> {
  const { db, space, now, origin } = writing;
  if (planned.row.typeModel === "components")
    return writeComponent(writing, planned, workedOn?.change ?? null);
  if (planned.options.drafts && !planned.row.drafts && !workedOn) await prepareDrafts(db, planned.model, now);
  const { row, model, change, fingerprint } = planned;
  const isReserved = workedOn !== null && workedOn.reserved.length === change.added.length;
  const added = isReserved ? workedOn.reserved : await prepareAdded(db, model, change.added, now);
  while (await indexLacking(db, model, added));
  const fields = storedFields(planned, added);
  const options = optionsAfter(row, planned.options, fields);
  const kept = workedOn ? change.kept.map(prepared) : change.kept;
  const inBackground = workedOn?.change ?? null;
  const { held, records } = planned;
  const update = {
    ...change,
    kept,
    model: row,
    fields,
    held,
    options,
    added,
    fingerprint,
    records,
    now,
    inBackground,
    origin,
    facts: { version: row.version + 1, ...changedFields(change) },
  };
  const changed = await updateModel(db, update).catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error;
    const message = "A field cannot become unique: some records have the same value. Change those first.";
    throw new ApiError("CONFLICT", message, { cause: error });
  });
  if (!changed) return null;
  await beginRebuild(db, model.id);
  return readModel(db, space.id, row.typeModel, row.name);
}

/** Writes a change of a component, and begins to index the words of the records that hold it. */
async function writeComponent(
  writing: ModelWriting,
  planned: PlannedChange,
  inBackground: ModelChangeRow | null,
): Promise<ModelRow | null> {
  const changed = await writeComponentChange(writing, planned, inBackground);
  const holders = planned.holders.filter(({ typeModel }) => typeModel !== "components");
  if (changed) for (const { id } of holders.slice(0, REBUILT_HOLDERS)) await beginRebuild(writing.db, id);
  return changed;
}

/**
 * Replaces a model's fields, matched by name. Values of a removed field disappear from all answers at once, and cannot
 * be restored.
 * @throws ApiError VALIDATION_FAILED; PRECONDITION_FAILED; NOT_FOUND; CONFLICT when a value of some record would not
 * fit or would be lost, or while another change is made in the background
 * @returns the changed model; or the change, if it is made in the background because of the number of records
 */
export async function changeModel(
  writing: ModelWriting,
  first: ModelRow,
  asked: ChangeRequest,
): Promise<ModelRow | ModelChangeRow> {
  const { drafts, ...options } = asked.options;
  const isSwitched = drafts !== undefined && drafts !== first.drafts && first.typeModel !== "components";
  if (!isSwitched) return change(writing, first, asked);
  // Two steps, each of which is complete. The conflicts of both are found before the first.
  refuse((await planModelChange(writing, first, asked)).conflicts);
  const changed = await change(writing, first, { ...asked, options });
  // A change in the background was refused above, unless the number of records has grown past the limit since.
  if ("asked" in changed) return changed;
  const switched = { fields: asked.fields, drop: [], rename: new Map(), options: { drafts }, faults: [] };
  return change({ ...writing, versions: new Set([changed.version]) }, changed, switched);
}

/** @throws ApiError CONFLICT */
async function checkNothingInWork(
  { db, now }: ModelWriting,
  { id }: ModelRow,
  { kept }: PlannedChange["change"],
): Promise<void> {
  const known = await readModelChange(db, id);
  if (known?.state === "working") {
    throw new ApiError("CONFLICT", "A change of this model is being worked on. Wait for it, or withdraw it.");
  }
  const uniques = kept.flatMap(({ after, uniqueness }) => (uniqueness === "added" ? [after.no] : []));
  const areLeft = async (): Promise<boolean> => uniques.length > 0 && areUniquesLeft(db, id, uniques);
  let isLeft = await areLeft();
  // Few rows are removed here, as the sweep would, so that a change back need not wait for it.
  for (let slice = 0; isLeft && slice < CONTENT.leftoverRequestSlices; slice++) {
    await removeDueFieldRows(db, now, SLICE.rows);
    isLeft = await areLeft();
  }
  if (isLeft || (known && known.leftUniques !== "[]")) {
    throw new ApiError(
      "CONFLICT",
      "What an earlier change has left is being removed. Try again in a minute.",
    );
  }
}

/** Starts a change in the background. Null if the model changed meanwhile. */
async function begin(
  { db, now, origin }: ModelWriting,
  { row, fields, options, holders, change }: PlannedChange,
  { drop, rename }: ChangeRequest,
): Promise<ModelChangeRow | null> {
  const text = JSON.stringify({ fields, drop, rename: [...rename], options, origin } satisfies StoredRequest);
  const started = { id: ulid(now), asked: text, now, holders: recordHolders(holders).map(({ id }) => id) };
  const event = modelEvent(
    row,
    "scheduled",
    { origin, now },
    { version: row.version, ...changedFields(change) },
  );
  const isStarted = await startModelChange(db, row, { ...started, event });
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
      await checkNothingInWork(writing, row, planned.change);
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
