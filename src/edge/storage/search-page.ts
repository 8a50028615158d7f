/**
 * What words are found in (RULES 3.15), the best first: FTS5's bm25. Where more match than are ranked, the newest are the
 * first. What it costs grows with the matches, never with what other models or spaces hold: every word begins with what
 * it is searched in.
 */
import { sql, type SQL } from "drizzle-orm";
import { matchOf } from "../content-model/words.ts";
import { CONTENT } from "../../limits.ts";
import { int } from "./record-index.ts";

export interface Search {
  table: "record_search" | "media_search";
  /** What each word begins with. */
  scope: string;
  /** Any text: without a word in it, nothing is found. */
  text: string;
  /** Joins to `s`, the table that is searched, whose rowid is a number of a row. */
  joins: SQL;
  /** What must hold besides. */
  where: readonly SQL[];
}

/** What FTS5 finds nothing for. */
const NO_WORD = '""';

function found({ table, scope, text, joins, where }: Search): SQL {
  const all = [sql`s.${sql.raw(table)} MATCH ${matchOf(text, scope) ?? NO_WORD}`, ...where];
  return sql`${sql.raw(table)} s ${joins} WHERE ${sql.join(all, sql` AND `)}`;
}

/**
 * Numbers of the rows of a page and one more, in order, within the first 1,000 results.
 *
 * @param offset how many results were before
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

/** Counts the results up to one past `max`, those past the first 1,000 too. */
export const searchCount = (search: Search, max: number): SQL =>
  sql`SELECT count(*) AS n FROM (SELECT 1 FROM ${found(search)} LIMIT ${int(max + 1)})`;
