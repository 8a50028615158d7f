/**
 * Chooses the index rows from which a page of records is read:
 * - in a list by time of creation, a filter by equality leads: its index rows have the order of `seq`, which is that of
 *   creation unless the model is marked as disordered (creation-order.ts);
 * - if a condition matches few records (counted first, up to a bound), it leads: its records are read and sorted;
 * - otherwise the first sort leads: its index rows are in order, and conditions are checked record by record.
 *
 * All give the same order, because a list may change from one to another between two pages.
 */
import { sql, type SQL } from "drizzle-orm";
import { DEFAULT_NUMBER } from "../../../content/locales/numbers.ts";
import { scopeOfModel } from "../../../content/search/words.ts";
import { CONTENT } from "../../../limits.ts";
import { searchInLocale } from "../locales/side-search.ts";
import { int } from "../records/record-index.ts";
import { searchPage, type Search } from "../search/search-page.ts";
import { isByCreation, isOrdered, selectInOrder } from "./creation-order.ts";
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
  const rows = isByCreation(request) ? lead.inOrder : null;
  const inOrder = rows ? sql`WHEN ${isOrdered(request)} AND ${rows.while} THEN 'order'` : sql``;
  const choice = sql`CASE ${inOrder} WHEN ${lead.count(few)} <= ${int(few)} THEN 'condition' ELSE 'sort' END`;
  const is = (name: string): SQL => sql`(SELECT name FROM choice) = ${sql.raw(`'${name}'`)}`;
  const sorted = bySort(request, is("sort"));
  const pages = [
    ...(rows ? [selectInOrder(request, lead, rows, is("order"))] : []),
    selectBranch(conditionLed(request, lead), request, is("condition")),
    sorted.page,
  ];
  return {
    tables: [...lead.tables, sql`choice AS MATERIALIZED (SELECT ${choice} AS name)`, ...sorted.tables],
    page: sql.join(
      pages.map((page) => sql`SELECT * FROM (${page})`),
      sql` UNION ALL `,
    ),
  };
}
