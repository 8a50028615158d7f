/** Records as clients see them (RULES 3.5): `{id, ...fields, createdAt, updatedAt, version}`. */
import type { Json } from "../../../content/field-types/field-type.ts";
import type { StoredField } from "../../../content/field-types/fields.ts";
import { ACTOR_FIELDS } from "../../../content/field-types/base.ts";
import { actorIn } from "../../storage/events/actor.ts";
import { isAll, isLocalized, valueInScope, valuesByCode } from "../../../content/model/localized-model.ts";
import { shownValue } from "../../../content/field-types/nested/show.ts";
import { valuesOf, type Model, type Values } from "../../../content/model/model.ts";
import { publicationView, type Publication } from "../../../content/model/publication.ts";
import { publicationIn, statusesOf } from "./locale-state.ts";
import type { Selection } from "./selection.ts";

export interface StoredRecord extends Publication {
  id: string;
  /** The values by field number: those of the record's own row, and of each locale that was read with it. */
  data: string;
  version: number;
  createdAt: number;
  updatedAt: number;
  /** The actors (src/edge/storage/events/actor.ts); null in older rows. Absent where answers do not name them. */
  createdBy?: string | null | undefined;
  updatedBy?: string | null | undefined;
  /** The editions of the record, as JSON (src/content/model/editions.ts). */
  locales?: string | null | undefined;
}

/** A record's JSON object. Built by assignment of looked-up names, of which `__proto__` can be none. */
export type RecordView = Record<string, unknown>;

/** Returns the value that an answer shows for a stored one. */
export type ValueView = (field: StoredField, value: Json) => unknown;

export function recordView(
  model: Model,
  record: StoredRecord,
  selection: Selection = null,
  valueOf: ValueView = shownValue,
): RecordView {
  return viewOfValues(model, record, valuesOf(model, record.data), selection, valueOf);
}

/** Returns a field's value in each locale, by code. */
function byLocale(
  model: Model,
  field: StoredField,
  values: Values,
  valueOf: ValueView,
): Record<string, unknown> {
  const { scope } = model;
  if (!scope) return {};
  const all = valuesByCode(model, scope, field, values);
  return Object.fromEntries(all.map(({ code, value }) => [code, valueOf(field, value)]));
}

/** Adds the fields of the model to a view. @returns the codes of borrowed values by the names of their fields */
function addFields(
  view: RecordView,
  { model, values, wanted }: { model: Model; values: Values; wanted: (name: string) => boolean },
  valueOf: ValueView,
): Record<string, string> {
  const borrowed: Record<string, string> = {};
  const isWhole = model.scope !== undefined && isAll(model.scope);
  for (const field of model.fields) {
    const { name } = field;
    if (!wanted(name)) continue;
    if (isWhole && isLocalized(field)) {
      view[name] = byLocale(model, field, values, valueOf);
      continue;
    }
    const { value, from } = valueInScope(model, field, values);
    view[name] = valueOf(field, value);
    if (from !== null) borrowed[name] = from;
  }
  return borrowed;
}

/** Adds the actors of a record to a view. A field of the model with the same name comes first. */
function addActors(
  view: RecordView,
  { byName }: Model,
  record: Omit<StoredRecord, "data">,
  wanted: (name: string) => boolean,
): void {
  for (const name of ACTOR_FIELDS)
    if (wanted(name) && !byName.has(name)) view[name] = actorIn(record[name] ?? null);
}

export function viewOfValues(
  model: Model,
  record: Omit<StoredRecord, "data">,
  values: Values,
  selection: Selection = null,
  valueOf: ValueView = shownValue,
): RecordView {
  const wanted = (name: string): boolean => selection === null || selection.has(name);
  const view: RecordView = { id: record.id };
  const borrowed = addFields(view, { model, values, wanted }, valueOf);
  const { scope } = model;
  if (wanted("createdAt")) view["createdAt"] = new Date(record.createdAt).toISOString();
  if (wanted("updatedAt")) view["updatedAt"] = new Date(record.updatedAt).toISOString();
  if (model.showsActors) addActors(view, model, record, wanted);
  if (wanted("version")) view["version"] = record.version;
  if (scope && wanted("locale")) view["locale"] = scope.code;
  if (scope?.isFilled) view["fallbacks"] = borrowed;
  if (!model.drafts) return view;
  if (scope && wanted("statuses")) view["statuses"] = statusesOf(model, scope, record);
  for (const [name, value] of Object.entries(publicationView(publicationIn(model, record)))) {
    if (wanted(name) && !model.byName.has(name)) view[name] = value;
  }
  return view;
}
