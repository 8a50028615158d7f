/** Reads a page of records in one D1 query, and counts the list beside it. */
import { sql, type SQL } from "drizzle-orm";
import type { Scalar } from "../../../content/query/list-query.ts";
import { publicationOf, type Publication } from "../../../content/model/publication.ts";
import { CONTENT } from "../../../limits.ts";
import { prepareSql, type Database } from "../database/database.ts";
import type { Position } from "../pages/keyset.ts";
import { countStatement } from "./record-count.ts";
import { int } from "../records/record-index.ts";
import { isSearch, offsetOf, pageQuery, searchOf, type ListRequest } from "./record-page.ts";
import { searchCount } from "../search/search-page.ts";

export interface ListedRecord extends Publication {
  seq: number;
  id: string;
  data: string;
  version: number;
  createdAt: number;
  updatedAt: number;
  /** The sort values and `seq`, for the cursor. */
  position: Position;
}

interface PageRow extends Omit<ListedRecord, "position"> {
  n: number;
  total: number;
  [key: `k${number}`]: unknown;
}

/** The statement of a page. Tests ask D1 for its query plan. */
export function listStatement(request: ListRequest): SQL {
  const { tables, page } = pageQuery(request);
  return sql`WITH ${sql.join([...tables, sql`page AS MATERIALIZED (${page})`], sql`, `)},
    numbered AS MATERIALIZED (SELECT page.*, row_number() OVER () AS n, count(*) OVER () AS total FROM page),
    measured AS MATERIALIZED (SELECT numbered.*, sum(r.size_bytes) OVER (ORDER BY n) - r.size_bytes AS bytesBefore
      FROM numbered CROSS JOIN records r ON r.seq = numbered.seq)
    SELECT measured.*, r.id, r.data, r.version, r.created_at AS createdAt, r.updated_at AS updatedAt,
      r.published_version AS publishedVersion, r.published_at AS publishedAt,
      r.first_published_at AS firstPublishedAt, r.publish_at AS publishAt, r.unpublish_at AS unpublishAt
    FROM measured CROSS JOIN records r ON r.seq = measured.seq
    WHERE bytesBefore < ${int(CONTENT.pageMaxBytes)} ORDER BY n`;
}

/** The statement that counts a list up to `max + 1`. */
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
  const rows = found.slice(0, request.limit).map((row) => ({
    seq: row.seq,
    id: row.id,
    data: row.data,
    version: row.version,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    ...publicationOf(row),
    position: isSearch(request)
      ? [offsetOf(request) + row.n]
      : [...request.sorts.map((_, index) => scalarOf(row[`k${index}`])), row.seq],
  }));
  const [total] = counted as { n: number }[];
  const hasMore = (found[0]?.total ?? 0) > rows.length;
  return { rows, hasMore, counted: total?.n ?? null, rowsRead };
}

/** Converts a value from the index table: the blob that stands for null is returned as bytes. */
const scalarOf = (value: unknown): Scalar | null =>
  typeof value === "string" || typeof value === "number" ? value : null;
