/**
 * Searches by words (RULES 3.15), best first by FTS5's bm25: of all words, or of the one that only few rows hold. If more
 * rows match than are ranked, the newest come first.
 * The cost grows with the matches, but not with the content of other models or spaces, because every indexed word
 * begins with its scope.
 */
import { sql, type SQL } from "drizzle-orm";
import { phrasesOf, type Phrase } from "../../../content/search/words.ts";
import { CONTENT } from "../../../limits.ts";
import { int } from "../records/record-index.ts";

export interface Search {
  table: "record_search" | "media_search";
  /** The beginning of each indexed word. */
  scope: string;
  /** Any text. If it contains no word, nothing is found. */
  text: string;
  /** The searched rows and their name in `words` and `where`. The rowid of the searched table `s` is their `seq`. */
  rows: "records r" | "media m";
  /** The words of a row, with one space between two. */
  words: SQL;
  /** Further conditions on the rows. */
  where: readonly SQL[];
}

/** A query for which FTS5 finds nothing. */
const NO_WORD = '""';
const HAS_DIGIT = /\d/;

/** Words that are likely to be rare come first: numbers and codes, then long words before short ones. */
const rareFirst = (a: Phrase, b: Phrase): number =>
  Number(HAS_DIGIT.test(b.words)) - Number(HAS_DIGIT.test(a.words)) || b.words.length - a.words.length;

const phrasesOfSearch = ({ text, scope }: Search): Phrase[] => phrasesOf(text, scope).toSorted(rareFirst);

/** All words together, as FTS5 looks for them. */
const together = (phrases: readonly Phrase[]): SQL =>
  sql`${phrases.map(({ match }) => match).join(" AND ") || NO_WORD}`;

const areAtMost = (max: number, { table }: Search, match: SQL): SQL =>
  sql`(SELECT count(*) FROM (SELECT 1 FROM ${sql.raw(table)} s WHERE s.${sql.raw(table)} MATCH ${match} LIMIT ${int(max + 1)})) <= ${int(max)}`;

/**
 * A table of one row: `rare`, of several words the first that few rows hold, as FTS5 looks for it, or null; and `words`,
 * the words as rows hold them, as JSON.
 */
function rarest(search: Search): SQL {
  const phrases = phrasesOfSearch(search);
  const asJson = (key: keyof Phrase): SQL => sql`${JSON.stringify(phrases.map((phrase) => phrase[key]))}`;
  const isRare = areAtMost(CONTENT.searchRareMax, search, sql.raw("word.value"));
  const rare = sql`(SELECT value FROM json_each(${asJson("match")}) word WHERE ${isRare} LIMIT 1)`;
  return sql`rarest AS MATERIALIZED (SELECT ${phrases.length < 2 ? sql`NULL` : rare} AS rare, ${asJson("words")} AS words)`;
}

const RARE = sql.raw("(SELECT rare FROM rarest)");

/**
 * The rows that match. FTS5 merges the lists of all words that begin with one that it is given, once to find and once
 * more to rank. If one word is rare it is given that one alone, and the few rows that hold it are asked for the others.
 * Without conditions, no other rows are looked up.
 */
function found(search: Search): SQL {
  const { table, rows, words, where } = search;
  const phrases = phrasesOfSearch(search);
  const [, alias = ""] = rows.split(" ");
  const of = (seq: SQL): SQL => sql`${sql.raw(rows)} ON ${sql.raw(alias)}.seq = ${seq}`;
  const rowid = sql.raw("s.rowid");
  const all = together(phrases);
  const matches = (match: SQL): SQL => sql`s.${sql.raw(table)} MATCH ${match}`;
  const join = where.length > 0 ? sql`CROSS JOIN ${of(rowid)}` : sql``;
  if (phrases.length < 2)
    return sql`${sql.raw(table)} s ${join} WHERE ${sql.join([matches(all), ...where], sql` AND `)}`;
  const joinRare = where.length > 0 ? join : sql`LEFT JOIN ${of(sql`iif(${RARE} IS NULL, NULL, ${rowid})`)}`;
  const holds = phrases.map(
    (_, index) => sql`instr(' ' || ${words}, (SELECT ' ' || (words ->> ${int(index)}) FROM rarest)) > 0`,
  );
  const holdsAll = sql`(${RARE} IS NULL OR (${sql.join(holds, sql` AND `)}))`;
  const conditions = [matches(sql`coalesce(${RARE}, ${all})`), holdsAll, ...where];
  return sql`${sql.raw(table)} s ${joinRare} WHERE ${sql.join(conditions, sql` AND `)}`;
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
  const areFew = areAtMost(CONTENT.searchRankedMax, search, together(phrasesOfSearch(search)));
  const isRanked = sql.raw("(SELECT is_ranked FROM matches)");
  return {
    tables: [
      rarest(search),
      sql`matches AS MATERIALIZED (SELECT ${RARE} IS NOT NULL OR ${areFew} AS is_ranked)`,
    ],
    page: sql`${branch(sql.raw("s.rank, s.rowid DESC"), isRanked)}
      UNION ALL ${branch(sql.raw("s.rowid DESC"), sql`NOT ${isRanked}`)}`,
  };
}

/** Counts all results up to `max + 1`, those after the first 1,000 included. */
export const searchCount = (search: Search, max: number): SQL =>
  sql`WITH ${rarest(search)} SELECT count(*) AS n FROM (SELECT 1 FROM ${found(search)} LIMIT ${int(max + 1)})`;
