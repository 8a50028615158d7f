/** Writes records, their published contents and their histories as lines. Pure. */
import { editionsIn, type Edition, type Editions } from "../../content/model/editions.ts";
import { isEmptyValue, type StoredField } from "../../content/field-types/fields.ts";
import { shownValue } from "../../content/field-types/nested/show.ts";
import { codeOfNumber, codesOf, defaultCode, numberOfCode } from "../../content/locales/locales.ts";
import { DEFAULT_NUMBER, numberIn } from "../../content/locales/numbers.ts";
import { baseOf, fieldIn, isLocalized } from "../../content/model/localized-model.ts";
import { valuesOf, type Model, type Values } from "../../content/model/model.ts";
import type { Publication } from "../../content/model/publication.ts";
import { EXCHANGE } from "../../limits.ts";
import type {
  JsonValue,
  LineActor,
  LineData,
  LineEdition,
  LinePublication,
  LocaleLine,
  RecordAddress,
} from "../../exchange/lines.ts";
import { actorIn } from "../storage/events/actor.ts";
import type { RecordRow } from "../storage/spaces/entries.ts";

export const iso = (time: number): string => new Date(time).toISOString();

/** Returns the object without members that are null. */
export const compact = <T extends object>(object: { [K in keyof T]: T[K] | null }): T =>
  Object.fromEntries(
    Object.entries(object).filter(([, value]) => value !== null && value !== undefined),
  ) as T;

const isoOrNull = (time: number | null): string | null => (time === null ? null : iso(time));

export const publicationLine = (record: Publication): LinePublication =>
  compact<LinePublication>({
    publishedVersion: record.publishedVersion,
    publishedAt: isoOrNull(record.publishedAt),
    firstPublishedAt: isoOrNull(record.firstPublishedAt),
    publishAt: isoOrNull(record.publishAt),
    unpublishAt: isoOrNull(record.unpublishAt),
  });

const editionLine = ({ v, p, at, first, pub, unpub }: Edition): LineEdition =>
  compact<LineEdition>({
    version: v,
    publishedVersion: p ?? null,
    publishedAt: isoOrNull(at ?? null),
    firstPublishedAt: isoOrNull(first ?? null),
    publishAt: isoOrNull(pub ?? null),
    unpublishAt: isoOrNull(unpub ?? null),
  });

/** Returns the members that name the authors of a row. */
export const authorsOf = (row: {
  createdBy: string | null;
  updatedBy: string | null;
}): { createdBy?: LineActor; updatedBy?: LineActor } => {
  const [createdBy, updatedBy] = [actorIn(row.createdBy), actorIn(row.updatedBy)];
  return { ...(createdBy && { createdBy }), ...(updatedBy && { updatedBy }) };
};

/** Returns the editions by the codes of their locales, in the order of the space's locales. */
function editionsLine({ scope }: Model, editions: Editions): Record<string, LineEdition> {
  if (!scope) return {};
  return Object.fromEntries(
    codesOf(scope.locales).flatMap((code) => {
      const edition = editions[String(numberOfCode(scope.locales, code))];
      return edition === undefined ? [] : [[code, editionLine(edition)]];
    }),
  );
}

/** Returns the member `editions` of a record that has any. */
export const withEditions = (
  model: Model,
  column: string | null,
): { editions?: Record<string, LineEdition> } =>
  column === null || !model.scope ? {} : { editions: editionsLine(model, editionsIn(column)) };

export const addressOf = (model: Model, { id }: Pick<RecordRow, "id">): RecordAddress => ({
  typeModel: model.typeModel as RecordAddress["typeModel"],
  model: model.name,
  id,
});

/** Returns a record's line without its content. */
export const recordFacts = (model: Model, record: RecordRow): object => {
  const { deletedAt, purgeAt } = record;
  return {
    kind: deletedAt === null ? "record" : "trash",
    ...(deletedAt !== null && { of: "record" }),
    ...addressOf(model, record),
    version: record.version,
    createdAt: iso(record.createdAt),
    updatedAt: iso(record.updatedAt),
    ...authorsOf(record),
    ...publicationLine(record),
    ...withEditions(model, record.locales),
    ...(deletedAt !== null && { deletedAt: iso(deletedAt), expiresAt: iso(purgeAt ?? 0) }),
  };
};

/** Returns the line of a published content without the content. */
export const publishedFacts = (model: Model, published: RecordRow): object => ({
  kind: "published",
  ...addressOf(model, published),
  version: published.version,
  updatedAt: iso(published.updatedAt),
  ...authorsOf(published),
  ...publicationLine(published),
  ...withEditions(model, published.locales),
});

const shown = (field: StoredField, value: JsonValue): JsonValue => shownValue(field, value) as JsonValue;

/** Returns the values of a localized field by code: that of the default locale, and the others that are not empty. */
function byCode(model: Model, field: StoredField, values: Values): JsonValue {
  const { scope } = model;
  if (!scope) return null;
  const stored = baseOf(model).byName.get(field.name) ?? field;
  return Object.fromEntries(
    codesOf(scope.locales).flatMap((code): [string, JsonValue][] => {
      const no = numberOfCode(scope.locales, code) ?? DEFAULT_NUMBER;
      const value = values.get(numberIn(stored, no)) ?? null;
      if (no !== DEFAULT_NUMBER && (value === null || isEmptyValue(field, value))) return [];
      return [[code, shown(field, value)]];
    }),
  );
}

/** Returns the values of stored data by the names of their fields. */
export function lineData(model: Model, data: string): LineData {
  const values = valuesOf(model, data);
  return Object.fromEntries(
    model.fields.map((field): [string, JsonValue] => [
      field.name,
      model.scope && isLocalized(field)
        ? byCode(model, field, values)
        : shown(field, values.get(field.no) ?? null),
    ]),
  );
}

/** Returns the values of the localized fields in one locale, without empty ones. */
export function localeData(model: Model, data: string, locale: number): LineData {
  const fields = baseOf(model)
    .fields.filter(isLocalized)
    .map((field) => fieldIn(field, locale));
  const values = valuesOf({ ...model, fields, stored: fields }, data);
  return Object.fromEntries(
    fields.flatMap((field): [string, JsonValue][] => {
      const value = values.get(field.no) ?? null;
      return isEmptyValue(field, value) ? [] : [[field.name, shown(field, value)]];
    }),
  );
}

/** The content of a record, by locale. */
export interface Contents {
  /** The data of the record's own row. */
  own: string;
  /** The data in other locales by their number; null if there is so much that it is read one by one. */
  sides: ReadonlyMap<number, string> | null;
}

/** Joins objects in JSON that have no name in common. */
const joined = (all: string, side: string): string =>
  side === "{}" ? all : all === "{}" ? side : `${all.slice(0, -1)},${side.slice(1)}`;

const hasFurtherKeys = (value: unknown, code: string): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).some((key) => key !== code);

/**
 * Returns the codes of the locales that a line without `apart` names, and has no values in: they are empty, or the line is
 * of an earlier version, which did not write `apart`, and their contents stand on lines of their own.
 */
export function unclearLocales(
  { scope, fields }: Model,
  { editions = {}, data }: { editions?: object | undefined; data?: Record<string, unknown> },
): string[] {
  if (!scope) return [];
  const first = defaultCode(scope.locales);
  const isWhole = fields.filter(isLocalized).some(({ name }) => hasFurtherKeys(data?.[name], first));
  return isWhole ? [] : Object.keys(editions).filter((code) => code !== first);
}

/** Returns the text of a line with all its content, however long it is. */
export const lineOfAll = (
  model: Model,
  facts: object,
  own: string,
  sides: ReadonlyMap<number, string>,
): string => {
  const data = lineData(model, [...sides.values()].reduce(joined, own));
  const isUnclear = unclearLocales(model, { ...facts, data }).length > 0;
  return JSON.stringify({ ...facts, ...(isUnclear && { apart: [] }), data });
};

/** Returns the text of a line with all its content; null if that is too long. */
export function wholeLine(model: Model, facts: object, { own, sides }: Contents): string | null {
  if (!sides) return null;
  const text = lineOfAll(model, facts, own, sides);
  return sides.size === 0 || bytesOf(text) <= EXCHANGE.contentOfLineMaxBytes ? text : null;
}

/**
 * Returns the text of a line with the content of the record's own row alone.
 * @param apart the numbers of the locales whose contents stand on lines of their own
 */
export const ownLine = (model: Model, facts: object, own: string, apart: readonly number[] = []): string => {
  const codes = apart.flatMap((no) => (model.scope && codeOfNumber(model.scope.locales, no)) ?? []);
  return JSON.stringify({
    ...facts,
    ...(codes.length > 0 && { apart: codes }),
    data: lineData(model, own),
  });
};

/** Returns the text of a line with the content in one locale. */
export function localeLine(
  model: Model,
  facts: Pick<LocaleLine, keyof RecordAddress | "kind" | "no">,
  locale: number,
  data: string,
): string | null {
  const code = model.scope && codeOfNumber(model.scope.locales, locale);
  if (!code) return null;
  const line: LocaleLine = { ...facts, locale: code, data: localeData(model, data, locale) };
  return JSON.stringify(line);
}

export const bytesOf = (text: string): number => new TextEncoder().encode(text).byteLength;

export const defaultCodeOf = ({ scope }: Model): string => (scope ? defaultCode(scope.locales) : "");
