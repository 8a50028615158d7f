/** The values of a body by locale, and what the locales of a space demand of them (RULES 3.31). Pure. */
import type { ValidationErrors } from "../../../content/faults/validation-errors.ts";
import { isEmptyValue, type StoredField } from "../../../content/field-types/fields.ts";
import { localeCode } from "../../../content/locales/codes.ts";
import {
  baseOf,
  fieldIn,
  isAll,
  isLocalized,
  type LocaleScope,
} from "../../../content/model/localized-model.ts";
import { codeOfNumber, codesOf, numberOfCode } from "../../../content/locales/locales.ts";
import { DEFAULT_NUMBER, localeOfNumber } from "../../../content/locales/numbers.ts";
import type { Model, Values } from "../../../content/model/model.ts";

/** A value of a body with the field that it is for, and its path in faults. */
export interface NamedValue {
  field: StoredField;
  path: string;
  value: unknown;
}

/** The values that a body names under one field, and the faults of what it names beside them. */
export interface NamedValues {
  values: readonly NamedValue[];
  faults: readonly { path: string; message: string }[];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns the list of a space's codes, for messages. */
export const listOfCodes = ({ locales }: Pick<LocaleScope, "locales">): string => codesOf(locales).join(", ");

/** Returns the values of a localized field in a body in `all`: an object by code, or null for all locales. */
function valuesInAll(field: StoredField, scope: LocaleScope, value: unknown): NamedValues {
  const { locales } = scope;
  const numberOf = (code: string): number => numberOfCode(locales, code) ?? DEFAULT_NUMBER;
  if (value === null) {
    const values = codesOf(locales).map((code) => ({
      field: fieldIn(field, numberOf(code)),
      path: field.name,
      value,
    }));
    return { values, faults: [] };
  }
  const faults: { path: string; message: string }[] = [];
  if (!isObject(value)) {
    faults.push({ path: field.name, message: "must be an object of values by locale, or null" });
    return { values: [], faults };
  }
  const unknown = `is no locale of this space, which has ${listOfCodes(scope)}`;
  const named = new Map<number, NamedValue>();
  for (const [key, one] of Object.entries(value)) {
    const code = localeCode(key);
    const no = code === null ? undefined : numberOfCode(locales, code);
    const path = `${field.name}.${key}`;
    if (no === undefined) faults.push({ path, message: unknown });
    else if (named.has(no)) faults.push({ path, message: `is ${code ?? key} a second time` });
    else named.set(no, { field: fieldIn(field, no), path, value: one });
  }
  return { values: [...named.values()], faults };
}

/** Returns the values that a body names under a field of the model. */
export function namedUnder(model: Model, field: StoredField, value: unknown): NamedValues {
  const { scope } = model;
  if (scope && isAll(scope) && isLocalized(field)) return valuesInAll(field, scope, value);
  return { values: [{ field, path: field.name, value }], faults: [] };
}

/** Returns the numbers of the locales that a change writes values of localized fields in. */
export function localesWritten(model: Model, values: Values): Set<number> {
  const localized = new Set(
    baseOf(model)
      .fields.filter(isLocalized)
      .map(({ no }) => no),
  );
  const written = [...values.keys()].map((no) => ({ no, locale: localeOfNumber(no) }));
  return new Set(
    written.flatMap(({ no, locale }) => (locale !== DEFAULT_NUMBER || localized.has(no) ? [locale] : [])),
  );
}

/** Adds a fault for each field that must have a value in these locales and has none. */
export function addLacking(
  model: Model,
  after: Values,
  locales: Iterable<number>,
  errors: ValidationErrors,
  message = "is required",
): void {
  const { scope } = model;
  if (!scope) return;
  const demanded = baseOf(model).fields.filter((field) => field.requiredIn === "all" && isLocalized(field));
  for (const locale of locales) {
    const code = codeOfNumber(scope.locales, locale);
    for (const stored of code === undefined ? [] : demanded) {
      const field = fieldIn(stored, locale);
      if (isEmptyValue(field, after.get(field.no) ?? field.absent)) {
        errors.add(`${stored.name}@${code}`, message);
      }
    }
  }
}
