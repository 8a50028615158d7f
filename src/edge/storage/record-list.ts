/**
 * A page of records, in one D1 query. What leads decides what it costs:
 * - a filter by equality under the default order: its index rows are in order of creation already;
 * - otherwise the first sort, whose index rows are in order, checking filters record by record;
 * - unless a filter matches few records (counted first, up to a bound): then those are read and sorted.
 */
import { sql, type SQL } from "drizzle-orm";
import type { Filter, Scalar, Sort } from "../content-model/list-query.ts";
import { CONTENT } from "../../limits.ts";
import { isMultiple } from "../content-model/fields.ts";
import type { Database } from "./database.ts";
import { keyset, type Position, type Term } from "./keyset.ts";
import { asMirrored, mirroredRows, recordCondition, type MirroredFilter } from "./record-filters.ts";
import { int } from "./record-index.ts";

export interface ListRequest {
  modelId: number;
  filters: Filter[];
  sorts: Sort[];
  /** Sort values of the last record of the page before, null for none, then its `seq`. */
  after: Position | null;
  limit: number;
  /** Matches of a filter up to which it leads. */
  fewMatches?: number;
}

export interface ListedRecord {
  seq: number;
  id: string;
  data: string;
  version: number;
  createdAt: number;
  updatedAt: number;
  /** Sort values and `seq`, for the cursor. */
  position: Position;
}

const isByCreation = ({ sorts }: ListRequest): boolean => {
  const [first] = sorts;
  return sorts.length === 1 && first?.target.kind === "system" && first.target.column === "created_at";
};

/** `contains` is only mirrored for lists, which then hold the value as a row. */
const isEquality = ({ operator }: MirroredFilter): boolean => operator === "eq" || operator === "contains";

/** The filter that most likely matches fewest. A list field has several rows a record: only equality may lead. */
function leadingFilter(filters: Filter[]): MirroredFilter | null {
  const mirrored = filters.map(asMirrored).filter((filter) => filter !== null);
  const rank = (filter: MirroredFilter): number => {
    if (isEquality(filter)) return "unique" in filter.target.field && filter.target.field.unique ? 0 : 1;
    if ("multiple" in filter.target.field && filter.target.field.multiple) return Infinity;
    if (filter.operator === "in") return 2;
    return ["ne", "nin", "null"].includes(filter.operator) ? Infinity : 3;
  };
  const ranked = mirrored.filter((filter) => rank(filter) < Infinity).sort((a, b) => rank(a) - rank(b));
  return ranked[0] ?? null;
}

const and = (conditions: SQL[]): SQL => sql.join(conditions, sql` AND `);

interface Branch {
  from: SQL;
  where: SQL[];
  terms: Term[];
}

/** Index rows of the sort fields beside the record, except the one that leads. */
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

function termsOf(sorts: Sort[], seq: SQL): Term[] {
  const terms = sorts.map(({ target, descending }, index) => ({
    value: sql.raw(target.kind === "system" ? `r.${target.column}` : `s${index}.value`),
    descending,
  }));
  return [...terms, { value: seq, descending: sorts[0]?.descending ?? false }];
}

type Lead = [MirroredFilter, ...MirroredFilter[]];

/** The filter with those on the same field, which narrow its index range. Of a list field each stands alone. */
function withSameField(filters: Filter[], lead: MirroredFilter): Lead {
  const others = filters.map(asMirrored).filter((filter) => filter !== null && filter !== lead);
  const same = others.filter(
    (filter) => filter?.target.field.no === lead.target.field.no,
  ) as MirroredFilter[];
  return isMultiple(lead.target.field) ? [lead] : [lead, ...same];
}

/** The rows of one filter by equality, which are in order of creation. */
function inCreationOrder(request: ListRequest, lead: Lead): Branch {
  const rest = request.filters.filter((filter) => !(lead as Filter[]).includes(filter));
  const [sort] = request.sorts;
  return {
    from: sql`record_values d CROSS JOIN records r ON r.seq = d.record`,
    where: [mirroredRows("d", request.modelId, lead), ...rest.map(recordCondition)],
    terms: [{ value: sql.raw("d.record"), descending: sort?.descending ?? false }],
  };
}

function filterLed(request: ListRequest, lead: Lead): Branch {
  const rest = request.filters.filter((filter) => !(lead as Filter[]).includes(filter));
  return {
    from: sql`record_values d CROSS JOIN records r ON r.seq = d.record ${sortJoins(request.sorts, null)}`,
    where: [mirroredRows("d", request.modelId, lead), ...rest.map(recordCondition)],
    terms: termsOf(request.sorts, sql.raw("r.seq")),
  };
}

function sortLed(request: ListRequest): Branch {
  const { modelId, sorts, filters } = request;
  const lead = sorts[0]?.target;
  if (lead?.kind !== "field") {
    return {
      from: sql`records r ${sortJoins(sorts, null)}`,
      where: [sql`r.model_id = ${int(modelId)}`, sql`r.deleted_at IS NULL`, ...filters.map(recordCondition)],
      terms: termsOf(sorts, sql.raw("r.seq")),
    };
  }
  // Filters on the sort's own field narrow the index range that is walked.
  const mirrored = filters.map(asMirrored).find((filter) => filter?.target.field.no === lead.field.no);
  const own = mirrored ? withSameField(filters, mirrored) : null;
  const isOwn = (filter: Filter): boolean => own !== null && (own as Filter[]).includes(filter);
  return {
    from: sql`record_values s0 CROSS JOIN records r ON r.seq = s0.record ${sortJoins(sorts, 0)}`,
    where: [
      own
        ? mirroredRows("s0", modelId, own)
        : sql`s0.model_id = ${int(modelId)} AND s0.field = ${int(lead.field.no)}`,
      ...filters.filter((filter) => !isOwn(filter)).map(recordCondition),
    ],
    terms: termsOf(sorts, sql.raw("s0.record")),
  };
}

/** `only`: when this branch is the one; a limit of 0 is all that keeps SQLite from walking it. */
function selectBranch(branch: Branch, request: ListRequest, only?: SQL): SQL {
  const { from, where, terms } = branch;
  const { after, limit } = request;
  // In order of creation the place alone says where the last page ended.
  const values = after && (terms.length === 1 ? after.slice(-1) : after);
  const conditions = [...where, ...(values ? [keyset(terms, values)] : [])];
  const keys = terms.length === 1 ? [sql.raw("r.created_at AS k0")] : terms.slice(0, -1).map(asKey);
  const order = terms.map(({ value, descending }) => sql`${value} ${sql.raw(descending ? "DESC" : "ASC")}`);
  return sql`SELECT r.seq AS seq, ${sql.join(keys, sql`, `)} FROM ${from} WHERE ${and(conditions)}
    ORDER BY ${sql.join(order, sql`, `)} LIMIT ${only ? sql`CASE WHEN ${only} THEN ${int(limit + 1)} ELSE 0 END` : int(limit + 1)}`;
}

const asKey = ({ value }: Term, index: number): SQL => sql`${value} AS ${sql.raw(`k${index}`)}`;

/** The places and sort values of the page and one more, in order; its CTEs first. */
function pageQuery(request: ListRequest): { before: SQL; page: SQL } {
  const best = leadingFilter(request.filters);
  const sorted = request.sorts[0]?.target;
  const isSortsOwn = sorted?.kind === "field" && best?.target.field.no === sorted.field.no;
  if (!best || isSortsOwn) return { before: sql``, page: selectBranch(sortLed(request), request) };
  const lead = withSameField(request.filters, best);
  if (isByCreation(request) && isEquality(best)) {
    return { before: sql``, page: selectBranch(inCreationOrder(request, lead), request) };
  }
  const few = int(request.fewMatches ?? CONTENT.fewMatches);
  const byFilter = selectBranch(filterLed(request, lead), request, sql`(SELECT n FROM few) <= ${few}`);
  const bySort = selectBranch(sortLed(request), request, sql`(SELECT n FROM few) > ${few}`);
  return {
    before: sql`few AS MATERIALIZED (SELECT count(*) AS n FROM
      (SELECT 1 FROM record_values d WHERE ${mirroredRows("d", request.modelId, lead)} LIMIT ${few} + 1)),`,
    page: sql`SELECT * FROM (${byFilter}) UNION ALL SELECT * FROM (${bySort})`,
  };
}

interface PageRow extends Omit<ListedRecord, "position"> {
  n: number;
  total: number;
  [key: `k${number}`]: unknown;
}

/** The statement of a page: for tests that ask D1 how it would go about it. */
export function listStatement(request: ListRequest): SQL {
  const { before, page } = pageQuery(request);
  return sql`WITH ${before} page AS MATERIALIZED (${page}),
    numbered AS MATERIALIZED (SELECT page.*, row_number() OVER () AS n, count(*) OVER () AS total FROM page),
    measured AS MATERIALIZED (SELECT numbered.*, sum(r.size_bytes) OVER (ORDER BY n) - r.size_bytes AS bytesBefore
      FROM numbered CROSS JOIN records r ON r.seq = numbered.seq)
    SELECT measured.*, r.id, r.data, r.version, r.created_at AS createdAt, r.updated_at AS updatedAt
    FROM measured CROSS JOIN records r ON r.seq = measured.seq
    WHERE bytesBefore < ${int(CONTENT.pageMaxBytes)} ORDER BY n`;
}

/** At most `limit` records, fewer when they are large; whether there are more. */
export async function listRecords(
  db: Database,
  request: ListRequest,
): Promise<{ rows: ListedRecord[]; hasMore: boolean }> {
  const found = await db.all<PageRow>(listStatement(request));
  const rows = found.slice(0, request.limit).map((row) => ({
    seq: row.seq,
    id: row.id,
    data: row.data,
    version: row.version,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    position: [...request.sorts.map((_, index) => scalarOf(row[`k${index}`])), row.seq],
  }));
  return { rows, hasMore: (found[0]?.total ?? 0) > rows.length };
}

/** The null blob comes back as bytes. */
const scalarOf = (value: unknown): Scalar | null =>
  typeof value === "string" || typeof value === "number" ? value : null;
