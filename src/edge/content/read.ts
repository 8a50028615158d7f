/** Records as clients see them (completion §3): `{id, ...fields, createdAt, updatedAt, version}`. */
import type { Json } from "../content-model/fields.ts";
import { valuesOf, type Model, type Values } from "../content-model/model.ts";
import type { Selection } from "./selection.ts";

export interface StoredRecord {
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
  return view;
}

/** An ETag names the record's version first, so that it can come back in If-Match, then the model's. */
export const etagOf = (record: { version: number }, model: Model, digest?: string): string =>
  `"${record.version}-${model.version}${digest === undefined ? "" : `-${digest}`}"`;

const ENTITY_TAG = /^(?:W\/)?"(\d{1,15})(?:-[^"]*)?"$/;

/**
 * The versions that an If-Match header takes; null for any. A weak tag counts as its strong one: proxies that
 * compress weaken tags on the way. What is no tag of ours matches nothing.
 */
export function versionsOfIfMatch(header: string | undefined): ReadonlySet<number> | null {
  if (header === undefined || header.trim() === "*") return null;
  const versions = header.split(",").map((tag) => ENTITY_TAG.exec(tag.trim())?.[1]);
  return new Set(versions.filter((version) => version !== undefined).map(Number));
}

/** Whether an If-None-Match header names this tag (RFC 9110 §13.1.2: weak comparison). */
export function noneMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined) return true;
  if (header.trim() === "*") return false;
  return !header.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag);
}
