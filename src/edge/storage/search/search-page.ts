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
  /** The beginnings that an indexed word may have. */
  scopes: readonly string[];
  /** Any text. If it contains no word, nothing is found. */
  text: string;
  /** The searched rows and their name in `words` and `where`. The rowid of the searched table `s` is their `seq`. */
  rows: "records r" | "media m";
  /** The words of a row, with one space between two. */
  words: SQL;
  /** Further conditions on the rows. */
  where: readonly SQL[];
  /**
   * How the rowids of locales lead to rows; left out where a rowid is the number of its row. Rows of one locale alone are
   * in the order of their rowids, which FTS5 gives without reading all of them.
   */
  ofLocales?: {
    seqOf: (rowid: SQL) => SQL;
    condition: SQL | null;
    isOne: boolean;
    /** Joins the contents that `words` reads from. `seq` is the number of their row. */
    joinOf: (seq: SQL) => SQL;
  };
}

/** A query for which FTS5 finds nothing. */
const NO_WORD = '""';
const HAS_DIGIT = /\d/;

/** Sorts words that are likely to be rare before others: numbers and codes, then long words before short ones. */
const rareFirst = (a: Phrase, b: Phrase): number =>
  Number(HAS_DIGIT.test(b.words)) - Number(HAS_DIGIT.test(a.words)) || b.words.length - a.words.length;

const phrasesOfSearch = ({ text, scopes }: Search): Phrase[] =>
  phrasesOf(text, ...scopes).toSorted(rareFirst);

const seqOf = ({ ofLocales }: Search): SQL => {
  const rowid = sql.raw("s.rowid");
  return ofLocales ? ofLocales.seqOf(rowid) : rowid;
};

/** Returns all words together, as FTS5 looks for them. */
const together = (phrases: readonly Phrase[]): SQL =>
  sql`${phrases.map(({ match }) => match).join(" AND ") || NO_WORD}`;

const countOf = (max: number, { table }: Search, match: SQL): SQL =>
  sql`(SELECT count(*) FROM (SELECT 1 FROM ${sql.raw(table)} s WHERE s.${sql.raw(table)} MATCH ${match} LIMIT ${int(max + 1)}))`;

const areAtMost = (max: number, search: Search, match: SQL): SQL =>
  sql`${countOf(max, search, match)} <= ${int(max)}`;

/** Counts the rows of the index that hold all words, up to `max + 1`, whatever the further conditions are. */
export const matchCount = (search: Search, max: number): SQL =>
  countOf(max, search, together(phrasesOfSearch(search)));

/**
 * Returns a table of one row: `rare`, of several words the first that few rows hold, as FTS5 looks for it, or null; and
 * `words`, the words as rows hold them, as JSON.
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
 * Returns the rows that match. FTS5 merges the lists of all words that begin with one that it is given, once to find
 * and once more to rank. If one word is rare it is given that one alone, and the few rows that hold it are asked for
 * the others. Without conditions, no other rows are looked up. SQLite leaves out the join with rows that nothing reads.
 */
function found(search: Search): SQL {
  const { table, rows, words, where } = search;
  const phrases = phrasesOfSearch(search);
  const [, alias = ""] = rows.split(" ");
  const of = (seq: SQL): SQL => sql`JOIN ${sql.raw(rows)} ON ${sql.raw(alias)}.seq = ${seq}`;
  const rowid = seqOf(search);
  const all = together(phrases);
  const matches = (match: SQL): SQL => sql`s.${sql.raw(table)} MATCH ${match}`;
  const ofLocale = search.ofLocales?.condition ?? null;
  const own = ofLocale ? [ofLocale] : [];
  const join = where.length > 0 ? sql`CROSS ${of(rowid)}` : sql``;
  if (phrases.length < 2)
    return sql`${sql.raw(table)} s ${join} WHERE ${sql.join([matches(all), ...own, ...where], sql` AND `)}`;
  const ofRare = sql`iif(${RARE} IS NULL, NULL, ${rowid})`;
  const joinRare = where.length > 0 ? join : sql`LEFT ${of(ofRare)}`;
  const joinContents = search.ofLocales?.joinOf(ofRare) ?? sql``;
  const holds = phrases.map(
    (_, index) => sql`instr(' ' || ${words}, (SELECT ' ' || (words ->> ${int(index)}) FROM rarest)) > 0`,
  );
  const holdsAll = sql`(${RARE} IS NULL OR (${sql.join(holds, sql` AND `)}))`;
  const conditions = [matches(sql`coalesce(${RARE}, ${all})`), holdsAll, ...own, ...where];
  return sql`${sql.raw(table)} s ${joinRare} ${joinContents} WHERE ${sql.join(conditions, sql` AND `)}`;
}

/**
 * Returns the numbers of the rows of a page and of one more, in order, within the first 1,000 results.
 *
 * @param offset the number of earlier results
 */
export function searchPage(search: Search, limit: number, offset: number): { tables: SQL[]; page: SQL } {
  const many = int(Math.max(0, Math.min(limit + 1, CONTENT.searchResultsMax - offset)));
  const branch = (
    order: SQL,
    only: SQL,
  ): SQL => sql`SELECT * FROM (SELECT ${seqOf(search)} AS seq FROM ${found(search)}
    ORDER BY ${order} LIMIT CASE WHEN ${only} THEN ${many} ELSE 0 END OFFSET ${int(offset)})`;
  const place = search.ofLocales?.isOne === true ? sql.raw("s.rowid") : seqOf(search);
  const areFew = areAtMost(CONTENT.searchRankedMax, search, together(phrasesOfSearch(search)));
  const isRanked = sql.raw("(SELECT is_ranked FROM matches)");
  return {
    tables: [
      rarest(search),
      sql`matches AS MATERIALIZED (SELECT ${RARE} IS NOT NULL OR ${areFew} AS is_ranked)`,
    ],
    page: sql`${branch(sql`s.rank, ${place} DESC`, isRanked)}
      UNION ALL ${branch(sql`${place} DESC`, sql`NOT ${isRanked}`)}`,
  };
}

/** Counts all results up to `max + 1`, those after the first 1,000 included. */
export const searchCount = (search: Search, max: number): SQL =>
  sql`WITH ${rarest(search)} SELECT count(*) AS n FROM (SELECT 1 FROM ${found(search)} LIMIT ${int(max + 1)})`;
