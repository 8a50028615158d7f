/** The parts of a page's statement: tables that lead to records, conditions on these, and their order. */
import { sql, type SQL } from "drizzle-orm";
import type { StoredField } from "../../../content/field-types/fields.ts";
import type { Condition, Sort } from "../../../content/query/list-query.ts";
import type { SearchedLocale } from "../locales/side-search.ts";
import { keyset, type Position, type Term } from "../pages/keyset.ts";
import { int, NULL_VALUE } from "../records/record-index.ts";
import { lacksRow } from "./gaps.ts";
import { asMirrored, isSparse, mirroredRows, needsRow, recordCondition } from "./record-filters.ts";
import { withSameField, type Lead } from "./record-leads.ts";
import { hasPublicationIndex, sortedSystemValue } from "./system-values.ts";

export interface ListRequest {
  modelId: number;
  /** Conditions that must all hold. */
  conditions: Condition[];
  sorts: Sort[];
  /** The words of a search, whose results come best first. It has no sorts. */
  search?: string | null;
  /** The number of the locale whose content is read with each record; absent for that of the record's own row. */
  side?: number | undefined;
  /** Numbers of fields in the record's own row whose values the list does not show, so that they are not sent. */
  hidden?: readonly number[];
  /** The locale whose words are searched; absent where no searchable field differs by locale. */
  searchedLocale?: SearchedLocale | undefined;
  /**
   * The sort values of the last record of the previous page (null for no value), and its `seq`. For a search, the
   * number of earlier results.
   */
  after: Position | null;
  limit: number;
  /** Whether records with equal sort values stand newest first; left out where the first sort decides it. */
  newestFirst?: boolean;
  /** Fields of which the records have no index row. */
  without?: readonly StoredField[];
  /** Whether the actors of records are read. */
  showsActors?: boolean | undefined;
  /** Also counts all records of the list, up to one more than this number; null does not count. */
  countMax?: number | null;
  /** The largest number of matches with which a condition leads. */
  fewMatches?: number;
}

export const and = (conditions: SQL[]): SQL =>
  conditions.length === 0 ? sql`1` : sql.join(conditions, sql` AND `);

export const isNewestFirst = ({ newestFirst, sorts }: ListRequest): boolean =>
  newestFirst ?? sorts[0]?.descending ?? false;

export interface PageQuery {
  /** Common table expressions. */
  tables: SQL[];
  page: SQL;
}

/** Returns a page with its tables inside, so that another page may have tables of the same names. */
export const withTables = (tables: readonly SQL[], page: SQL): SQL =>
  tables.length === 0 ? page : sql`WITH ${sql.join([...tables], sql`, `)} ${page}`;

export interface Branch {
  from: SQL;
  where: SQL[];
  terms: Term[];
}

/** Joins the index rows of the sort fields, except the one that leads. */
export function sortJoins(sorts: Sort[], led: number | null): SQL {
  const joins = sorts.flatMap(({ target }, index) => {
    if (target.kind === "system" || index === led) return [];
    const alias = sql.raw(`s${index}`);
    return [
      sql`${sql.raw(isSparse(target.field) ? "LEFT" : "CROSS")} JOIN record_values ${alias} ON ${alias}.record = r.seq AND ${alias}.field = ${int(target.field.no)}`,
    ];
  });
  return sql.join(joins, sql` `);
}

/** @param led the sort whose index rows are walked; null for none */
export function termsOf(request: ListRequest, seq: SQL, led: number | null = null): Term[] {
  const { sorts, modelId } = request;
  const terms = sorts.map(({ target, descending }, index) => {
    const value = sql.raw(`s${index}.value`);
    if (target.kind === "system") {
      return { value: sortedSystemValue(sql.raw("r"), target, modelId), descending };
    }
    return {
      value: isSparse(target.field) && index !== led ? sql`coalesce(${value}, ${NULL_VALUE})` : value,
      descending,
    };
  });
  return [...terms, { value: seq, descending: isNewestFirst(request) }];
}

export const rest = ({ conditions, without = [] }: ListRequest, decided: readonly Condition[]): SQL[] => [
  ...conditions.filter((condition) => !decided.includes(condition)).map(recordCondition),
  ...without.map(({ no }) => lacksRow(no)),
];

export function conditionLed(request: ListRequest, lead: Lead): Branch {
  return {
    from: sql`${lead.from} CROSS JOIN records r ON r.seq = d.record ${sortJoins(request.sorts, null)}`,
    where: [...lead.where, ...rest(request, lead.decides)],
    terms: termsOf(request, sql.raw("r.seq")),
  };
}

export function sortLed(request: ListRequest): Branch {
  const { modelId, sorts, conditions } = request;
  const lead = sorts[0]?.target;
  if (lead?.kind !== "field") {
    // The indexes by publication hold published contents alone, which SQLite has to be told.
    const ofIndex = lead && hasPublicationIndex(modelId, lead) ? [sql`r.model_id < 0`] : [];
    return {
      from: sql`records r ${sortJoins(sorts, null)}`,
      where: [sql`r.model_id = ${int(modelId)}`, sql`r.deleted_at IS NULL`, ...ofIndex, ...rest(request, [])],
      terms: termsOf(request, sql.raw("r.seq")),
    };
  }
  // Filters on the field of the sort narrow the index range.
  const mirrored = conditions
    .map(asMirrored)
    .find((filter) => filter?.target.field.no === lead.field.no && needsRow(filter));
  const own = mirrored ? withSameField(conditions, mirrored) : null;
  return {
    from: sql`record_values s0 CROSS JOIN records r ON r.seq = s0.record ${sortJoins(sorts, 0)}`,
    where: [
      own
        ? mirroredRows("s0", modelId, own)
        : sql`s0.model_id = ${int(modelId)} AND s0.field = ${int(lead.field.no)}`,
      ...rest(request, own ?? []),
    ],
    terms: termsOf(request, sql.raw("s0.record"), 0),
  };
}

export const limitOf = ({ limit }: ListRequest, only?: SQL): SQL =>
  only ? sql`CASE WHEN ${only} THEN ${int(limit + 1)} ELSE 0 END` : int(limit + 1);

/** Selects the rows of a branch whose first table has them in order, from where the page begins. */
export const orderedSelect = ({ from, where, terms }: Branch, request: ListRequest, only?: SQL): SQL =>
  sql`SELECT r.seq AS seq, ${sql.join(terms.slice(0, -1).map(asKey), sql`, `)} FROM ${from} WHERE ${and(where)}
    LIMIT ${limitOf(request, only)}`;

/** @param only the condition under which the branch is used: else its limit is 0, so that SQLite does not run it */
export function selectBranch(branch: Branch, request: ListRequest, only?: SQL): SQL {
  const { from, where, terms } = branch;
  const { after } = request;
  const conditions = [...where, ...(after ? [keyset(terms, after)] : [])];
  const keys = terms.slice(0, -1).map(asKey);
  const order = terms.map(({ value, descending }) => sql`${value} ${sql.raw(descending ? "DESC" : "ASC")}`);
  return sql`SELECT r.seq AS seq, ${sql.join(keys, sql`, `)} FROM ${from} WHERE ${and(conditions)}
    ORDER BY ${sql.join(order, sql`, `)} LIMIT ${limitOf(request, only)}`;
}

const asKey = ({ value }: Term, index: number): SQL => sql`${value} AS ${sql.raw(`k${index}`)}`;
