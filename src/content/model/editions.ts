/**
 * The editions of a record: what its row says of each locale's content and publication, by the number of the locale.
 * The publication of the default locale stands in the columns of the row, as that of a record without locales.
 */
import type { Publication, Status } from "./publication.ts";
import { DEFAULT_NUMBER } from "../locales/numbers.ts";

export interface Edition {
  /** The version that made the content. */
  v: number;
  /** The version that is published, and since when; left out for none. */
  p?: number;
  at?: number;
  /** The first publication. */
  first?: number;
  /** Plans to publish and to unpublish. */
  pub?: number;
  unpub?: number;
  /** The version whose content an import left out, because a line of its own has it. It waits while it is `v`. */
  w?: number;
}

export type Editions = Readonly<Record<string, Edition>>;

export const editionsIn = (column: string | null | undefined): Editions =>
  typeof column === "string" ? (JSON.parse(column) as Editions) : {};

export const editionOf = (editions: Editions, locale: number): Edition | undefined =>
  editions[String(locale)];

/** Returns whether the content of a locale is still to come with a line of an import. */
export const isAwaited = ({ v, w }: Pick<Edition, "v" | "w">): boolean => w === v;

/** Returns the version that made what stands in the record's own row. */
export const ownVersion = (record: { version: number; locales?: string | null | undefined }): number =>
  editionOf(editionsIn(record.locales), DEFAULT_NUMBER)?.v ?? record.version;

/** Returns the publication of an edition, in the form that a record without locales has. */
export const publicationOfEdition = (edition: Edition | undefined): Publication => ({
  publishedVersion: edition?.p ?? null,
  publishedAt: edition?.at ?? null,
  firstPublishedAt: edition?.first ?? null,
  publishAt: edition?.pub ?? null,
  unpublishAt: edition?.unpub ?? null,
});

export function statusOfEdition({ p, v }: Pick<Edition, "p" | "v">): Status {
  if (p === undefined) return "draft";
  return p >= v ? "published" : "changed";
}

/** Returns the earliest plan of all editions; null for none. */
export function earliestPlan(editions: Editions): number | null {
  const times = Object.values(editions).flatMap(({ pub, unpub }) =>
    [pub, unpub].filter((one) => one !== undefined),
  );
  return times.length === 0 ? null : Math.min(...times);
}

/** Returns whether anything of a record is published, in whatever locale. */
export const isPublishedAnywhere = (record: {
  publishedVersion: number | null;
  locales: string | null;
}): boolean =>
  record.publishedVersion !== null ||
  Object.values(editionsIn(record.locales)).some(({ p }) => p !== undefined);

/** Returns whether a record ever held values in a locale other than the default. */
export const hasSides = ({ locales }: { locales: string | null }): boolean =>
  Object.keys(editionsIn(locales)).some((locale) => locale !== String(DEFAULT_NUMBER));

/** Returns the column, without what says nothing. */
export const editionsColumn = (editions: Editions): string => JSON.stringify(editions);
