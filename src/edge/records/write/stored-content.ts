/** Converts a record's values to the columns in which they are stored. */
import { foldedColumn } from "../../../content/search/folded-column.ts";
import { ValidationErrors } from "../../../content/faults/validation-errors.ts";
import { defaultOf, isEmptyValue, type StoredField } from "../../../content/field-types/fields.ts";
import { baseOf, fieldIn, isLocalized } from "../../../content/model/localized-model.ts";
import { codeOfNumber, defaultCode } from "../../../content/locales/locales.ts";
import { DEFAULT_NUMBER, localeOfNumber } from "../../../content/locales/numbers.ts";
import type { Model, StoredContent, Values } from "../../../content/model/model.ts";
import { LOCALES } from "../../../limits.ts";
import { dataOf, sizeOf } from "./validate.ts";

/** Returns the stored content. @throws ApiError VALIDATION_FAILED if it is too large */
export function contentOf(model: Pick<Model, "fields">, values: Values): StoredContent {
  const data = dataOf(values);
  return { data, sizeBytes: sizeOf(data), folded: foldedColumn(model.fields, values) };
}

/** Returns the content of a page before its first write. */
export const defaultContentOf = (model: Pick<Model, "fields">): StoredContent =>
  contentOf(model, new Map(model.fields.map((field) => [field.no, defaultOf(field)])));

const bytesOf = (text: string): number => new TextEncoder().encode(text).byteLength;

/** @throws ApiError VALIDATION_FAILED */
function refuseSize(what: string, bytes: number, max: number): void {
  if (bytes <= max) return;
  const errors = new ValidationErrors();
  errors.add("", `${what} would have ${bytes} bytes; at most ${max} are kept`);
  errors.throwIfAny();
}

const some = (values: Values, fields: readonly StoredField[]): Values =>
  new Map(fields.flatMap(({ no }) => (values.has(no) ? [[no, values.get(no) ?? null] as const] : [])));

/**
 * Returns the content of a record's own row: the shared fields, and those of the default locale.
 * @throws ApiError VALIDATION_FAILED if either is too large
 */
export function ownContentOf(model: Model, values: Values): StoredContent {
  const base = baseOf(model);
  const own = some(values, base.fields);
  if (!model.scope || !base.fields.some(isLocalized)) return contentOf(base, own);
  const shared = base.fields.filter((field) => !isLocalized(field));
  sizeOf(dataOf(some(own, shared)));
  const localized = dataOf(some(own, base.fields.filter(isLocalized)));
  const code = defaultCode(model.scope.locales);
  refuseSize(`the values in ${code}`, bytesOf(localized), LOCALES.localeMaxBytes);
  const data = dataOf(own);
  const content = { data, sizeBytes: bytesOf(data), folded: foldedColumn(base.fields, own) };
  refuseSize(
    `the shared fields and the values in ${code}, with what searches need of them,`,
    content.sizeBytes + bytesOf(content.folded),
    LOCALES.rowMaxBytes,
  );
  return content;
}

/**
 * Returns the content of a record in a locale other than the default: the values that are not empty. Null if all are.
 * @throws ApiError VALIDATION_FAILED if it is too large
 */
export function sideContentOf(model: Model, values: Values, locale: number): StoredContent | null {
  const fields = baseOf(model)
    .fields.filter(isLocalized)
    .map((field) => fieldIn(field, locale));
  const held = fields.filter((field) => !isEmptyValue(field, values.get(field.no) ?? field.absent));
  if (held.length === 0) return null;
  const own = some(values, held);
  const data = dataOf(own);
  const sizeBytes = bytesOf(data);
  const code = model.scope ? codeOfNumber(model.scope.locales, locale) : undefined;
  refuseSize(`the values in ${code ?? "a locale"}`, sizeBytes, LOCALES.localeMaxBytes);
  return { data, sizeBytes, folded: foldedColumn(fields, own) };
}

/** Returns the numbers of the locales that these fields belong to, without the default. */
export const sidesOf = (numbers: Iterable<number>): number[] =>
  [...new Set([...numbers].map(localeOfNumber))].filter((locale) => locale !== DEFAULT_NUMBER);
