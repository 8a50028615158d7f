/** The locale that a request asks for (RULES 3.30 to 3.32), and the contents that it needs. */
import { ALL, localeCode } from "../../../content/locales/codes.ts";
import {
  codesOf,
  defaultCode,
  hasLocales,
  localesIn,
  numberOfCode,
} from "../../../content/locales/locales.ts";
import { checkLocales } from "../../spaces/gate.ts";
import type { Scopes } from "../../storage/spaces/scopes.ts";
import {
  codesSeen,
  hasLocalized,
  inLocale,
  scopeOf,
  seesDefault,
  sidesSeen,
  type LocaleScope,
} from "../../../content/model/localized-model.ts";
import type { Model } from "../../../content/model/model.ts";
import { invalidParameter } from "../../../content/query/list-targets.ts";
import type { Database } from "../../storage/database/database.ts";
import { joined, readSides } from "../../storage/locales/sides.ts";

/** The parameters of a request that choose a locale. */
export interface LocaleQuery {
  locale?: string | undefined;
  fallback?: "true" | "false" | undefined;
}

const SHOWN_MAX_CHARACTERS = 40;

/**
 * Returns the locale that a request asks for, by default the space's first; null in a space without locales.
 * @throws ApiError INVALID_PARAMETER for a locale that the space does not have, and for `fallback` in `all`; FORBIDDEN
 * for one outside the caller's scopes
 */
export function askedScope(
  space: { locales: string | null },
  { locale, fallback }: LocaleQuery,
  scopes: Pick<Scopes, "locales">,
): LocaleScope | null {
  const locales = localesIn(space.locales);
  if (!hasLocales(locales)) {
    if (locale !== undefined) throw invalidParameter("locale", "names a locale, and the space has none");
    if (fallback !== undefined)
      throw invalidParameter("fallback", "is for spaces with locales, and this one has none");
    return null;
  }
  const isFilled = fallback === "true";
  const inside = scopes.locales;
  if (locale === undefined) {
    checkLocales(scopes, [defaultCode(locales)]);
    return scopeOf(locales, undefined, isFilled, inside);
  }
  if (locale.toLowerCase() === ALL) {
    if (fallback !== undefined) throw invalidParameter("fallback", "cannot go with `locale=all`");
    const scope = scopeOf(locales, ALL, false, inside);
    if (codesSeen(scope).length === 0) checkLocales(scopes, codesOf(locales));
    return scope;
  }
  const code = localeCode(locale);
  if (code === null || numberOfCode(locales, code) === undefined) {
    const shown = locale.slice(0, SHOWN_MAX_CHARACTERS);
    throw invalidParameter("locale", `"${shown}" is none of ${codesOf(locales).join(", ")}, or ${ALL}`);
  }
  checkLocales(scopes, [code]);
  return scopeOf(locales, code, isFilled, inside);
}

/** Returns the locale of a request that names none and shows no localized values: any that the caller sees. */
export function scopeOfAny(
  space: { locales: string | null },
  scopes: Pick<Scopes, "locales">,
): LocaleScope | null {
  const locales = localesIn(space.locales);
  if (!hasLocales(locales)) return null;
  const scope = scopeOf(locales, undefined, false, scopes.locales);
  return seesDefault(scope) ? scope : scopeOf(locales, ALL, false, scopes.locales);
}

/** Returns the model in the locale that is asked for. */
export const modelInScope = (model: Model, scope: LocaleScope | null): Model =>
  scope ? inLocale(model, scope) : model;

/** Returns the numbers of the locales whose contents an answer in the scope of the model needs. */
export const sidesNeeded = (model: Model): number[] =>
  model.scope && hasLocalized(model) ? sidesSeen(model.scope) : [];

/**
 * Returns records with their contents in the locales of the scope.
 * @throws ApiError INVALID_PARAMETER if the first has more than an answer may have
 * @returns fewer records if the others have no room in an answer
 */
export async function withSides<R extends { seq: number; data: string }>(
  db: Database,
  model: Model,
  records: R[],
): Promise<R[]> {
  const locales = sidesNeeded(model);
  if (locales.length === 0) return records;
  const sides = await readSides(
    db,
    records.map(({ seq }) => seq),
    locales,
  );
  const end = records.findIndex(({ seq }) => sides.get(seq) === null);
  if (end === 0) {
    throw invalidParameter("locale", "would make an answer that is too large: ask for one locale at a time");
  }
  const whole = end === -1 ? records : records.slice(0, end);
  return whole.map((record) => ({ ...record, data: joined(record.data, sides.get(record.seq)) }));
}
