/** The editions of a page that gets other content: its defaults, or those of an entry of the trash. Pure. */
import {
  earliestPlan,
  editionsColumn,
  editionsIn,
  ownVersion,
  type Edition,
} from "../../../content/model/editions.ts";
import { DEFAULT_NUMBER } from "../../../content/locales/numbers.ts";
import { without } from "../../../content/locales/without.ts";
import type { RecordRow } from "../spaces/entries.ts";

export interface EditionsOfPage {
  /** The editions of the page, and of its published row. */
  own: string;
  published: string;
  planAt: number | null;
  /** The contents that are replaced, by the number of their locale, each with the version that made it. */
  replaced: ReadonlyMap<number, number>;
}

const OWN = String(DEFAULT_NUMBER);

/** Returns editions as they are where nothing is published or planned. */
export function withoutPublications(column: string | null): string | null {
  if (column === null) return null;
  const bare = Object.entries(editionsIn(column)).map(([locale, { v }]) => [locale, { v }]);
  return JSON.stringify(Object.fromEntries(bare));
}

/** Returns an edition of the entry as the page has it: what was published as it is stays so. */
function restored(edition: Edition, version: number, now: number): Edition {
  const { p, pub, unpub } = edition;
  const bare = without(edition, "p", "pub", "unpub");
  return {
    ...bare,
    v: version,
    ...(p !== undefined && { p: p >= edition.v ? version : p }),
    ...(pub !== undefined && pub > now && { pub }),
    ...(unpub !== undefined && unpub > now && { unpub }),
  };
}

/** Returns the editions after the change; null for a page that never had more than one. */
export function editionsOfPage(
  page: RecordRow,
  from: RecordRow | undefined,
  isWhole: boolean,
  now: number,
): EditionsOfPage | null {
  if (page.locales === null && (from?.locales ?? null) === null) return null;
  const version = page.version + 1;
  const before = editionsIn(page.locales);
  const given = editionsIn(from?.locales);
  const locales = new Set([OWN, ...Object.keys(before), ...Object.keys(given)]);
  const after: Record<string, Edition> = {};
  for (const locale of locales) {
    const edition = isWhole ? given[locale] : before[locale];
    const isKept = edition !== undefined && locale !== OWN;
    after[locale] = isKept
      ? isWhole
        ? restored(edition, version, now)
        : { ...edition, v: version }
      : { v: version };
  }
  const sides = Object.entries(after).filter(([locale]) => locale !== OWN);
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
  const replaced = Object.entries(before).map(([locale, { v }]): [number, number] => [Number(locale), v]);
  return {
    own: editionsColumn(after),
    published: editionsColumn(Object.fromEntries(published)),
    planAt: earliestPlan(Object.fromEntries(sides)),
    replaced: new Map([[DEFAULT_NUMBER, ownVersion(page)], ...replaced]),
  };
}
