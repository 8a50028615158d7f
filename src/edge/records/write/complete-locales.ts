/** Checks that a record has the values without which its locales are not published (RULES 3.33). */
import { ValidationErrors } from "../../../content/faults/validation-errors.ts";
import type { Json } from "../../../content/field-types/field-type.ts";
import { isEmptyValue, type StoredField } from "../../../content/field-types/fields.ts";
import { joined } from "../../../content/field-types/nested/objects.ts";
import { demandsInside, lackingIn } from "../../../content/field-types/nested/references.ts";
import { codeOfNumber } from "../../../content/locales/locales.ts";
import { DEFAULT_NUMBER } from "../../../content/locales/numbers.ts";
import { baseOf, fieldIn, hasLocalized, isLocalized } from "../../../content/model/localized-model.ts";
import { valuesOf, type Model } from "../../../content/model/model.ts";
import type { Database } from "../../storage/database/database.ts";
import { readHeld, type Held } from "../../storage/locales/held.ts";

/** The columns of a record that its publication depends on. */
export interface PublishedRecord {
  seq: number;
  version: number;
  data: string;
  locales: string | null;
  publishedVersion: number | null;
  publishAt: number | null;
  unpublishAt: number | null;
}

export interface LocaleTarget {
  /** The model in a locale of its space. */
  model: Model;
  record: PublishedRecord;
  held: Held;
}

/** Returns whether a model's records are published by locale. */
export const isPublishedByLocale = (model: Model): boolean =>
  model.scope !== undefined && hasLocalized(baseOf(model));

/** Returns localized fields of a model as they are in each locale but the default. */
function inOtherLocales(model: Model, isAsked: (field: StoredField) => boolean): StoredField[] {
  const fields = baseOf(model).fields.filter((field) => isLocalized(field) && isAsked(field));
  const numbers = Object.values(model.scope?.locales.numbers ?? {});
  return fields.flatMap((field) => numbers.map((no) => fieldIn(field, no)));
}

/**
 * Reads the values in locales on which the publication of records depends.
 * @throws ApiError VALIDATION_FAILED if the contents are too large together
 */
export const heldBy = async (
  db: Database,
  model: Model,
  seqs: readonly number[],
): Promise<(seq: number) => Held> =>
  readHeld(db, isPublishedByLocale(model) ? seqs : [], {
    present: inOtherLocales(model, ({ requiredIn }) => requiredIn === "all").map(({ no }) => no),
    nested: inOtherLocales(model, demandsInside),
  });

/** Reads in which locales records hold values. A publication that is planned for later depends on nothing else. */
export const localesHeldBy = async (
  db: Database,
  model: Model,
  seqs: readonly number[],
): Promise<(seq: number) => Held> =>
  readHeld(db, isPublishedByLocale(model) ? seqs : [], { present: [], nested: [] });

/** Returns the paths of required values that a value of the record's own row lacks. */
const lackingInOwn = (field: StoredField, value: Json): string[] =>
  field.required === true && isEmptyValue(field, value)
    ? [field.name]
    : lackingIn(field, value).map((path) => joined(field.name, path));

/** A localized field in a locale, as faults name it: `title@de`. */
interface Place {
  field: StoredField;
  locale: number;
  name: string;
}

/** Returns the paths of required values that a localized field lacks in one locale. */
function lackingAt({ field, locale, name }: Place, own: Json, held: Held): string[] {
  const isDemanded = field.requiredIn === "all";
  if (locale === DEFAULT_NUMBER) {
    const lacking = lackingInOwn(field, own);
    return lacking.length === 0 && isDemanded && isEmptyValue(field, own) ? [name] : lacking;
  }
  const { no } = fieldIn(field, locale);
  if (isDemanded && !held.fields.has(no)) return [name];
  return (held.lacking.get(no) ?? []).map((path) => joined(name, path));
}

/**
 * @param locales the numbers of the locales that are to be published
 * @param isShared whether the shared fields are published with them
 * @throws ApiError VALIDATION_FAILED naming the values that they lack
 */
export function checkComplete(
  { model, record, held }: LocaleTarget,
  locales: readonly number[],
  isShared: boolean,
): void {
  const { scope } = model;
  if (!scope) return;
  const errors = new ValidationErrors();
  const base = baseOf(model);
  const values = valuesOf(base, record.data);
  for (const field of base.fields) {
    const own = values.get(field.no) ?? null;
    const lacking = isLocalized(field)
      ? locales.flatMap((locale) => {
          const name = `${field.name}@${codeOfNumber(scope.locales, locale) ?? ""}`;
          return lackingAt({ field, locale, name }, own, held);
        })
      : isShared
        ? lackingInOwn(field, own)
        : [];
    for (const path of lacking) errors.add(path, "is required to be published");
  }
  errors.throwIfAny("The draft cannot be published yet; see details.");
}
