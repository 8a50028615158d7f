/**
 * The places of a record's values in its form. A field that differs by language has one for each language of the space,
 * so that values, changes, conflicts and faults of a language are those of a field of its own. Pure.
 */
import { labelOf, type Field, type Model } from "./models.ts";
import type { Locale } from "./space.ts";
import { languageName } from "../lib/languages.ts";
import type { RecordView } from "./records.ts";

export interface Slot {
  /** The name of the field, or `title@de`. */
  key: string;
  field: Field;
  /** The code of the language; null for a value that all languages share. */
  locale: string | null;
}

export const slotKey = (name: string, locale: string | null): string =>
  locale === null ? name : `${name}@${locale}`;

/** Returns a field as it is in a language: only the first one has defaults, and what is required in it. */
function fieldIn(field: Field, locale: Locale, locales: readonly Locale[]): Field {
  if (locale === locales[0]) return field;
  return { ...field, default: undefined, required: field.requiredIn === "all" };
}

/** Returns the places of one field. */
export const slotsOfField = (field: Field, locales: readonly Locale[]): Slot[] =>
  field.localized && locales.length > 0
    ? locales.map((locale) => ({
        key: slotKey(field.name, locale.code),
        field: fieldIn(field, locale, locales),
        locale: locale.code,
      }))
    : [{ key: field.name, field, locale: null }];

export const slotsOf = ({ fields }: Pick<Model, "fields">, locales: readonly Locale[]): Slot[] =>
  fields.flatMap((field) => slotsOfField(field, locales));

const isByCode = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns the value at a place of a record whose localized fields are objects by code. */
export function storedAt({ field, locale }: Slot, record: RecordView): unknown {
  const stored = record[field.name];
  if (locale === null) return stored;
  return isByCode(stored) ? (stored[locale] ?? null) : null;
}

/** Returns the words for a place: the label of its field, with its language. */
export const slotLabel = ({ field, locale }: Slot): string =>
  locale === null ? labelOf(field) : `${labelOf(field)} (${languageName(locale)})`;

/** Returns the key under which the faults of a path stand: `title.de.2` and `title@de.2` are at `title@de`, `2`. */
export function slotPath(path: string, locales: readonly Locale[], localized: ReadonlySet<string>): string {
  const [, name = "", rest = ""] = /^([^.@]+)(.*)$/.exec(path) ?? [];
  if (locales.length === 0 || !localized.has(name)) return path;
  const [, code, inner = ""] = /^[.@]([^.]+)(.*)$/.exec(rest) ?? [];
  const known = locales.find((one) => one.code.toLowerCase() === code?.toLowerCase());
  // Faults of the whole field are shown at the default language.
  return known ? `${slotKey(name, known.code)}${inner}` : `${slotKey(name, locales[0]?.code ?? null)}${rest}`;
}
