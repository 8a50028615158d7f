/**
 * Lists by a sort of a field that differs by locale. Records without a value have no index row of it: they stand where
 * null does, and are found by the gaps of the field or by the second sort.
 */
import { sql, type SQL } from "drizzle-orm";
import type { StoredField } from "../../../content/field-types/fields.ts";
import { CONTENT } from "../../../limits.ts";
import { int, NULL_VALUE } from "../records/record-index.ts";
import { gapTables, isGap } from "./gaps.ts";
import {
  isNewestFirst,
  orderedSelect,
  rest,
  selectBranch,
  sortJoins,
  sortLed,
  termsOf,
  withTables,
  type Branch,
  type ListRequest,
  type PageQuery,
} from "./record-branches.ts";
import { asMirrored, isSparse, needsRow } from "./record-filters.ts";

/**
 * Returns the field by which a list is sorted first, if records without a value have no index row of it, and some of
 * these can be in the list.
 */
function sparseSort({ sorts, conditions }: ListRequest): StoredField | null {
  const target = sorts[0]?.target;
  if (target?.kind !== "field" || !isSparse(target.field)) return null;
  const { field } = target;
  const needsValue = conditions.some((condition) => {
    const mirrored = asMirrored(condition);
    return mirrored?.target.field.no === field.no && needsRow(mirrored);
  });
  return needsValue ? null : field;
}

/**
 * Reads the records without an index row of the first sort by the gaps of its field. With one sort, the order of the gaps
 * is that of the list, and the page before may have ended at one.
 */
function byGaps(request: ListRequest, field: StoredField, only?: SQL): PageQuery {
  const { modelId, sorts, after } = request;
  const isInOrder = sorts.length === 1;
  const last = isInOrder && after !== null && after[0] === null ? Number(after.at(-1)) : null;
  const wanted = { modelId, field, descending: isNewestFirst(request), after: last };
  const terms = termsOf(request, sql.raw("r.seq")).map((term, index) =>
    index === 0 ? { ...term, value: NULL_VALUE } : term,
  );
  const branch: Branch = {
    from: sql`gaps g CROSS JOIN records r ON r.seq = g.seq ${sortJoins(sorts, 0)}`,
    where: [isGap(wanted), ...rest(request, [])],
    terms,
  };
  const page = isInOrder ? orderedSelect(branch, request, only) : selectBranch(branch, request, only);
  return { tables: gapTables(wanted), page };
}

/** Reads the same records by the second sort, of which it looks at those with a value, too. */
function bySecondSort(request: ListRequest, field: StoredField, only: SQL): SQL {
  const { sorts, after, without = [] } = request;
  const others = sorts.slice(1);
  const { tables, page } = bySort(
    {
      ...request,
      sorts: others,
      newestFirst: isNewestFirst(request),
      without: [...without, field],
      after: after !== null && after[0] === null ? after.slice(1) : null,
    },
    only,
  );
  const keys = others.map((_, index) => sql.raw(`k${index} AS k${index + 1}`));
  return sql`SELECT seq, ${NULL_VALUE} AS k0, ${sql.join(keys, sql`, `)} FROM (${withTables(tables, page)})`;
}

/**
 * Reads the records without an index row of the first sort, in the order of the others. With several sorts, few gaps are
 * read and sorted. If there are more, the second sort is walked, and records with a value are passed over.
 */
function withoutRow(request: ListRequest, field: StoredField, only?: SQL): PageQuery {
  const { modelId, sorts } = request;
  if (sorts.length === 1) return byGaps(request, field, only);
  const few = request.fewMatches ?? CONTENT.fewMatches;
  const all = gapTables({ modelId, field, descending: false, after: null });
  // SQLite reads a table to its end if two parts of a statement lead to it, so that these gaps are a table of their own.
  const count = withTables(all, sql`SELECT 1 FROM gaps LIMIT ${int(few + 1)}`);
  // A second sort of this kind has a count of its own inside, whose name must be another one.
  const name = sql.raw(`gap_count${sorts.length}`);
  const areFew = sql`(SELECT are_few FROM ${name})`;
  const when = (chosen: SQL): SQL => (only ? sql`CASE WHEN ${only} THEN ${chosen} ELSE 0 END` : chosen);
  const led = byGaps(request, field, when(areFew));
  const walked = bySecondSort(request, field, when(sql`NOT ${areFew}`));
  return {
    tables: [sql`${name} AS MATERIALIZED (SELECT count(*) <= ${int(few)} AS are_few FROM (${count}))`],
    page: sql`SELECT * FROM (${withTables(led.tables, led.page)}) UNION ALL SELECT * FROM (${walked})`,
  };
}

/**
 * Reads a list by a sort of which some records have no index row: those with one in the order of the index, and the
 * others where null stands.
 */
function sparseSortLed(request: ListRequest, field: StoredField, only?: SQL): PageQuery {
  const { sorts, limit } = request;
  const valued = selectBranch(sortLed(request), request, only);
  const empty = withoutRow(request, field, only);
  const [first, second] = sorts[0]?.descending ? [empty.page, valued] : [valued, empty.page];
  // SQLite leaves out the second part if the first has as many rows as the limit.
  const page = sql`SELECT * FROM (${first}) UNION ALL SELECT * FROM (${second}) LIMIT ${int(limit + 1)}`;
  return { tables: empty.tables, page };
}

/** Returns the rows that are left of such a list after its earlier pages: those with a value, those without, or both. */
function sparseRowsLeft({ after, sorts }: ListRequest): "valued" | "empty" | "both" {
  if (!after) return "both";
  const isAmongEmpty = (after[0] ?? null) === null;
  // Null comes first in descending order, and last in ascending order.
  const isLastPart = isAmongEmpty !== (sorts[0]?.descending ?? false);
  return isLastPart ? (isAmongEmpty ? "empty" : "valued") : "both";
}

/** Reads a list by its first sort. */
export function bySort(request: ListRequest, only?: SQL): PageQuery {
  const field = sparseSort(request);
  const left = field ? sparseRowsLeft(request) : "valued";
  if (field && left === "both") return sparseSortLed(request, field, only);
  if (field && left === "empty") return withoutRow(request, field, only);
  return { tables: [], page: selectBranch(sortLed(request), request, only) };
}
