/** Records created and changed (RULES 3.6, 3.9): checked, then one batch; a write that meets another tries again. */
import { ApiError, notFound } from "../../errors.ts";
import { retryUntilWritten } from "../storage/retry.ts";
import { isUniqueViolation, type Database } from "../storage/database.ts";
import { readAgain, type RecordRow } from "../storage/entries.ts";
import type { Author, RecordEvent } from "../storage/record-versions.ts";
import { insertRecord, updateRecord, type NewRecord, type ReferenceKey } from "../storage/records.ts";
import { isEmptyValue, SYSTEM_FIELDS, type StoredField } from "../content-model/fields.ts";
import { modelOf, valuesOf, type Model, type Values } from "../content-model/model.ts";
import { DRAFT_FIELDS, UNPUBLISHED } from "../content-model/publication.ts";
import { checkVersion } from "./preconditions.ts";
import { recordView, type RecordView, type StoredRecord } from "./read.ts";
import { contentOf } from "./stored-content.ts";
import type { StepBudget } from "./step-budget.ts";
import { throwTaken } from "./taken-uniques.ts";
import {
  addMissing,
  changedValues,
  newReferences,
  newValues,
  versionIn,
  type Validated,
} from "./validate.ts";

export interface WriteContext {
  db: Database;
  spaceId: string;
  /** Whose change it is, for the history. */
  author: Author;
  /** What the patterns of the request may take together. */
  patterns: StepBudget;
  now(): number;
  /** The id of a new record. */
  newId(now: number): string;
  /** Of these references, the ones whose target is not there. */
  missing: (references: ReferenceKey[]) => Promise<ReferenceKey[]>;
}

export interface Written {
  model: Model;
  version: number;
  view: RecordView;
}

/** The values of a body once nothing is wrong with them. @throws ApiError VALIDATION_FAILED with every fault */
async function checked(
  context: WriteContext,
  model: Model,
  { values, strayIds, errors }: Validated,
  before: Values,
): Promise<Values> {
  const references = newReferences(model, new Map([...values, ...strayIds]), before);
  if (references.length > 0) {
    const collectionOf = (field: StoredField): string | null => (field.type === "relation" ? field.to : null);
    const keys = references.flatMap(({ field, ids }) =>
      ids.map((id): ReferenceKey => [collectionOf(field), id]),
    );
    const missing = await context.missing(keys);
    const names = new Set(missing.map(([collection, id]) => `${collection ?? ""}/${id}`));
    addMissing(errors, references, (field, id) => names.has(`${collectionOf(field) ?? ""}/${id}`));
  }
  errors.throwIfAny();
  return values;
}

export const eventOf = (
  context: WriteContext,
  event: RecordEvent["event"],
  changed: readonly StoredField[] = [],
): RecordEvent => ({
  event,
  author: context.author,
  now: context.now(),
  changed: changed.map(({ no }) => no),
});

/** The record as it is stored; null when the model changed meanwhile. @throws ApiError CONFLICT (a unique value) */
async function insert(
  context: WriteContext,
  model: Model,
  record: NewRecord,
  values: Values,
): Promise<StoredRecord | null> {
  const { id, content } = record;
  try {
    const createdAt = await insertRecord(context.db, model, record);
    return createdAt === null
      ? null
      : { id, data: content.data, version: 1, createdAt, updatedAt: createdAt, ...UNPUBLISHED };
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    // Of this id, it was made by a run of this very request that crashed before it could answer (RULES 1.9).
    const { record: made } = await current(context, model, id);
    return made ?? throwTaken(context.db, model, values, id, error);
  }
}

/** @throws ApiError VALIDATION_FAILED, CONFLICT (a unique value, or a page), NOT_FOUND (the model went meanwhile) */
export async function createRecord(context: WriteContext, first: Model, body: unknown): Promise<Written> {
  if (first.typeModel === "pages") {
    throw new ApiError("CONFLICT", "A page model holds exactly one record. Change it with PUT.");
  }
  let model = first;
  const id = context.newId(context.now());
  return retryUntilWritten(async () => {
    const values = await checked(context, model, newValues(model, body, context.patterns), new Map());
    const content = contentOf(model, values);
    const given = model.fields.filter((field) => !isEmptyValue(field, values.get(field.no) ?? null));
    const event = eventOf(context, "created", given);
    const stored = await insert(context, model, { id, spaceId: context.spaceId, content, event }, values);
    if (stored) return { model, version: stored.version, view: recordView(model, stored) };
    model = (await current(context, model)).model;
    return null;
  });
}

/** @throws ApiError NOT_FOUND when the model is not there any more */
export async function current(
  context: WriteContext,
  model: Model,
  id?: string,
): Promise<{ model: Model; record: RecordRow | null }> {
  const address = { typeModel: model.typeModel, model: model.name, id };
  const found = await readAgain(context.db, context.spaceId, address);
  if (!found) throw notFound("The model");
  return { model: modelOf(found.model), record: found.record };
}

const systemValues = (model: Model, record: RecordRow): ReadonlyMap<string, unknown> =>
  new Map(Object.entries(recordView(model, record, new Set([...SYSTEM_FIELDS, ...DRAFT_FIELDS]))));

/**
 * Changes the fields that the body names, clears those given as null, leaves the others. Without If-Match and
 * without a version in the body, a write that meets another one is merged into what that one left: neither is lost.
 * @throws ApiError VALIDATION_FAILED, PRECONDITION_FAILED, CONFLICT, NOT_FOUND (gone meanwhile)
 */
export async function changeRecord(
  context: WriteContext,
  entry: { model: Model; record: RecordRow },
  body: unknown,
  versions: ReadonlySet<number> | null,
): Promise<Written> {
  const made = versionIn(body);
  const asMade = made === undefined ? versions : new Set([made].filter((n) => versions?.has(n) ?? true));
  return changeTo(context, entry, () => body, { versions: asMade, event: "updated" });
}

export interface ChangeOptions {
  /** Versions that it may be made from; null for any. */
  versions: ReadonlySet<number> | null;
  event: RecordEvent["event"];
}

/** As `changeRecord`, to what `bodyFor` says of the model, which may change meanwhile. */
export async function changeTo(
  context: WriteContext,
  entry: { model: Model; record: RecordRow },
  bodyFor: (model: Model) => unknown,
  { versions, event }: ChangeOptions,
): Promise<Written> {
  let { model, record } = entry;
  return retryUntilWritten(async () => {
    checkVersion(record, versions);
    const before = valuesOf(model, record.data);
    const validated = changedValues(model, bodyFor(model), systemValues(model, record), context.patterns);
    const values = await checked(context, model, validated, before);
    const written = await writeValues(context, { model, record }, { before, values, event });
    if (written) return written;
    const found = await current(context, model, record.id);
    if (!found.record) throw notFound("The record");
    model = found.model;
    record = found.record;
    return null;
  });
}

/** Null when another write came first. What changes nothing is not written: version and time stay. */
async function writeValues(
  context: WriteContext,
  { model, record }: { model: Model; record: RecordRow },
  { before, values, event }: { before: Values; values: Values; event: RecordEvent["event"] },
): Promise<Written | null> {
  const changed = model.fields.filter(
    ({ no }) => values.has(no) && JSON.stringify(values.get(no)) !== JSON.stringify(before.get(no)),
  );
  if (changed.length === 0) return { model, version: record.version, view: recordView(model, record) };
  const after = new Map([...before, ...values]);
  const content = contentOf(model, after);
  const { id } = record;
  const change = { id, version: record.version, content, event: eventOf(context, event, changed), changed };
  const updatedAt = await updateRecord(context.db, model, change).catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error;
    return throwTaken(context.db, model, after, record.id, error);
  });
  if (updatedAt === null) return null;
  const version = record.version + 1;
  return { model, version, view: recordView(model, { ...record, data: content.data, version, updatedAt }) };
}
