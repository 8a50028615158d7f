/**
 * Chooses the index rows from which a page of records is read:
 * - if a condition matches few records (counted first, up to a bound), it leads: its records are read and sorted;
 * - otherwise the first sort leads: its index rows are in order, and conditions are checked record by record.
 *
 * Both give the same order, because a list may change from one to the other between two pages. So the order of `seq` never
 * stands for that of creation: an import gives an older record a higher `seq` than newer ones have.
 */
import { sql } from "drizzle-orm";
import { DEFAULT_NUMBER } from "../../../content/locales/numbers.ts";
import { scopeOfModel } from "../../../content/search/words.ts";
import { CONTENT } from "../../../limits.ts";
import { searchInLocale } from "../locales/side-search.ts";
import { int } from "../records/record-index.ts";
import { searchPage, type Search } from "../search/search-page.ts";
import { conditionLed, selectBranch, type ListRequest, type PageQuery } from "./record-branches.ts";
import { asMirrored, recordCondition } from "./record-filters.ts";
import { bestLead, leadOf } from "./record-leads.ts";
import { bySort } from "./sparse-sorts.ts";

/**
 * Returns whether the conditions that could lead are on the field of the sort, whose index range they narrow anyway.
 */
function isSortsOwn({ conditions, sorts }: ListRequest): boolean {
  const best = bestLead(conditions);
  const mirrored = best && asMirrored(best);
  const [sort] = sorts;
  return sort?.target.kind === "field" && mirrored?.target.field.no === sort.target.field.no;
}

export const isSearch = (request: ListRequest): request is ListRequest & { search: string } =>
  typeof request.search === "string";

export function searchOf({
  modelId,
  conditions,
  search,
  searchedLocale,
}: ListRequest & { search: string }): Search {
  const of = {
    table: "record_search",
    text: search,
    rows: "records r",
    where: conditions.map(recordCondition),
  } as const;
  if (searchedLocale !== undefined && searchedLocale.no !== DEFAULT_NUMBER) {
    return { ...of, ...searchInLocale(modelId, searchedLocale) };
  }
  return { ...of, scopes: [scopeOfModel(modelId)], words: sql`(r.folded ->> 'words')` };
}

/** Returns the number of results of a search on earlier pages. */
export const offsetOf = ({ after }: ListRequest): number => Number(after?.[0] ?? 0);

/** Returns the `seq` and sort values of the records of the page and of one more, in order. */
export function pageQuery(request: ListRequest): PageQuery {
  if (isSearch(request)) return searchPage(searchOf(request), request.limit, offsetOf(request));
  const few = request.fewMatches ?? CONTENT.fewMatches;
  const lead = isSortsOwn(request) ? null : leadOf(request.modelId, request.conditions, few);
  if (!lead) return bySort(request);
  const areFew = sql.raw("(SELECT are_few FROM matches)");
  const led = selectBranch(conditionLed(request, lead), request, areFew);
  const sorted = bySort(request, sql`NOT ${areFew}`);
  return {
    tables: [
      ...lead.tables,
      sql`matches AS MATERIALIZED (SELECT ${lead.count(few)} <= ${int(few)} AS are_few)`,
      ...sorted.tables,
    ],
    page: sql`SELECT * FROM (${led}) UNION ALL SELECT * FROM (${sorted.page})`,
  };
}
