/** The publication of a record in the locales of its space (RULES 3.33). */
import {
  editionOf,
  editionsIn,
  ownVersion,
  publicationOfEdition,
  statusOfEdition,
} from "../../../content/model/editions.ts";
import {
  codesSeen,
  hasLocalized,
  isAll,
  seesDefault,
  type LocaleScope,
} from "../../../content/model/localized-model.ts";
import { codesOf, numberOfCode } from "../../../content/locales/locales.ts";
import { DEFAULT_NUMBER } from "../../../content/locales/numbers.ts";
import type { Model } from "../../../content/model/model.ts";
import { statusOf, type Publication, type Status } from "../../../content/model/publication.ts";

type Stated = Publication & { version: number; locales?: string | null | undefined };

/** The publication of a record, with the version that made the content which it is about. */
type Published = Publication & { version: number };

/** Returns the publication of a record in one locale. A model without localized fields has one for all locales. */
export function publicationInLocale(model: Model, record: Stated, locale: number): Published {
  if (locale === DEFAULT_NUMBER || !hasLocalized(model)) return { ...record, version: ownVersion(record) };
  const edition = editionOf(editionsIn(record.locales), locale);
  return { ...publicationOfEdition(edition), version: edition?.v ?? record.version };
}

/** Returns the publication in the locale of the model's scope. */
export const publicationIn = (model: Model, record: Stated): Published =>
  model.scope
    ? publicationInLocale(model, record, localeShown(model.scope))
    : { ...record, version: ownVersion(record) };

/** Returns the number of the locale whose publication stands beside a record: in `all`, the first that the caller sees. */
function localeShown(scope: LocaleScope): number {
  if (!isAll(scope) || seesDefault(scope)) return scope.no;
  const [first] = codesSeen(scope);
  return first === undefined ? scope.no : (numberOfCode(scope.locales, first) ?? scope.no);
}

const statusIn = (model: Model, record: Stated, locale: number): Status => {
  const publication = publicationInLocale(model, record, locale);
  if (publication.publishedVersion === null) return "draft";
  return locale === DEFAULT_NUMBER || !hasLocalized(model)
    ? statusOf(publication, publication.version)
    : statusOfEdition({ p: publication.publishedVersion, v: publication.version });
};

/** Returns the status of each locale by its code. */
export function statusesOf(model: Model, scope: LocaleScope, record: Stated): Record<string, Status> {
  const { locales, inside } = scope;
  const codes = codesOf(locales).filter((code) => inside === null || inside.includes(code));
  return Object.fromEntries(
    codes.map((code) => [code, statusIn(model, record, numberOfCode(locales, code) ?? DEFAULT_NUMBER)]),
  );
}

/**
 * Returns whether a reader of published content sees the record: it is published in the locale of the scope, in one that
 * is borrowed from, or, in `all`, in any.
 */
export function isSeenPublished(model: Model, record: Stated): boolean {
  const { scope } = model;
  if (!scope || !model.drafts || !hasLocalized(model)) return true;
  if (isAll(scope) && scope.inside === null) return true;
  return codesSeen(scope).some(
    (code) =>
      publicationInLocale(model, record, numberOfCode(scope.locales, code) ?? DEFAULT_NUMBER)
        .publishedVersion !== null,
  );
}
