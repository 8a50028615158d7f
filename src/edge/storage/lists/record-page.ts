/**
 * Which index rows a page of records is read from:
 * - with the default order, a filter by equality leads: its index rows are in order of creation already;
 * - if a condition matches few records (counted first, up to a bound), it leads: its records are read and sorted;
 * - otherwise the first sort leads: its index rows are in order, and conditions are checked record by record.
 */
import { sql, type SQL } from "drizzle-orm";
import type { Condition, Sort } from "../../../content/query/list-query.ts";
import { scopeOfModel } from "../../../content/search/words.ts";
import { CONTENT } from "../../../limits.ts";
import { keyset, type Position, type Term } from "../pages/keyset.ts";
import { asMirrored, mirroredRows, recordCondition } from "./record-filters.ts";
import { int } from "../records/record-index.ts";
import { bestLead, leadOf, withSameField, type Lead } from "./record-leads.ts";
import { searchPage, type Search } from "../search/search-page.ts";
import { hasPublicationIndex, sortedSystemValue } from "./system-values.ts";

export interface ListRequest {
  modelId: number;
  /** Conditions that must all hold. */
  conditions: Condition[];
  sorts: Sort[];
  /** The words of a search, whose results come best first. It has no sorts. */
  search?: string | null;
  /**
   * The sort values of the last record of the previous page (null for no value), and its `seq`. For a search, the
   * number of earlier results.
   */
  after: Position | null;
  limit: number;
  /** Also counts all records of the list, up to one more than this number; null does not count. */
  countMax?: number | null;
  /** The largest number of matches with which a condition leads. */
  fewMatches?: number;
}

const isByCreation = ({ sorts }: ListRequest): boolean => {
  const [first] = sorts;
  return sorts.length === 1 && first?.target.kind === "system" && first.target.column === "created_at";
};

const and = (conditions: SQL[]): SQL => (conditions.length === 0 ? sql`1` : sql.join(conditions, sql` AND `));

interface Branch {
  from: SQL;
  where: SQL[];
  terms: Term[];
}

/** Joins the index rows of the sort fields, except the one that leads. */
function sortJoins(sorts: Sort[], led: number | null): SQL {
  const joins = sorts.flatMap(({ target }, index) => {
    if (target.kind === "system" || index === led) return [];
    const alias = sql.raw(`s${index}`);
    return [
      sql`CROSS JOIN record_values ${alias} ON ${alias}.record = r.seq AND ${alias}.field = ${int(target.field.no)}`,
    ];
  });
  return sql.join(joins, sql` `);
}

function termsOf({ sorts, modelId }: ListRequest, seq: SQL): Term[] {
  const terms = sorts.map(({ target, descending }, index) => ({
    value:
      target.kind === "system"
        ? sortedSystemValue(sql.raw("r"), target.column, modelId)
        : sql.raw(`s${index}.value`),
    descending,
  }));
  return [...terms, { value: seq, descending: sorts[0]?.descending ?? false }];
}

const rest = (request: ListRequest, decided: readonly Condition[]): SQL[] =>
  request.conditions.filter((condition) => !decided.includes(condition)).map(recordCondition);

/** The branch that reads the rows of one value, which are in order of creation. */
function inCreationOrder(request: ListRequest, lead: Lead, rows: NonNullable<Lead["inOrder"]>): Branch {
  const [sort] = request.sorts;
  return {
    from: sql`${rows.from} CROSS JOIN records r ON r.seq = d.record`,
    where: [...rows.where, ...rest(request, lead.decides)],
    terms: [{ value: sql.raw("d.record"), descending: sort?.descending ?? false }],
  };
}

function conditionLed(request: ListRequest, lead: Lead): Branch {
  return {
    from: sql`${lead.from} CROSS JOIN records r ON r.seq = d.record ${sortJoins(request.sorts, null)}`,
    where: [...lead.where, ...rest(request, lead.decides)],
    terms: termsOf(request, sql.raw("r.seq")),
  };
}

function sortLed(request: ListRequest): Branch {
  const { modelId, sorts, conditions } = request;
  const lead = sorts[0]?.target;
  if (lead?.kind !== "field") {
    // The indexes by publication hold published contents alone, which SQLite has to be told.
    const ofIndex = lead && hasPublicationIndex(modelId, lead.column) ? [sql`r.model_id < 0`] : [];
    return {
      from: sql`records r ${sortJoins(sorts, null)}`,
      where: [sql`r.model_id = ${int(modelId)}`, sql`r.deleted_at IS NULL`, ...ofIndex, ...rest(request, [])],
      terms: termsOf(request, sql.raw("r.seq")),
    };
  }
  // Filters on the field of the sort narrow the index range.
  const mirrored = conditions.map(asMirrored).find((filter) => filter?.target.field.no === lead.field.no);
  const own = mirrored ? withSameField(conditions, mirrored) : null;
  return {
    from: sql`record_values s0 CROSS JOIN records r ON r.seq = s0.record ${sortJoins(sorts, 0)}`,
    where: [
      own
        ? mirroredRows("s0", modelId, own)
        : sql`s0.model_id = ${int(modelId)} AND s0.field = ${int(lead.field.no)}`,
      ...rest(request, own ?? []),
    ],
    terms: termsOf(request, sql.raw("s0.record")),
  };
}

/** @param only the condition under which the branch is used: else its limit is 0, so that SQLite does not run it */
function selectBranch(branch: Branch, request: ListRequest, only?: SQL): SQL {
  const { from, where, terms } = branch;
  const { after, limit } = request;
  // In order of creation, `seq` alone is the position of the previous page's end.
  const values = after && (terms.length === 1 ? after.slice(-1) : after);
  const conditions = [...where, ...(values ? [keyset(terms, values)] : [])];
  const keys = terms.length === 1 ? [sql.raw("r.created_at AS k0")] : terms.slice(0, -1).map(asKey);
  const order = terms.map(({ value, descending }) => sql`${value} ${sql.raw(descending ? "DESC" : "ASC")}`);
  return sql`SELECT r.seq AS seq, ${sql.join(keys, sql`, `)} FROM ${from} WHERE ${and(conditions)}
    ORDER BY ${sql.join(order, sql`, `)} LIMIT ${only ? sql`CASE WHEN ${only} THEN ${int(limit + 1)} ELSE 0 END` : int(limit + 1)}`;
}

const asKey = ({ value }: Term, index: number): SQL => sql`${value} AS ${sql.raw(`k${index}`)}`;

/** Whether the conditions that could lead are on the field of the sort, whose index range they narrow anyway. */
function isSortsOwn({ conditions, sorts }: ListRequest): boolean {
  const best = bestLead(conditions);
  const mirrored = best && asMirrored(best);
  const [sort] = sorts;
  return sort?.target.kind === "field" && mirrored?.target.field.no === sort.target.field.no;
}

export const isSearch = (request: ListRequest): request is ListRequest & { search: string } =>
  typeof request.search === "string";

export const searchOf = ({ modelId, conditions, search }: ListRequest & { search: string }): Search => ({
  table: "record_search",
  scope: scopeOfModel(modelId),
  text: search,
  rows: "records r",
  words: sql`(r.folded ->> 'words')`,
  where: conditions.map(recordCondition),
});

/** For a search: the number of results on earlier pages. */
export const offsetOf = ({ after }: ListRequest): number => Number(after?.[0] ?? 0);

export interface PageQuery {
  /** Common table expressions. */
  tables: SQL[];
  page: SQL;
}

/** The `seq` and sort values of the records of the page and of one more, in order. */
export function pageQuery(request: ListRequest): PageQuery {
  if (isSearch(request)) return searchPage(searchOf(request), request.limit, offsetOf(request));
  const few = request.fewMatches ?? CONTENT.fewMatches;
  const lead = isSortsOwn(request) ? null : leadOf(request.modelId, request.conditions, few);
  if (!lead) return { tables: [], page: selectBranch(sortLed(request), request) };
  const rows = isByCreation(request) ? lead.inOrder : null;
  if (rows?.while === null) {
    return { tables: lead.tables, page: selectBranch(inCreationOrder(request, lead, rows), request) };
  }
  const choice = sql`CASE WHEN ${rows?.while ?? sql`0`} THEN 'order'
    WHEN ${lead.count(few)} <= ${int(few)} THEN 'condition' ELSE 'sort' END`;
  const branches: [string, Branch][] = [
    ["condition", conditionLed(request, lead)],
    ["sort", sortLed(request)],
  ];
  if (rows) branches.push(["order", inCreationOrder(request, lead, rows)]);
  const selects = branches.map(([name, branch]) => {
    const only = sql`(SELECT name FROM choice) = ${sql.raw(`'${name}'`)}`;
    return sql`SELECT * FROM (${selectBranch(branch, request, only)})`;
  });
  return {
    tables: [...lead.tables, sql`choice AS MATERIALIZED (SELECT ${choice} AS name)`],
    page: sql.join(selects, sql` UNION ALL `),
  };
}
