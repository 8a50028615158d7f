/** What a record was before (RULES 3.13): its events and versions read, and a version made its content again. */
import { notFound } from "../../../errors.ts";
import { isReference, type Json, type StoredField } from "../../../content/field-types/fields.ts";
import { valuesOf, type Model, type Values } from "../../../content/model/model.ts";
import type { RecordRow } from "../../storage/spaces/entries.ts";
import { readVersion, type HistoryEntry, type KeptVersion } from "../../storage/history/history.ts";
import { missingTargets, targetName } from "../../storage/records/reference-targets.ts";
import { recordView, type RecordView } from "./record-object.ts";
import { referencesIn, referenceTo } from "../write/references-in.ts";
import { changeTo, type WriteContext, type Written } from "../write/write.ts";

/** Fields that the model does not have any more are left out. */
function changedNames(model: Model, changed: string): string[] {
  const numbers = new Set(JSON.parse(changed) as number[]);
  return model.fields.filter(({ no }) => numbers.has(no)).map(({ name }) => name);
}

export const historyView = (model: Model, entry: HistoryEntry): Record<string, unknown> => ({
  version: entry.version,
  createdAt: new Date(entry.createdAt).toISOString(),
  key: entry.keyId === null ? null : { id: entry.keyId, name: entry.keyName },
  changed: changedNames(model, entry.changed),
  event: entry.event,
});

/** The record as it was, in the fields that its model has now; what it says of its publication is no part of it. */
function recordThen(model: Model, record: RecordRow, { version, data, createdAt }: KeptVersion): RecordView {
  const then = { ...record, data, version, updatedAt: createdAt };
  return recordView({ ...model, drafts: false }, then);
}

async function keptVersion(context: WriteContext, record: RecordRow, version: number): Promise<KeptVersion> {
  const kept = await readVersion(context.db, record.seq, version);
  if (!kept) throw notFound("The version");
  return kept;
}

export interface HistoryTarget {
  model: Model;
  record: RecordRow;
}

/** @throws ApiError NOT_FOUND for a version that is not kept */
export async function versionView(
  context: WriteContext,
  { model, record }: HistoryTarget,
  version: number,
): Promise<Record<string, unknown>> {
  const kept = await keptVersion(context, record, version);
  return { ...historyView(model, kept), record: recordThen(model, record, kept) };
}

/** A function that leaves out the ids of records and media that are not there. */
type Pruned = (field: StoredField, value: Json) => Json;

const wholly: Pruned = (_field, value) => value;

/** Looks up what the values refer to, and returns how to leave out what is gone. */
async function withoutMissing(context: WriteContext, model: Model, values: Values): Promise<Pruned> {
  const named = referencesIn(model, values);
  const gone = await missingTargets(context.db, context.spaceId, named);
  return (field, value) => {
    if (!isReference(field) || value === null) return value;
    const ids = [value].flat() as string[];
    const there = ids.filter((id) => !gone.has(targetName(referenceTo(field, id))));
    return Array.isArray(value) ? there : (there[0] ?? null);
  };
}

export interface RestoreOptions {
  /** Versions that the record may have; null for any. */
  versions: ReadonlySet<number> | null;
  /** Whether references to what is gone are left out, instead of refused. */
  dropMissing: boolean;
}

/**
 * Makes a version the content again, as a new version. What it holds is checked against the model as it is now.
 * @throws ApiError NOT_FOUND, VALIDATION_FAILED (it does not fit any more), PRECONDITION_FAILED, CONFLICT
 */
export async function restoreVersion(
  context: WriteContext,
  target: HistoryTarget,
  version: number,
  { versions, dropMissing }: RestoreOptions,
): Promise<Written> {
  const { data } = await keptVersion(context, target.record, version);
  const { model: now } = target;
  const pruned = dropMissing ? await withoutMissing(context, now, valuesOf(now, data)) : wholly;
  const bodyFor = (model: Model): Record<string, unknown> => {
    const values = valuesOf(model, data);
    const entries = model.fields.map((field) => [field.name, pruned(field, values.get(field.no) ?? null)]);
    return Object.fromEntries(entries) as Record<string, unknown>;
  };
  return changeTo(context, target, bodyFor, { versions, event: "restored" });
}
