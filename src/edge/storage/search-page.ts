/**
 * Searches by words (RULES 3.15), best first by FTS5's bm25. If more rows match than are ranked, the newest come first.
 * The cost grows with the matches, but not with the content of other models or spaces, because every indexed word
 * begins with its scope.
 */
import { sql, type SQL } from "drizzle-orm";
import { phrasesOf } from "../content-model/words.ts";
import { CONTENT } from "../../limits.ts";
import { int } from "./record-index.ts";

export interface Search {
  table: "record_search" | "media_search";
  /** The beginning of each indexed word. */
  scope: string;
  /** Any text. If it contains no word, nothing is found. */
  text: string;
  /** Joins to the searched table `s`, whose rowid is the number of a row. */
  joins: SQL;
  /** Further conditions. */
  where: readonly SQL[];
}

/** A query for which FTS5 finds nothing. */
const NO_WORD = '""';

function matching({ table, joins, where }: Search, phrases: string[]): SQL {
  const all = [sql`s.${sql.raw(table)} MATCH ${phrases.join(" AND ") || NO_WORD}`, ...where];
  return sql`${sql.raw(table)} s ${joins} WHERE ${sql.join(all, sql` AND `)}`;
}

const found = (search: Search): SQL => matching(search, phrasesOf(search.text, search.scope));

const HAS_DIGIT = /\d/;
const wordOf = (phrase: string, scope: string): string => phrase.replaceAll(scope, "");

/** Words that are likely to be rare come first: numbers and codes, then long words before short ones. */
const rareFirst = (a: string, b: string): number =>
  Number(HAS_DIGIT.test(b)) - Number(HAS_DIGIT.test(a)) || b.length - a.length;

/**
 * Whether at most `searchRankedMax` rows match, whatever else is asked of them. Words are counted alone first: if one is
 * rare, FTS5 need not merge the long lists of the others once more.
 */
function areRanked(search: Search): SQL {
  const { text, scope } = search;
  const phrases = phrasesOf(text, scope);
  const unfiltered = { ...search, joins: sql``, where: [] };
  const areAtMost = (max: number, of: string[]): SQL =>
    sql`(SELECT count(*) FROM (SELECT 1 FROM ${matching(unfiltered, of)} LIMIT ${int(max + 1)})) <= ${int(max)}`;
  // The scope, with which every word begins, has digits itself.
  const alone =
    phrases.length < 2 ? [] : phrases.toSorted((a, b) => rareFirst(wordOf(a, scope), wordOf(b, scope)));
  const isOneRare = alone.map((phrase) => areAtMost(CONTENT.searchRareMax, [phrase]));
  return sql.join([...isOneRare, areAtMost(CONTENT.searchRankedMax, phrases)], sql` OR `);
}

/**
 * The numbers of the rows of a page and of one more, in order, within the first 1,000 results.
 *
 * @param offset the number of earlier results
 */
export function searchPage(search: Search, limit: number, offset: number): { tables: SQL[]; page: SQL } {
  const many = int(Math.max(0, Math.min(limit + 1, CONTENT.searchResultsMax - offset)));
  const branch = (
    order: SQL,
    only: SQL,
  ): SQL => sql`SELECT * FROM (SELECT s.rowid AS seq FROM ${found(search)}
    ORDER BY ${order} LIMIT CASE WHEN ${only} THEN ${many} ELSE 0 END OFFSET ${int(offset)})`;
  const isRanked = sql.raw("(SELECT is_ranked FROM matches)");
  return {
    tables: [sql`matches AS MATERIALIZED (SELECT ${areRanked(search)} AS is_ranked)`],
    page: sql`${branch(sql.raw("s.rank, s.rowid DESC"), isRanked)}
      UNION ALL ${branch(sql.raw("s.rowid DESC"), sql`NOT ${isRanked}`)}`,
  };
}

/** Counts all results up to `max + 1`, those after the first 1,000 included. */
export const searchCount = (search: Search, max: number): SQL =>
  sql`SELECT count(*) AS n FROM (SELECT 1 FROM ${found(search)} LIMIT ${int(max + 1)})`;
