/** Names what an event of a record has changed: for its history, the audit and webhooks. */
import { codesOf, numberOfCode } from "../../content/locales/locales.ts";
import {
  DEFAULT_NUMBER,
  fieldOfNumber,
  localeOfNumber,
  numberOfLocale,
} from "../../content/locales/numbers.ts";
import { baseOf, isLocalized, type LocaleScope } from "../../content/model/localized-model.ts";
import type { Model } from "../../content/model/model.ts";
import type { RecordFacts } from "../storage/events/record-events.ts";

/** Returns the names of changed fields, without those that the model does not have any more. */
function changedNames(model: Model, numbers: readonly number[]): string[] {
  const changed = new Set(numbers.map(fieldOfNumber));
  return baseOf(model)
    .fields.filter(({ no }) => changed.has(no))
    .map(({ name }) => name);
}

/** Returns the codes of the locales whose values or publication an event has changed. */
function changedLocales(model: Model, { locales }: LocaleScope, numbers: readonly number[]): string[] {
  const localized = new Set(
    baseOf(model)
      .fields.filter(isLocalized)
      .map(({ no }) => no),
  );
  const changed = new Set(
    numbers.flatMap((no) => {
      const locale = localeOfNumber(no);
      const isOfDefault = no === numberOfLocale(DEFAULT_NUMBER) || localized.has(no);
      return locale !== DEFAULT_NUMBER || isOfDefault ? [locale] : [];
    }),
  );
  return codesOf(locales).filter((code) => changed.has(numberOfCode(locales, code) ?? -1));
}

/** Returns the names of the fields and locales with these numbers. */
export const factsOf = (model: Model, numbers: readonly number[]): RecordFacts => ({
  changed: changedNames(model, numbers),
  ...(model.scope && { locales: changedLocales(model, model.scope, numbers) }),
});
