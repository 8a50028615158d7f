/**
 * Searches by words (RULES 3.15), best first by FTS5's bm25. If more rows match than are ranked, the newest come first.
 * The cost grows with the matches, but not with the content of other models or spaces, because every indexed word
 * begins with its scope.
 */
import { sql, type SQL } from "drizzle-orm";
import { matchOf } from "../content-model/words.ts";
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

function found({ table, scope, text, joins, where }: Search): SQL {
  const all = [sql`s.${sql.raw(table)} MATCH ${matchOf(text, scope) ?? NO_WORD}`, ...where];
  return sql`${sql.raw(table)} s ${joins} WHERE ${sql.join(all, sql` AND `)}`;
}

/**
 * The numbers of the rows of a page and of one more, in order, within the first 1,000 results.
 *
 * @param offset the number of earlier results
 */
export function searchPage(search: Search, limit: number, offset: number): { tables: SQL[]; page: SQL } {
  const ranked = int(CONTENT.searchRankedMax);
  const many = int(Math.max(0, Math.min(limit + 1, CONTENT.searchResultsMax - offset)));
  const branch = (
    order: SQL,
    only: SQL,
  ): SQL => sql`SELECT * FROM (SELECT s.rowid AS seq FROM ${found(search)}
    ORDER BY ${order} LIMIT CASE WHEN ${only} THEN ${many} ELSE 0 END OFFSET ${int(offset)})`;
  const isRanked = sql.raw("(SELECT is_ranked FROM matches)");
  return {
    tables: [
      sql`matches AS MATERIALIZED (SELECT count(*) <= ${ranked} AS is_ranked FROM
        (SELECT 1 FROM ${found({ ...search, joins: sql``, where: [] })} LIMIT ${ranked} + 1))`,
    ],
    page: sql`${branch(sql.raw("s.rank, s.rowid DESC"), isRanked)}
      UNION ALL ${branch(sql.raw("s.rowid DESC"), sql`NOT ${isRanked}`)}`,
  };
}

/** Counts all results up to `max + 1`, those after the first 1,000 included. */
export const searchCount = (search: Search, max: number): SQL =>
  sql`SELECT count(*) AS n FROM (SELECT 1 FROM ${found(search)} LIMIT ${int(max + 1)})`;
