/**
 * The address of the page that previews a record: a template with names in braces. A stored template has the numbers of
 * fields in place of their names, so that it holds when a field is renamed. Pure.
 */
import type { StoredField } from "../field-types/fields.ts";
import type { Field } from "../field-types/registry.ts";

/** The names that every template may use, beside those of string fields. A field of the same name is hidden. */
export const PREVIEW_NAMES = ["id", "model", "locale", "token"] as const;

/** The origin of a template, which no value of a record can change. */
const ORIGIN = /^(?:https:\/\/[^/?#\\@{}\s]+|http:\/\/localhost:\d{1,5})\//;
const PLACE = /\{([^{}]*)\}/g;
const BRACE = /[{}]/;
const SPACE = /\s/;
const NUMBER = /^#\d+$/;

const isCommon = (name: string): boolean => (PREVIEW_NAMES as readonly string[]).includes(name);
const fits = (field: Field): boolean => field.type === "string";
const namesIn = (template: string): string[] => [...template.matchAll(PLACE)].map(([, name = ""]) => name);

/** Returns the fault of a template for a model with these fields; null for a template without one. */
export function previewUrlFault(template: string, fields: readonly Field[]): string | null {
  const origin = ORIGIN.exec(template)?.[0];
  if (origin === undefined || !URL.canParse(origin))
    return (
      "must begin with a literal https://host/ or http://localhost:PORT/; " +
      "names in braces can stand only after that"
    );
  if (SPACE.test(template)) return "must not contain spaces; write %20";
  if (BRACE.test(template.replaceAll(PLACE, ""))) return "has a brace without its partner";
  const known = new Set(fields.filter(fits).map(({ name }) => name));
  const unknown = namesIn(template).filter((name) => !isCommon(name) && !known.has(name));
  if (unknown.length === 0) return null;
  const given = [...new Set(unknown)].map((name) => `{${name}}`).join(", ");
  return `names ${given}; use {${PREVIEW_NAMES.join("}, {")}} or a field of the type string`;
}

/** Replaces the names of fields by their numbers. The name of a field that has no number yet stays. */
export function storedPreviewUrl(template: string, fields: readonly StoredField[]): string {
  const numbers = new Map(fields.filter(fits).map(({ name, no }) => [name, no]));
  return template.replaceAll(PLACE, (place, name: string) => {
    const no = isCommon(name) ? undefined : numbers.get(name);
    return no === undefined ? place : `{#${no}}`;
  });
}

/** Returns a stored template with the names of fields; null if it names a field that is gone or holds no string. */
export function shownPreviewUrl(stored: string, fields: readonly StoredField[]): string | null {
  const names = new Map(fields.filter(fits).map(({ name, no }) => [`#${no}`, name]));
  if (namesIn(stored).some((name) => NUMBER.test(name) && !names.has(name))) return null;
  return stored.replaceAll(PLACE, (place, name: string) => {
    const found = names.get(name);
    return found === undefined ? place : `{${found}}`;
  });
}
