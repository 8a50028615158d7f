/** Reads the events and versions of a record, and restores a version (RULES 3.13). */
import { notFound } from "../../../errors.ts";
import type { Json } from "../../../content/field-types/field-type.ts";
import type { StoredField } from "../../../content/field-types/fields.ts";
import { withoutGone } from "../../../content/field-types/nested/prune.ts";
import { shownValue } from "../../../content/field-types/nested/show.ts";
import { valuesOf, type Model, type Values } from "../../../content/model/model.ts";
import type { RecordRow } from "../../storage/spaces/entries.ts";
import {
  readSidesOfVersion,
  readVersion,
  type HistoryEntry,
  type KeptVersion,
} from "../../storage/history/history.ts";
import type { RecordFacts } from "../../storage/events/record-events.ts";
import { actorColumn, type ActorKind } from "../../storage/events/actor.ts";
import { checkLocales } from "../../spaces/gate.ts";
import { seesTargets } from "../../storage/spaces/scopes.ts";
import { missingTargets, targetName } from "../../storage/records/reference-targets.ts";
import { factsOf } from "../facts.ts";
import { recordView, type RecordView } from "./record-object.ts";
import { referencesIn, targetOf } from "../write/references-in.ts";
import { changeTo, current, written, type WriteContext, type Written } from "../write/write.ts";
import { ALL } from "../../../content/locales/codes.ts";
import { codesOfNumbers, numberOfCode } from "../../../content/locales/locales.ts";
import {
  baseOf,
  inLocale,
  isAll,
  isLocalized,
  scopeOf,
  valuesByCode,
} from "../../../content/model/localized-model.ts";
import { joined } from "../../storage/locales/sides.ts";
import { askedNumbers } from "../write/publish-locales.ts";
import { withSides } from "./locale-scope.ts";

/** Returns the kind of an event's actor. Events from before there were others are of keys. */
const kindOf = ({ actorKind }: HistoryEntry): ActorKind => actorKind ?? "key";
const isKey = (entry: HistoryEntry): boolean => kindOf(entry) === "key";

/** Returns the changes of an event, with the locales that the caller may see. */
function factsSeen(model: Model, changed: string): RecordFacts {
  const { locales, ...facts } = factsOf(model, JSON.parse(changed) as number[]);
  const inside = model.scope?.inside ?? null;
  if (!locales) return facts;
  return { ...facts, locales: locales.filter((code) => inside === null || inside.includes(code)) };
}

export const historyView = (model: Model, entry: HistoryEntry): Record<string, unknown> => ({
  version: entry.version,
  createdAt: new Date(entry.createdAt).toISOString(),
  key: entry.keyId === null || !isKey(entry) ? null : { id: entry.keyId, name: entry.keyName },
  actor: entry.keyId === null ? null : { kind: kindOf(entry), id: entry.keyId, name: entry.keyName },
  ...factsSeen(model, entry.changed),
  event: entry.event,
});

/** Returns an earlier version of the record, in the fields that its model has now, without its publication. */
function recordThen(model: Model, record: RecordRow, kept: KeptVersion): RecordView {
  const { version, data, createdAt, keyId, keyName } = kept;
  const updatedBy =
    keyId === null ? null : actorColumn({ kind: kindOf(kept), id: keyId, name: keyName ?? "" });
  const then = { ...record, data, version, updatedAt: createdAt, updatedBy };
  return recordView({ ...model, drafts: false }, then);
}

async function keptVersion(context: WriteContext, record: RecordRow, version: number): Promise<KeptVersion> {
  const kept = await readVersion(context.db, record.seq, version);
  if (!kept) throw notFound("The version");
  if (record.locales === null) return kept;
  return { ...kept, data: joined(kept.data, await readSidesOfVersion(context.db, record.seq, version)) };
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

/** A function that returns a stored value as a body has it. */
type InBody = (field: StoredField, value: Json) => unknown;

/**
 * Looks the targets of the values up, and returns a function that leaves out references to those that are gone, or that
 * are outside the caller's scopes and not among the names that the record has now (`held`).
 */
async function withoutMissing(
  context: WriteContext,
  model: Model,
  { values, held }: { values: Values; held: ReadonlySet<string> },
): Promise<InBody> {
  const named = referencesIn(model, values);
  const gone = await missingTargets(context.db, context.spaceId, named);
  return (field, value) =>
    withoutGone(field, value, (reference) => {
      const name = targetName(targetOf(reference));
      const isOutside = !seesTargets(context.scopes, reference.collection) && !held.has(name);
      return isOutside || gone.has(name);
    });
}

export interface RestoreOptions {
  /** The versions that the record may have; null for any. */
  versions: ReadonlySet<number> | null;
  /** Whether references to removed targets are left out instead of refused. */
  dropMissing: boolean;
  /** The codes of the locales whose values alone are restored; undefined for all content. */
  locales: readonly string[] | undefined;
}

/** Returns the body that makes the values of a version the content again, in all locales or in those of the codes. */
function bodyOfVersion(model: Model, values: Values, inBody: InBody, locales: readonly number[] | null) {
  const { scope } = model;
  const entries = model.fields.flatMap((field): [string, unknown][] => {
    if (!scope || !isAll(scope) || !isLocalized(field)) {
      return locales === null ? [[field.name, inBody(field, values.get(field.no) ?? null)]] : [];
    }
    const wanted = valuesByCode(model, scope, field, values).filter(
      ({ code }) => locales === null || locales.includes(numberOfCode(scope.locales, code) ?? -1),
    );
    return [[field.name, Object.fromEntries(wanted.map(({ code, value }) => [code, inBody(field, value)]))]];
  });
  return Object.fromEntries(entries);
}

/**
 * Makes an earlier version the content again, as a new version. Its values are checked against the present model.
 * @throws ApiError NOT_FOUND, FORBIDDEN, VALIDATION_FAILED (it does not fit any more), PRECONDITION_FAILED, CONFLICT
 */
export async function restoreVersion(
  context: WriteContext,
  target: HistoryTarget,
  version: number,
  { versions, dropMissing, locales }: RestoreOptions,
): Promise<Written> {
  const { data } = await keptVersion(context, target.record, version);
  const asked = askedNumbers(target.model.scope, locales);
  const { scope } = target.model;
  if (scope && asked) checkLocales(context.scopes, codesOfNumbers(scope.locales, asked));
  // All locales are written together, whichever the answer is in.
  const now = scope
    ? inLocale(baseOf(target.model), scopeOf(scope.locales, ALL, false, scope.inside))
    : target.model;
  const [record = target.record] = await withSides(context.db, now, [target.record]);
  const whole = { ...now, fields: [...(now.stored ?? now.fields)] };
  const held = new Set(referencesIn(whole, valuesOf(now, record.data)).map(targetName));
  const inBody = dropMissing
    ? await withoutMissing(context, whole, { values: valuesOf(now, data), held })
    : shownValue;
  const bodyFor = (model: Model): Record<string, unknown> =>
    bodyOfVersion(model, valuesOf(model, data), inBody, asked);
  const done = await changeTo(context, { model: now, record }, bodyFor, { versions, event: "restored" });
  if (!scope) return done;
  const shown = await current(context, target.model, target.record.id);
  return shown.record ? written(shown.model, shown.record) : done;
}
