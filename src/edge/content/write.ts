/** Records made and changed (completion §3): check against the model, then one batch; meet another writer, try again. */
import { ulid } from "ulid";
import { ApiError, notFound } from "../../errors.ts";
import { CONTENT } from "../../limits.ts";
import { isUniqueViolation } from "../spaces/spaces.ts";
import type { Database } from "../storage/database.ts";
import { readAgain, type RecordRow } from "../storage/entries.ts";
import {
  insertRecord,
  missingReferences,
  takenUniques,
  updateRecord,
  type ReferenceKey,
} from "../storage/records.ts";
import { isUnique, type StoredField } from "../content-model/fields.ts";
import { modelOf, valuesOf, type Model, type Values } from "../content-model/model.ts";
import { recordView, type RecordView } from "./read.ts";
import {
  changedValues,
  checkReferences,
  dataOf,
  newReferences,
  newValues,
  sizeOf,
  type ReferencesToCheck,
} from "./validate.ts";

export interface Place {
  db: Database;
  spaceId: string;
  now(): number;
}

export interface Written {
  model: Model;
  version: number;
  view: RecordView;
}

/** Names only what other writers could have changed meanwhile. */
export const metOthers = (): ApiError =>
  new ApiError("CONFLICT", "Others kept changing this at the same time. Read it again and retry.");

async function checkTargets(place: Place, references: ReferencesToCheck[]): Promise<void> {
  if (references.length === 0) return;
  const collectionOf = (field: StoredField): string | null => (field.type === "relation" ? field.to : null);
  const keys = references.flatMap(({ field, ids }) =>
    ids.map((id): ReferenceKey => [collectionOf(field), id]),
  );
  const missing = await missingReferences(place.db, place.spaceId, keys);
  const set = new Set(missing.map(([collection, id]) => `${collection ?? ""}/${id}`));
  checkReferences(references, (field, id) => set.has(`${collectionOf(field) ?? ""}/${id}`));
}

/** Tells which unique values were taken. @throws ApiError CONFLICT */
export async function throwTaken(
  db: Database,
  model: Model,
  values: Values,
  id: string,
  cause: unknown,
): Promise<never> {
  const unique = model.fields.filter(isUnique);
  const asked = unique.flatMap(({ no }): [number, unknown][] => {
    const value = values.get(no) ?? null;
    return value === null ? [] : [[no, value]];
  });
  const taken = await takenUniques(db, model.id, asked, id);
  const fields = unique.filter(({ no }) => taken.has(no));
  const details = fields.map(({ name }) => ({
    path: name,
    message: "must be unique; another record has this value",
  }));
  const names = fields.map(({ name }) => `"${name}"`).join(", ") || "a unique field";
  throw new ApiError("CONFLICT", `Another record has the same value of ${names}.`, { details, cause });
}

/** @throws ApiError VALIDATION_FAILED, CONFLICT (a unique value, or a page), NOT_FOUND (the model went meanwhile) */
export async function createRecord(place: Place, first: Model, body: unknown): Promise<Written> {
  if (first.typeModel === "pages") {
    throw new ApiError("CONFLICT", "A page model holds exactly one record. Change it with PUT.");
  }
  let model = first;
  for (let tries = 0; tries < CONTENT.mergeTriesMax; tries++) {
    const values = newValues(model, body);
    await checkTargets(place, newReferences(model, values, new Map()));
    const data = dataOf(values);
    const sizeBytes = sizeOf(data);
    const now = place.now();
    const id = ulid(now);
    const createdAt = await insertRecord(place.db, model, {
      id,
      spaceId: place.spaceId,
      data,
      sizeBytes,
      now,
    }).catch((error: unknown) => {
      if (!isUniqueViolation(error)) throw error;
      return throwTaken(place.db, model, values, id, error);
    });
    if (createdAt !== null) {
      const view = recordView(model, { id, data, version: 1, createdAt, updatedAt: createdAt });
      return { model, version: 1, view };
    }
    model = (await current(place, model)).model;
  }
  throw metOthers();
}

/** @throws ApiError NOT_FOUND when the model is not there any more */
export async function current(
  place: Place,
  model: Model,
  id?: string,
): Promise<{ model: Model; record: RecordRow | null }> {
  const found = await readAgain(place.db, place.spaceId, {
    typeModel: model.typeModel,
    model: model.name,
    id,
  });
  if (!found) throw notFound("The model");
  return { model: modelOf(found.model), record: found.record };
}

/** @throws ApiError PRECONDITION_FAILED when `versions` (of If-Match) do not take the record's */
export function checkVersion(record: { version: number }, versions: ReadonlySet<number> | null): void {
  if (versions === null || versions.has(record.version)) return;
  throw new ApiError(
    "PRECONDITION_FAILED",
    `The record is at version ${record.version} now. Read it again, then send its ETag in If-Match.`,
  );
}

const systemFields = (model: Model, record: RecordRow): ReadonlyMap<string, unknown> =>
  new Map(Object.entries(recordView(model, record, new Set(["id", "createdAt", "updatedAt", "version"]))));

/**
 * Changes the fields that the body names, clears those given as null, leaves the others. Without If-Match a write
 * that meets another one is merged into what that one left: neither is lost.
 * @throws ApiError VALIDATION_FAILED, PRECONDITION_FAILED, CONFLICT, NOT_FOUND (gone meanwhile)
 */
export async function changeRecord(
  place: Place,
  entry: { model: Model; record: RecordRow },
  body: unknown,
  versions: ReadonlySet<number> | null,
): Promise<Written> {
  let { model, record } = entry;
  for (let tries = 0; tries < CONTENT.mergeTriesMax; tries++) {
    checkVersion(record, versions);
    const before = valuesOf(model, record.data);
    const values = changedValues(model, body, systemFields(model, record));
    await checkTargets(place, newReferences(model, values, before));
    const written = await writeValues(place, model, record, before, values);
    if (written) return written;
    const found = await current(place, model, record.id);
    if (!found.record) throw notFound("The record");
    model = found.model;
    record = found.record;
  }
  throw metOthers();
}

/** Null when another write came first. */
async function writeValues(
  place: Place,
  model: Model,
  record: RecordRow,
  before: Values,
  values: Values,
): Promise<Written | null> {
  const after = new Map([...before, ...values]);
  const data = dataOf(after);
  const isChanged = ({ no }: StoredField): boolean =>
    values.has(no) && JSON.stringify(values.get(no)) !== JSON.stringify(before.get(no));
  const change = {
    id: record.id,
    version: record.version,
    data,
    sizeBytes: sizeOf(data),
    now: place.now(),
    changed: model.fields.filter(isChanged),
  };
  const updatedAt = await updateRecord(place.db, model, change).catch((error: unknown) => {
    if (!isUniqueViolation(error)) throw error;
    return throwTaken(place.db, model, after, record.id, error);
  });
  if (updatedAt === null) return null;
  const version = record.version + 1;
  return { model, version, view: recordView(model, { ...record, data, version, updatedAt }) };
}
