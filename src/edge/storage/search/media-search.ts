/** Searches media by the words of their file names, alt texts, creators and copyright notices (RULES 3.15, 9.9). */
import { sql, type SQL } from "drizzle-orm";
import { masters, media } from "../../../../schema/tables.ts";
import { batchSql, type Database } from "../database/database.ts";
import { phrasesOf } from "../../../content/search/words.ts";
import { wordsInLocale } from "../media/media-facts.ts";
import { mediaConditions, type ListedMedia, type MediaListRequest } from "../lists/media-list.ts";
import { current } from "../media/media.ts";
import { matchCount, searchCount, searchPage, type Search } from "./search-page.ts";

export type MediaSearchRequest = Omit<MediaListRequest, "sorts"> & { search: string };

/** Returns the conditions that an item has the words in the asked locale. The index has those of all locales. */
function areInLocale({ locale, spaceId, search }: MediaSearchRequest): SQL[] {
  if (locale === null) return [];
  const phrases = phrasesOf(search, spaceId);
  return phrases.map(({ words }) => sql`instr(' ' || ${wordsInLocale(locale)}, ${` ${words}`}) > 0`);
}

const searchOf = (request: MediaSearchRequest): Search => ({
  table: "media_search",
  scopes: [request.spaceId],
  text: request.search,
  rows: "media m",
  words: sql`((m.words ->> 0) || ' ' || (m.words ->> 1) || coalesce(' ' || (m.words ->> 2), ''))`,
  where: [mediaConditions(request), ...areInLocale(request)],
});

/** Counts the items that have the words in whatever locale, up to `max + 1`. */
export async function countMatches(db: Database, request: MediaSearchRequest, max: number): Promise<number> {
  return (await db.get<{ n: number }>(sql`SELECT ${matchCount(searchOf(request), max)} AS n`)).n;
}

/** Returns the offset of a page: in a search, a position is the number of earlier results. */
const offsetOf = ({ after }: MediaSearchRequest): number => Number(after?.[0] ?? 0);

export function mediaSearchStatement(request: MediaSearchRequest): SQL {
  const { tables, page } = searchPage(searchOf(request), request.limit, offsetOf(request));
  return sql`WITH ${sql.join(tables, sql`, `)} ${page}`;
}

/** Finds `limit` items, best first, and one more if there are more. */
export async function searchMediaItems(
  db: Database,
  request: MediaSearchRequest,
): Promise<{ items: ListedMedia[]; counted: number | null }> {
  const { countMax } = request;
  const count = countMax === null ? [] : [searchCount(searchOf(request), countMax)];
  const [found = [], counted = []] = await batchSql(db, [mediaSearchStatement(request), ...count]);
  const seqs = (found as { seq: number }[]).map(({ seq }) => seq);
  const rows = await db
    .select({ media, master: masters })
    .from(media)
    .innerJoin(masters, current)
    .where(
      sql`${media.seq} IN (SELECT value FROM json_each(${JSON.stringify(seqs)})) AND ${media.deletedAt} IS NULL`,
    );
  const bySeq = new Map(rows.map((row) => [row.media.seq, row]));
  const items = seqs.flatMap((seq, index) => {
    const row = bySeq.get(seq);
    return row ? [{ ...row, position: [offsetOf(request) + index + 1] }] : [];
  });
  const [total] = counted as { n: number }[];
  return { items, counted: total?.n ?? null };
}
