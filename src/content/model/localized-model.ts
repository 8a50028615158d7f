/** A model as it is read and written in a locale of its space: its localized fields have the numbers of the locale. */
import { emptyValue, isEmptyValue, type StoredField } from "../field-types/fields.ts";
import type { Json } from "../field-types/field-type.ts";
import type { Model, Values } from "./model.ts";
import { ALL } from "../locales/codes.ts";
import {
  codesOf,
  defaultCode,
  fallbacksOf,
  hasLocales,
  numberOfCode,
  type SpaceLocales,
} from "../locales/locales.ts";
import type { LocaleScope } from "../locales/scope.ts";
import { without } from "../locales/without.ts";
import { DEFAULT_NUMBER, numberIn } from "../locales/numbers.ts";

export type { LocaleScope } from "../locales/scope.ts";

export const scopeOf = (
  locales: SpaceLocales,
  code = defaultCode(locales),
  isFilled = false,
  inside: readonly string[] | null = null,
): LocaleScope => ({
  locales,
  code,
  no: code === ALL ? DEFAULT_NUMBER : (numberOfCode(locales, code) ?? DEFAULT_NUMBER),
  isFilled,
  inside,
});

/** Returns those of the codes that the caller may see. */
const seen = ({ inside }: Pick<LocaleScope, "inside">, codes: string[]): string[] =>
  inside === null ? codes : codes.filter((code) => inside.includes(code));

/** Returns whether the caller may see the default locale. */
export const seesDefault = ({ locales, inside }: LocaleScope): boolean =>
  inside === null || inside.includes(defaultCode(locales));

export const isAll = ({ code }: LocaleScope): boolean => code === ALL;

export const isLocalized = ({ localized }: StoredField): boolean => localized === true;

/** Returns whether the values of a model's records can differ by locale. */
export const hasLocalized = ({ fields }: Pick<Model, "fields">): boolean => fields.some(isLocalized);

/** Returns a field as it is in one locale. Only the default locale has defaults and required values. */
export function fieldIn(field: StoredField, locale: number): StoredField {
  if (locale === DEFAULT_NUMBER || !isLocalized(field)) return field;
  const own = without(field, "required", "default");
  return { ...own, no: numberIn(field, locale), absent: emptyValue(field) } as StoredField;
}

/** Returns a model with its localized fields alone, as a content in a locale other than the default holds them. */
export function sideOf(model: Model, locale: number): Model {
  const fields = model.fields.filter(isLocalized).map((field) => fieldIn(field, locale));
  return { ...model, fields, byName: new Map(fields.map((field) => [field.name, field])) };
}

/** Returns the codes whose values a read in the scope shows: all, or the locale and those that it borrows from. */
export function codesSeen(scope: LocaleScope): string[] {
  const { locales, code, isFilled } = scope;
  if (code === ALL) return seen(scope, codesOf(locales));
  return isFilled ? [code, ...seen(scope, fallbacksOf(locales, code))] : [code];
}

const numbersOfCodes = (locales: SpaceLocales, codes: readonly string[]): number[] =>
  codes.map((code) => numberOfCode(locales, code) ?? DEFAULT_NUMBER);

/** Returns the numbers of the locales other than the default whose values a read in the scope shows. */
export const sidesSeen = (scope: LocaleScope): number[] =>
  numbersOfCodes(scope.locales, codesSeen(scope)).filter((no) => no !== DEFAULT_NUMBER);

/** Returns the model in a locale. In a space without locales it is the model itself. */
export function inLocale(model: Model, scope: LocaleScope): Model {
  if (!hasLocales(scope.locales)) return model;
  const fields = model.fields.map((field) => fieldIn(field, scope.no));
  const numbers = numbersOfCodes(scope.locales, codesSeen(scope)).filter((no) => no !== scope.no);
  const others = numbers.flatMap((no) => model.fields.filter(isLocalized).map((field) => fieldIn(field, no)));
  return {
    ...model,
    fields,
    byName: new Map(fields.map((field) => [field.name, field])),
    scope,
    base: model,
    stored: [...fields, ...others],
  };
}

/** Returns the model as it is stored, with the numbers of the default locale. */
export const baseOf = (model: Model): Model => model.base ?? model;

/** Returns the field of the stored model, for a field of a model in a locale. */
const storedField = (model: Model, { name }: StoredField): StoredField | undefined =>
  baseOf(model).byName.get(name);

/** A value of a field with the code of its locale. */
export interface LocalizedValue {
  code: string;
  value: Json;
}

/** Returns the values of a localized field in the locales that the scope shows. */
export function valuesByCode(
  model: Model,
  scope: LocaleScope,
  field: StoredField,
  values: Values,
): LocalizedValue[] {
  const stored = storedField(model, field) ?? field;
  return codesSeen(scope).map((code) => {
    const no = numberOfCode(scope.locales, code) ?? DEFAULT_NUMBER;
    return { code, value: values.get(numberIn(stored, no)) ?? emptyValue(field) };
  });
}

/** Returns the value that a read shows of a field, and the code that it is borrowed from; null for its own. */
export function valueInScope(
  model: Model,
  field: StoredField,
  values: Values,
): { value: Json; from: string | null } {
  const { scope } = model;
  const own = values.get(field.no) ?? null;
  if (!scope?.isFilled || !isLocalized(field) || !isEmptyValue(field, own)) return { value: own, from: null };
  const borrowed = valuesByCode(model, scope, field, values)
    .slice(1)
    .find(({ value }) => !isEmptyValue(field, value));
  return borrowed ? { value: borrowed.value, from: borrowed.code } : { value: own, from: null };
}

/** Returns the values of a record as a read shows them, by the numbers of the model's fields: in `all` one set per locale. */
export function valuesShown(model: Model, values: Values): Values[] {
  const { scope } = model;
  if (!scope) return [values];
  const isWhole = isAll(scope);
  const codes = isWhole ? codesSeen(scope) : [scope.code];
  return codes.map((_code, index) => {
    const shown = model.fields.map((field): [number, Json] => {
      if (!isWhole) return [field.no, valueInScope(model, field, values).value];
      // Shared values stand in the first set alone, so that they are read once.
      if (!isLocalized(field)) return [field.no, index === 0 ? (values.get(field.no) ?? null) : null];
      return [field.no, valuesByCode(model, scope, field, values)[index]?.value ?? null];
    });
    return new Map(shown);
  });
}
