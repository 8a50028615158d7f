/** The locales of a space as an export names them: those that were removed and whose values are kept have codes, too. */
import { ALL } from "../../content/locales/codes.ts";
import { codesOf, hasLocales, isLeftOver, type SpaceLocales } from "../../content/locales/locales.ts";
import { inLocale, scopeOf, type LocaleScope } from "../../content/model/localized-model.ts";
import type { Model } from "../../content/model/model.ts";

const byCode = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1);

/** Returns the removed locales whose values are kept, by their codes. */
export function droppedOf(locales: SpaceLocales): [string, { no: number; until: number }][] {
  const present = new Set(codesOf(locales));
  return Object.entries(locales.dropped)
    .filter(([code]) => !isLeftOver(code) && !present.has(code))
    .sort(byCode);
}

/** Returns the scope in which all locales of a space are read and written; null for a space without locales. */
export function exchangeScope(locales: SpaceLocales): LocaleScope | null {
  if (!hasLocales(locales)) return null;
  const dropped = droppedOf(locales);
  return scopeOf(
    {
      ...locales,
      list: [...locales.list, ...dropped.map(([code]) => ({ code }))],
      numbers: { ...locales.numbers, ...Object.fromEntries(dropped.map(([code, { no }]) => [code, no])) },
    },
    ALL,
  );
}

/** Returns a model with all locales of its space. */
export const withLocales = (model: Model, scope: LocaleScope | null): Model =>
  scope ? inLocale(model, scope) : model;
