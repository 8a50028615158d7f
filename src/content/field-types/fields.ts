/** The fields of a model: what is stored of a definition, and questions that are the same for all types (RULES 3.1). */
import type { Json, WithComponents } from "./field-type.ts";
import { isIndexedAs, meaningOf, type Field, type FieldIndexedAs } from "./registry.ts";

export type StoredField = Field &
  WithComponents & {
    /** The key of its values in a record's data and in the index rows. A model never uses a number twice. */
    no: number;
    /** The value of records that are older than the field: its default when it was added. */
    absent: Json;
    /** How often it ceased to be localized; left out for never (src/content/locales/numbers.ts). */
    turn?: number | undefined;
  };

/** Returns whether the values of a field hold components, or references among other things. */
export const isNested = (field: Field): boolean => meaningOf(field).nested !== null;

/** A field whose values are ids. */
export type ReferenceField = FieldIndexedAs<"record" | "media">;

export const isUnique = (field: Field): boolean => "unique" in field && field.unique === true;
export const isSearchable = (field: Field): boolean => "searchable" in field && field.searchable === true;
export const isList = (field: Field): boolean => meaningOf(field).isList(field);
export const isReference = <F extends Field>(field: F): field is F & ReferenceField =>
  isIndexedAs(field, "record", "media");

/** Returns the collection that a field of references leads to; null for media. */
export const collectionOf = (field: ReferenceField): string | null =>
  isIndexedAs(field, "record") ? field.to : null;

/** Returns the value that means "no value": an empty list, or null. */
export const emptyValue = (field: Field): Json => (isList(field) ? [] : null);
export const isEmptyValue = (field: Field, value: Json): boolean =>
  isList(field) ? Array.isArray(value) && value.length === 0 : value === null;

/**
 * Returns a value in the form that its field has now: a list of ids, a number, a text and so on. The empty value stands
 * for a value that this form cannot hold. A field that takes any JSON value holds every form.
 */
export function inPresentForm(field: Field, value: Json): Json {
  const { form, nested } = meaningOf(field);
  if (form === "any") return value;
  if (nested) return isList(field) === Array.isArray(value) ? value : emptyValue(field);
  if (isList(field)) return Array.isArray(value) ? value : typeof value === "string" ? [value] : [];
  const one = isReference(field) && Array.isArray(value) && value.length === 1 ? (value[0] ?? null) : value;
  return typeof one === form ? one : null;
}

/**
 * Returns the value of a new record. The default of a `json` field is checked before it is stored, so the cast holds.
 */
export const defaultOf = (field: Field): Json =>
  ("default" in field ? (field.default as Json | undefined) : undefined) ?? emptyValue(field);

/** Returns a field as the admin wrote it, without what is stored beside it. */
export function fieldView(stored: StoredField): Record<string, unknown> {
  const view: Record<string, unknown> = { ...stored };
  delete view["no"];
  delete view["absent"];
  delete view["turn"];
  return view;
}
