/** Plans the changes of settings that a document asks for, without writing anything. */
import { ApiError, type ErrorDetail } from "../../../errors.ts";
import type { ValidationErrors } from "../../../content/faults/validation-errors.ts";
import type { StoredField } from "../../../content/field-types/fields.ts";
import { hasLocales, localesIn } from "../../../content/locales/locales.ts";
import { isLocaleField } from "../../../content/locales/reserved.ts";
import type { Space } from "../../spaces/authorize.ts";
import { normalLocales, planLocales, type LocaleFields } from "../../spaces/locales.ts";
import { settingsOf } from "../../spaces/settings.ts";
import type { Database } from "../../storage/database/database.ts";
import type { ModelRow } from "../../storage/spaces/entries.ts";
import { droppedLocales } from "./allowed-losses.ts";
import type { DocumentSettings } from "./document.ts";

/**
 * A conflict of a document with what a space holds. `path` is `model.field`, or `pages/model.field`. A loss has its name in
 * `allowDrop`.
 */
export type DocumentConflict = ErrorDetail;

/** Returns the names of the settings that would change. */
export function changedSettings(space: Space, asked: DocumentSettings): string[] {
  const { locales, ...others } = asked;
  const before: Record<string, unknown> = { ...settingsOf(space) };
  const wanted = { ...others, ...(locales && { locales: normalLocales(locales) }) };
  return Object.entries(wanted).flatMap(([name, value]) =>
    value === undefined || JSON.stringify(value) === JSON.stringify(before[name]) ? [] : [name],
  );
}

/**
 * Returns whether settings come before models. Models come first, because a field may have to be renamed before the
 * first locales come. If all locales go, their reserved names become free for fields.
 */
export const areSettingsFirst = (space: Space, { locales }: DocumentSettings): boolean =>
  locales?.length === 0 && hasLocales(localesIn(space.locales));

/** Lists the fields of models that stand against other locales. */
function localeFieldsIn(rows: readonly ModelRow[]): LocaleFields {
  const fields = rows.flatMap((row) =>
    (JSON.parse(row.fields) as StoredField[]).map((field) => ({
      ...field,
      path: `${row.name}.${field.name}`,
    })),
  );
  const paths = (some: typeof fields): Promise<string[]> => Promise.resolve(some.map(({ path }) => path));
  return {
    reserved: () => paths(fields.filter(({ name }) => isLocaleField(name))),
    localized: () => paths(fields.filter(({ localized }) => localized === true)),
  };
}

/**
 * Finds the conflicts of the locales that a document asks for.
 * @param rows the models that there will be then
 * @returns the column `spaces.locales` afterwards
 */
export async function planDocumentLocales(
  db: Database,
  space: Space,
  { locales }: DocumentSettings,
  { allowDrop, rows, now }: { allowDrop: readonly string[]; rows: readonly ModelRow[]; now: number },
  found: { errors: ValidationErrors; conflicts: DocumentConflict[] },
): Promise<string | null> {
  if (!locales) return space.locales;
  try {
    const asked = { locales, dropLocales: droppedLocales(allowDrop) };
    const planned = await planLocales(db, space, asked, now, localeFieldsIn(rows));
    return planned ? JSON.stringify(planned.after) : space.locales;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const details = error.details ?? [];
    if (error.code === "VALIDATION_FAILED") {
      for (const { path, message } of details) found.errors.add(`settings.${path}`, message);
    } else if (error.code === "CONFLICT") {
      found.conflicts.push(...localeConflicts(error.message, details));
    } else throw error;
    return space.locales;
  }
}

/** Returns the conflicts of locales, each with what would allow it. */
export function localeConflicts(message: string, details: readonly ErrorDetail[]): DocumentConflict[] {
  const path = "settings.locales";
  const losses = details.flatMap(({ loss }) => loss ?? []);
  if (losses.length === 0) return [{ path, message }];
  return losses.map((loss) => {
    const [name, fact] = [`@${loss.name}`, `would lose a locale, and ${loss.fact}`];
    return { path, message: `${fact}; lose them by "${name}" in allowDrop`, loss: { name, fact } };
  });
}
