/**
 * Searches in a locale (RULES 3.31). The words of a record in a locale other than the default, and with them those of
 * its shared fields, stand at a rowid of their own, which holds the number of the locale. The words of the shared fields
 * alone stand at one more, for records that hold no words in the locale. Triggers write both.
 */
import { sql, type SQL } from "drizzle-orm";
import { scopeOfLocale } from "../../../content/search/words.ts";
import type { Search } from "../search/search-page.ts";
import { int } from "../records/index-parts.ts";

/** The number that stands for the shared fields of all locales. Triggers name it, too. */
const SHARED = 1000;

/** The rowids of one locale. The number of a row is between minus half of them and half of them. */
const PER_LOCALE = 2n ** 53n;
const HALF = PER_LOCALE / 2n;

const big = (n: bigint): SQL => sql.raw(String(n));

const seqOf = (rowid: SQL): SQL => sql`((${rowid} + ${big(HALF)}) % ${big(PER_LOCALE)} - ${big(HALF)})`;

export interface SearchedLocale {
  /** The number of the locale. */
  no: number;
  /** Whether searches also look at fields that do not differ by locale. */
  hasShared: boolean;
}

export function searchInLocale(
  modelId: number,
  { no: locale, hasShared }: SearchedLocale,
): Pick<Search, "scopes" | "words" | "ofLocales"> {
  const isOf = (record: SQL): SQL => sql`l.record = ${record} AND l.locale = ${int(locale)}`;
  const own = sql.raw("l.folded ->> 'words'");
  const joinOf = (seq: SQL): SQL => sql`LEFT JOIN record_locales l ON ${isOf(seq)}`;
  if (!hasShared) {
    return {
      scopes: [scopeOfLocale(modelId, locale)],
      words: sql`coalesce(${own}, '')`,
      ofLocales: { seqOf, condition: null, isOne: true, joinOf },
    };
  }
  const isOfShared = sql`s.rowid >= ${big(BigInt(SHARED) * PER_LOCALE - HALF)}`;
  return {
    scopes: [scopeOfLocale(modelId, locale), scopeOfLocale(modelId, SHARED)],
    words: sql`(coalesce((${own}) || ' ', '') || coalesce(r.folded ->> 'shared', ''))`,
    ofLocales: {
      seqOf,
      isOne: false,
      condition: sql`NOT (${isOfShared} AND coalesce((SELECT ${own} FROM record_locales l
        WHERE ${isOf(seqOf(sql.raw("s.rowid")))}), '') <> '')`,
      joinOf,
    },
  };
}
