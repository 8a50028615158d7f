/** The contents of lines as bodies of writes, and the writes of an import that overwrites (RULES 18.4). */
import { codesOf, defaultCode, localesIn } from "../../../../content/locales/locales.ts";
import { isLocalized } from "../../../../content/model/localized-model.ts";
import type { Model } from "../../../../content/model/model.ts";
import { changeTo, current, type WriteContext } from "../../../records/write/write.ts";
import type { RecordRow } from "../../../storage/spaces/entries.ts";
import { WHOLE_SPACE } from "../../../storage/spaces/scopes.ts";
import { unclearLocales } from "../../record-lines.ts";
import type { ImportContext } from "../context.ts";
import type { LocaleIn, PublishedIn, RecordIn } from "../line-schemas.ts";

export type Members = Record<string, unknown>;

/** A record with its contents in all locales, and its model. */
export interface Entry {
  model: Model;
  record: RecordRow;
}

/** Returns the context in which an import writes a record as a caller does. */
export const writingOf = (context: ImportContext, id: string): WriteContext => ({
  db: context.db,
  spaceId: context.space.id,
  origin: context.origin,
  patterns: context.budget(),
  now: context.now,
  newId: () => id,
  scopes: WHOLE_SPACE,
});

/** Reads a record that is not in the trash. */
export async function read(context: ImportContext, model: Model, id: string): Promise<Entry | null> {
  const { model: again, record } = await current(writingOf(context, id), model, id);
  return record && { model: again, record };
}

/** Gives a record this content. @returns whether it had another one */
export async function write(context: ImportContext, entry: Entry, body: Members): Promise<boolean> {
  const writing = writingOf(context, entry.record.id);
  const options = { versions: null, event: "updated" } as const;
  const done = await changeTo(writing, entry, () => body, options);
  return done.version !== entry.record.version;
}

const localizedIn = (model: Model) => (model.scope ? model.fields.filter(isLocalized) : []);

/** Returns the values of a localized field in the locales of the space. Those in removed locales stay as they are. */
function valuesIn(codes: readonly string[], value: unknown): Members {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return {};
  return Object.fromEntries(Object.entries(value).filter(([code]) => codes.includes(code)));
}

/** Returns the codes of the locales whose contents stand on lines of their own, for a line of an earlier version too. */
export const apartIn = (model: Model, line: RecordIn | PublishedIn): readonly string[] =>
  line.apart ?? unclearLocales(model, line);

/** Returns the codes of the space's locales whose contents stand on lines of their own. */
export function apartFrom(context: ImportContext, model: Model, line: RecordIn | PublishedIn): Set<string> {
  const locales = localesIn(context.space.locales);
  const apart = apartIn(model, line);
  return new Set(codesOf(locales).filter((code) => code !== defaultCode(locales) && apart.includes(code)));
}

/**
 * Returns the body that gives a record this content. A value in a locale that the content leaves out is cleared.
 * @param apart the codes of the locales that stay as they are
 */
export function bodyOf(
  context: ImportContext,
  model: Model,
  data: Members,
  apart: ReadonlySet<string>,
): Members {
  const present = codesOf(localesIn(context.space.locales));
  const cleared = Object.fromEntries(present.filter((code) => !apart.has(code)).map((code) => [code, null]));
  const localized = localizedIn(model).map(({ name }): [string, Members] => [
    name,
    { ...cleared, ...valuesIn(present, data[name]) },
  ]);
  return { ...data, ...Object.fromEntries(localized) };
}

/** Returns the body that gives a record the content of a line in its locale alone. */
export const bodyOfLocale = (model: Model, { locale, data }: Pick<LocaleIn, "locale" | "data">): Members =>
  Object.fromEntries(
    localizedIn(model).map(({ name }): [string, Members] => [name, { [locale]: data[name] ?? null }]),
  );
