/** Reads a page of records in one D1 query, and counts the list beside it. */
import { sql, type SQL } from "drizzle-orm";
import type { Scalar } from "../../../content/query/list-query.ts";
import { publicationOf, type Publication } from "../../../content/model/publication.ts";
import { CONTENT } from "../../../limits.ts";
import { prepareSql, type Database } from "../database/database.ts";
import type { Position } from "../pages/keyset.ts";
import type { ListRequest } from "./record-branches.ts";
import { countStatement } from "./record-count.ts";
import { int } from "../records/record-index.ts";
import { joined } from "../locales/sides.ts";
import { isSearch, offsetOf, pageQuery, searchOf } from "./record-page.ts";
import { searchCount } from "../search/search-page.ts";

export interface ListedRecord extends Publication {
  seq: number;
  id: string;
  data: string;
  version: number;
  createdAt: number;
  /** The actors, if the request asks for them. */
  createdBy?: string | null | undefined;
  updatedBy?: string | null | undefined;
  updatedAt: number;
  /** The editions of the record, as JSON. */
  locales: string | null;
  /** The sort values and `seq`, for the cursor. */
  position: Position;
}

interface PageRow extends Omit<ListedRecord, "position" | "data"> {
  /** Null where the rows before it have as many bytes as an answer may have. */
  data: string | null;
  /** The content in the locale of the list. */
  side?: string | null;
  [key: `k${number}`]: unknown;
}

/**
 * Returns the statement of a page, whose rows follow one another in the order of the page: a cross join keeps it. Tests
 * ask D1 for its query plan.
 */
export function listStatement(request: ListRequest): SQL {
  const { tables, page } = pageQuery(request);
  const { side, hidden = [] } = request;
  const own = (column: string): SQL => sql`(SELECT ${sql.raw(`l.${column}`)} FROM record_locales l
    WHERE l.record = r.seq AND l.locale = ${int(side ?? 0)})`;
  const bytes =
    side === undefined ? sql`r.size_bytes` : sql`r.size_bytes + coalesce(${own("size_bytes")}, 0)`;
  const withoutHidden = JSON.stringify(Object.fromEntries(hidden.map((no) => [no, null])));
  const data = hidden.length === 0 ? sql`r.data` : sql`json_patch(r.data, ${withoutHidden})`;
  const fits = sql`coalesce(bytesBefore, 0) < ${int(CONTENT.pageMaxBytes)}`;
  return sql`WITH ${sql.join([...tables, sql`page AS MATERIALIZED (${page})`], sql`, `)},
    measured AS MATERIALIZED (SELECT page.*,
        sum(${bytes}) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytesBefore
      FROM page CROSS JOIN records r ON r.seq = page.seq)
    SELECT measured.*, r.id, r.version, r.created_at AS createdAt, r.updated_at AS updatedAt,
      r.published_version AS publishedVersion, r.published_at AS publishedAt,
      r.first_published_at AS firstPublishedAt, r.publish_at AS publishAt, r.unpublish_at AS unpublishAt, r.locales
      ${request.showsActors ? sql`, r.created_by AS createdBy, r.updated_by AS updatedBy` : sql``},
      CASE WHEN ${fits} THEN ${data} END AS data
      ${side === undefined ? sql`` : sql`, CASE WHEN ${fits} THEN ${own("data")} END AS side`}
    FROM measured CROSS JOIN records r ON r.seq = measured.seq`;
}

/** Returns the statement that counts a list up to `max + 1`. */
export const countOf = (request: ListRequest, max: number): SQL =>
  isSearch(request)
    ? searchCount(searchOf(request), max)
    : countStatement(request.modelId, request.conditions, max);

export interface Listed {
  rows: ListedRecord[];
  hasMore: boolean;
  counted: number | null;
  /** Rows of tables and indexes that D1 read. */
  rowsRead: number;
}

/** Reads at most `limit` records, fewer when they are large, and whether there are more. */
export async function listRecords(db: Database, request: ListRequest): Promise<Listed> {
  const { countMax = null } = request;
  const count = countMax === null ? [] : [countOf(request, countMax)];
  const statements = [listStatement(request), ...count].map((statement) => prepareSql(db, statement));
  const results = await db.$client.batch(statements);
  const [page = [], counted = []] = results.map((result) => result.results);
  const rowsRead = results.reduce((sum, { meta }) => sum + meta.rows_read, 0);
  const found = page as PageRow[];
  const rows = found.slice(0, request.limit).flatMap(({ data, ...row }, index): ListedRecord[] => {
    if (data === null) return [];
    const position = isSearch(request)
      ? [offsetOf(request) + index + 1]
      : [...request.sorts.map((_, sort) => scalarOf(row[`k${sort}`])), row.seq];
    return [recordOf(row, joined(data, row.side), position)];
  });
  const [total] = counted as { n: number }[];
  return { rows, hasMore: found.length > rows.length, counted: total?.n ?? null, rowsRead };
}

const recordOf = (row: Omit<PageRow, "data">, data: string, position: Position): ListedRecord => ({
  seq: row.seq,
  id: row.id,
  data,
  locales: row.locales,
  version: row.version,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  createdBy: row.createdBy,
  updatedBy: row.updatedBy,
  ...publicationOf(row),
  position,
});

/** Converts a value from the index table: the blob that stands for null is returned as bytes. */
const scalarOf = (value: unknown): Scalar | null =>
  typeof value === "string" || typeof value === "number" ? value : null;
