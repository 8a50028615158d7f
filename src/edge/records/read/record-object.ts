/** Records as clients see them (RULES 3.5): `{id, ...fields, createdAt, updatedAt, version}`. */
import type { Json } from "../../../content/field-types/fields.ts";
import { valuesOf, type Model, type Values } from "../../../content/model/model.ts";
import { publicationView, type Publication } from "../../../content/model/publication.ts";
import type { Selection } from "./selection.ts";

export interface StoredRecord extends Publication {
  id: string;
  data: string;
  version: number;
  createdAt: number;
  updatedAt: number;
}

/** A record's JSON object. Built by assignment of looked-up names, of which `__proto__` can be none. */
export type RecordView = Record<string, unknown>;

export function recordView(
  model: Model,
  record: StoredRecord,
  selection: Selection = null,
  valueOf: (name: string, value: Json) => unknown = (_name, value) => value,
): RecordView {
  return viewOfValues(model, record, valuesOf(model, record.data), selection, valueOf);
}

export function viewOfValues(
  model: Model,
  record: Omit<StoredRecord, "data">,
  values: Values,
  selection: Selection = null,
  valueOf: (name: string, value: Json) => unknown = (_name, value) => value,
): RecordView {
  const wanted = (name: string): boolean => selection === null || selection.has(name);
  const view: RecordView = { id: record.id };
  for (const { name, no } of model.fields) {
    if (wanted(name)) view[name] = valueOf(name, values.get(no) ?? null);
  }
  if (wanted("createdAt")) view["createdAt"] = new Date(record.createdAt).toISOString();
  if (wanted("updatedAt")) view["updatedAt"] = new Date(record.updatedAt).toISOString();
  if (wanted("version")) view["version"] = record.version;
  if (!model.drafts) return view;
  for (const [name, value] of Object.entries(publicationView(record))) {
    if (wanted(name) && !model.byName.has(name)) view[name] = value;
  }
  return view;
}
