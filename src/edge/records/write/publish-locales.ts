/** Plans to publish and unpublish the locales of a record, now or later (RULES 3.33). It reads nothing. */
import { ValidationErrors } from "../../../content/faults/validation-errors.ts";
import {
  earliestPlan,
  editionsColumn,
  isPublishedAnywhere,
  type Edition,
} from "../../../content/model/editions.ts";
import { localeCode } from "../../../content/locales/codes.ts";
import { baseOf, isLocalized, type LocaleScope } from "../../../content/model/localized-model.ts";
import { codesOf, numberOfCode } from "../../../content/locales/locales.ts";
import { without } from "../../../content/locales/without.ts";
import { DEFAULT_NUMBER, numberOfLocale } from "../../../content/locales/numbers.ts";
import { valuesOf, type Model } from "../../../content/model/model.ts";
import { nothingToWrite, type PlannedWrite } from "../../storage/database/planned-write.ts";
import type { RecordEvent } from "../../storage/history/record-versions.ts";
import {
  planLocales,
  publishLocales,
  unpublishLocales,
  type EditionsAfter,
} from "../../storage/locales/publish-locales.ts";
import { checkComplete, type LocaleTarget, type PublishedRecord } from "./complete-locales.ts";
import { allEditions } from "./editions-after.ts";
import { contentOf } from "./stored-content.ts";

export type Step = "publish" | "unpublish";

/** Returns the numbers of locales that a request names; null for none named. @throws ApiError VALIDATION_FAILED */
export function askedNumbers(
  scope: LocaleScope | undefined | null,
  codes: readonly string[] | undefined,
  path = "locales",
): number[] | null {
  if (codes === undefined) return null;
  const errors = new ValidationErrors();
  if (!scope) errors.add(path, "names locales, and the space has none");
  const numbers = codes.map((text, index) => {
    const code = localeCode(text);
    const no = scope && code !== null ? numberOfCode(scope.locales, code) : undefined;
    if (scope && no === undefined)
      errors.add(`${path}.${index}`, `must be one of ${codesOf(scope.locales).join(", ")}`);
    return no ?? DEFAULT_NUMBER;
  });
  errors.throwIfAny("The locales do not fit; see details.");
  return [...new Set(numbers)];
}

const isPublished = ({ record }: LocaleTarget, editions: Record<string, Edition>, locale: number): boolean =>
  locale === DEFAULT_NUMBER ? record.publishedVersion !== null : editions[String(locale)]?.p !== undefined;

const planOf = (
  target: LocaleTarget,
  editions: Record<string, Edition>,
  step: Step,
  locale: number,
): number | null => {
  if (locale === DEFAULT_NUMBER)
    return step === "publish" ? target.record.publishAt : target.record.unpublishAt;
  const edition = editions[String(locale)];
  return (step === "publish" ? edition?.pub : edition?.unpub) ?? null;
};

/** Returns the numbers of all locales of the space. */
function allNumbers({ scope }: Model): number[] {
  const codes = scope ? codesOf(scope.locales) : [];
  return codes.map((code) => (scope ? numberOfCode(scope.locales, code) : undefined) ?? DEFAULT_NUMBER);
}

/** Returns the locales that a step is for, where the request names none. */
function impliedNumbers(
  target: LocaleTarget,
  editions: Record<string, Edition>,
  { step, at }: { step: Step; at: number | null | undefined },
): number[] {
  const all = allNumbers(target.model);
  if (at === null) return all.filter((locale) => planOf(target, editions, step, locale) !== null);
  if (step === "publish")
    return all.filter((locale) => locale === DEFAULT_NUMBER || target.held.locales.has(locale));
  return all.filter((locale) => isPublished(target, editions, locale));
}

/** Returns what a step that leaves these editions writes of them. */
export function editionsAfter(editions: Record<string, Edition>): EditionsAfter {
  const sides = Object.entries(editions).filter(([locale]) => locale !== String(DEFAULT_NUMBER));
  const published = sides.flatMap(([locale, { p, at, first }]) =>
    p === undefined
      ? []
      : [
          [
            locale,
            { v: p, p, ...(at !== undefined && { at }), ...(first !== undefined && { first }) },
          ] as const,
        ],
  );
  return {
    own: editionsColumn(editions),
    published: editionsColumn(Object.fromEntries(published)),
    planAt: earliestPlan(Object.fromEntries(sides)),
  };
}

function publishedEdition(before: Edition | undefined, version: number, now: number): Edition {
  const rest: Edition = without(before ?? { v: version }, "pub");
  return { ...rest, p: version, at: now, first: rest.first ?? rest.at ?? now };
}

function unpublishedEdition(before: Edition): Edition {
  const rest: Edition = without(before, "p", "at", "unpub");
  const first = before.first ?? before.at;
  return { ...rest, ...(first !== undefined && { first }) };
}

export interface LocaleStepOptions {
  step: Step;
  /** The time in milliseconds; undefined for now; null to cancel plans. */
  at: number | null | undefined;
  /** The numbers of the locales; null for all that the step concerns. */
  locales: readonly number[] | null;
  event: (locales: readonly number[]) => RecordEvent;
  /** The planned time that has come, for a step of the sweep. */
  due: number | null;
}

/** Plans a step at a later time, or cancels one. */
function plan(
  target: LocaleTarget,
  editions: Record<string, Edition>,
  step: Step,
  { locales, at, event }: { locales: readonly number[]; at: number | null; event: RecordEvent },
): PlannedWrite<boolean> {
  const { record, model } = target;
  if (locales.every((locale) => planOf(target, editions, step, locale) === at)) return nothingToWrite(true);
  const name = step === "publish" ? "pub" : "unpub";
  for (const locale of locales) {
    if (locale === DEFAULT_NUMBER) continue;
    const rest: Edition = without(editions[String(locale)] ?? { v: record.version }, name);
    editions[String(locale)] = at === null ? rest : { ...rest, [name]: at };
  }
  const column = step === "publish" ? "publish_at" : "unpublish_at";
  const own = locales.includes(DEFAULT_NUMBER) ? [{ column, at } as const] : [];
  const { origin, now, facts } = event;
  const scheduled = { event: "scheduled", origin, now, facts } as const;
  return planLocales(model, record, editionsAfter(editions), own, scheduled);
}

/**
 * Plans a step of a record's locales. The outcome is false when something changed since it was read.
 * @throws ApiError VALIDATION_FAILED
 */
export function planLocaleStep(target: LocaleTarget, options: LocaleStepOptions): PlannedWrite<boolean> {
  const { step, at, event: eventFor, due } = options;
  const { record } = target;
  const model = { ...baseOf(target.model), scope: target.model.scope };
  const editions = allEditions(record);
  const locales = options.locales ?? impliedNumbers(target, editions, options);
  const event = eventFor(locales.map(numberOfLocale));
  if (at !== undefined && (at === null || at > event.now))
    return plan({ ...target, model }, editions, step, { locales, at, event });
  const hasPlan = (locale: number): boolean => planOf(target, editions, step, locale) !== null;
  if (step === "publish") {
    const isFirst = !isPublishedAnywhere(record);
    const isDone = (locale: number): boolean => {
      const p = locale === DEFAULT_NUMBER ? record.publishedVersion : (editions[String(locale)]?.p ?? null);
      return p !== null && p >= (editions[String(locale)]?.v ?? 0) && !hasPlan(locale);
    };
    if (locales.every(isDone)) return nothingToWrite(true);
    const isDefault = locales.includes(DEFAULT_NUMBER);
    checkComplete(target, locales, isDefault || isFirst);
    for (const locale of locales) {
      if (locale === DEFAULT_NUMBER) continue;
      editions[String(locale)] = publishedEdition(editions[String(locale)], record.version, event.now);
    }
    const shared = isFirst && !isDefault ? sharedContent(model, record) : null;
    return publishLocales(model, record, { event, due, locales, after: editionsAfter(editions) }, shared);
  }
  const there = locales.filter((locale) => isPublished(target, editions, locale));
  if (there.length === 0) {
    const planned = locales.filter(hasPlan);
    return planned.length === 0
      ? nothingToWrite(true)
      : plan({ ...target, model }, editions, step, {
          locales: planned,
          at: null,
          event: eventFor(planned.map(numberOfLocale)),
        });
  }
  for (const locale of there) {
    const edition = editions[String(locale)];
    if (locale !== DEFAULT_NUMBER && edition) editions[String(locale)] = unpublishedEdition(edition);
  }
  const after = editionsAfter(editions);
  const isDefaultLeft = record.publishedVersion !== null && !there.includes(DEFAULT_NUMBER);
  const isLast = !isDefaultLeft && after.published === "{}";
  const named = eventFor(there.map(numberOfLocale));
  return unpublishLocales(model, record, { event: named, due, locales: there, after }, isLast);
}

/** Returns the content of a published row without the values of the default locale. */
function sharedContent(model: Model, record: PublishedRecord) {
  const values = valuesOf(model, record.data);
  const shared = model.fields.filter((field) => !isLocalized(field));
  const kept = new Map(shared.map(({ no }) => [no, values.get(no) ?? null]));
  return contentOf(model, kept);
}
