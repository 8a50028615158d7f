/** Lists of media: filters, sorts and counts by columns of the media rows. */
import { sql, type SQL } from "drizzle-orm";
import { masters, media } from "../../../../schema/tables.ts";
import type { Scalar } from "../../../content/query/list-query.ts";
import type { Operator } from "../../../content/query/operators.ts";
import { CONTENT } from "../../../limits.ts";
import type { Database } from "../database/database.ts";
import { keyset, type Position, type Term } from "../pages/keyset.ts";
import {
  altInLocale,
  altTextsIn,
  foldedAltInLocale,
  foldedName,
  type AltLocale,
} from "../media/media-facts.ts";
import { current, type MediaRow, type MediaWithMaster } from "../media/media.ts";
import { beginsWith, plainCondition } from "./record-filters.ts";
import { int } from "../records/record-index.ts";

/** Columns that a list can filter and sort by. */
export type MediaColumn =
  "filename" | "alt" | "mime" | "created_at" | "updated_at" | "width" | "height" | "animated" | "id";

export interface MediaFilter {
  column: MediaColumn;
  operator: Operator;
  values: Scalar[];
}

export interface MediaSort {
  column: MediaColumn;
  descending: boolean;
}

export interface MediaListRequest {
  spaceId: string;
  /** Filters that must all hold. */
  filters: MediaFilter[];
  /** Groups of filters; if there are any, all filters of at least one group must hold. */
  groups: MediaFilter[][];
  sorts: MediaSort[];
  /** The sort values of the last item of the previous page, and its id. */
  after: Position | null;
  limit: number;
  /** The locale whose alt texts are looked at; null in a space that never had locales. */
  locale: AltLocale | null;
  /** Also counts all items of the list, up to one more than this number; null does not count. */
  countMax: number | null;
}

export interface ListedMedia extends MediaWithMaster {
  position: Position;
}

type Locale = MediaListRequest["locale"];

/** Returns whether a list looks at texts that no index has: the alt texts of a locale other than the default. */
export const isOfLocale = (column: MediaColumn, locale: Locale): locale is AltLocale =>
  column === "alt" && locale?.isDefault === false;

const valueOf = (column: MediaColumn, locale: Locale, alias = "m"): SQL =>
  isOfLocale(column, locale) ? altInLocale(alias, locale.code) : sql.raw(`${alias}.${column}`);

function foldedOf(column: MediaColumn, locale: Locale): SQL {
  if (isOfLocale(column, locale)) return foldedAltInLocale(locale);
  const isName = column === "filename" || column === "alt";
  return isName ? foldedName(column, "m") : sql`lower(${valueOf(column, locale)})`;
}

function condition({ column, operator, values }: MediaFilter, locale: Locale): SQL {
  if (operator === "icontains") return sql`instr(${foldedOf(column, locale)}, ${values[0]}) > 0`;
  const value = valueOf(column, locale);
  // No column of media is null, so that a prefix is a range of its index.
  if (operator === "startsWith") return beginsWith(value, String(values[0]));
  return plainCondition(value, { operator, values });
}

const INDEXES: Partial<Record<MediaColumn, SQL>> = Object.fromEntries(
  Object.entries({
    filename: "filename",
    alt: "alt",
    mime: "mime",
    created_at: "creation",
    width: "width",
    height: "height",
  }).map(([column, name]) => [column, sql.raw(`INDEXED BY media_by_${name}`)]),
);

const NARROWING: readonly Operator[] = ["eq", "in", "startsWith", "gt", "gte", "lt", "lte"];

/** Returns the filter that has an index of its own and probably matches the fewest items. */
function leadOf({ filters, locale }: MediaListRequest): MediaFilter | null {
  const rank = ({ column, operator }: MediaFilter): number =>
    INDEXES[column] && !isOfLocale(column, locale) ? NARROWING.indexOf(operator) : -1;
  const [lead] = filters.filter((one) => rank(one) >= 0).sort((a, b) => rank(a) - rank(b));
  return lead ?? null;
}

const all = (conditions: SQL[]): SQL => sql.join(conditions, sql` AND `);

/** Returns the conditions on the items `m` of a list. */
export function mediaConditions({
  spaceId,
  filters,
  groups,
  locale,
}: Pick<MediaListRequest, "spaceId" | "filters" | "groups" | "locale">): SQL {
  const of = (filter: MediaFilter): SQL => condition(filter, locale);
  const either = groups.map((group) => sql`(${all(group.map(of))})`);
  return all([
    sql`m.space_id = ${spaceId}`,
    sql`m.deleted_at IS NULL`,
    ...filters.map(of),
    ...(either.length > 0 ? [sql`(${sql.join(either, sql` OR `)})`] : []),
  ]);
}

const orderOf = (terms: Term[]): SQL =>
  sql.join(
    terms.map(({ value, descending }) => sql`${value} ${sql.raw(descending ? "DESC" : "ASC")}`),
    sql`, `,
  );

/** Returns the order of the list over the table `alias`. Items with equal values are ordered by id. */
const termsOf = ({ sorts, locale }: MediaListRequest, alias: string): Term[] => [
  ...sorts.map(({ column, descending }) => ({ value: valueOf(column, locale, alias), descending })),
  { value: sql.raw(`${alias}.id`), descending: sorts[0]?.descending ?? true },
];

/**
 * Returns the SELECT of a page, led by the index of `by`.
 * @param only the condition under which it is used: else its limit is 0, because nothing else keeps SQLite from running
 *   it
 */
function selectPage(request: MediaListRequest, by: MediaColumn | undefined, only?: SQL): SQL {
  const { after, limit } = request;
  const terms = termsOf(request, "m");
  const where = [mediaConditions(request), ...(after ? [keyset(terms, after)] : [])];
  const index = (by && !isOfLocale(by, request.locale) && INDEXES[by]) || sql``;
  const many = int(limit + 1);
  return sql`SELECT m.id FROM media m ${index} WHERE ${all(where)} ORDER BY ${orderOf(terms)}
    LIMIT ${only ? sql`CASE WHEN ${only} THEN ${many} ELSE 0 END` : many}`;
}

/**
 * Returns the statement for the ids of a page and of one more item. It walks the index of the sort, unless a filter
 * matches few items (which it counts first, up to a bound): then it reads and sorts those. It reads masters only for
 * the page.
 */
export function mediaPageStatement(request: MediaListRequest): SQL {
  const lead = leadOf(request);
  const sorted = request.sorts[0]?.column;
  if (!lead || lead.column === sorted) return selectPage(request, sorted);
  const few = int(CONTENT.fewMatches);
  const matches = sql`SELECT count(*) <= ${few} AS are_few FROM (SELECT 1 FROM media m ${INDEXES[lead.column] ?? sql``}
    WHERE m.space_id = ${request.spaceId} AND m.deleted_at IS NULL AND ${condition(lead, request.locale)} LIMIT ${few} + 1)`;
  return sql`WITH matches AS MATERIALIZED (${matches})
    SELECT * FROM (${selectPage(request, lead.column, sql`(SELECT are_few FROM matches)`)})
    UNION ALL SELECT * FROM (${selectPage(request, sorted, sql`NOT (SELECT are_few FROM matches)`)})`;
}

async function countItems(db: Database, request: MediaListRequest): Promise<number | null> {
  if (request.countMax === null) return null;
  const row = await db.get<{ n: number }>(sql`SELECT count(*) AS n FROM
    (SELECT 1 FROM media m WHERE ${mediaConditions(request)} LIMIT ${int(request.countMax + 1)})`);
  return row.n;
}

const PROPERTIES = {
  filename: "filename",
  alt: "alt",
  mime: "mime",
  created_at: "createdAt",
  updated_at: "updatedAt",
  width: "width",
  height: "height",
  animated: "animated",
  id: "id",
} as const satisfies Record<MediaColumn, keyof MediaRow>;

const scalarOf = (value: string | number | boolean): Scalar =>
  typeof value === "boolean" ? Number(value) : value;

/** Lists `limit` items, and one more if there are more. */
export async function listMediaItems(
  db: Database,
  request: MediaListRequest,
): Promise<{ items: ListedMedia[]; counted: number | null }> {
  const page = db
    .select({ media, master: masters })
    .from(media)
    .innerJoin(masters, current)
    .where(sql`${media.spaceId} = ${request.spaceId} AND ${media.id} IN (${mediaPageStatement(request)})`)
    .orderBy(orderOf(termsOf(request, "media")));
  const [rows, counted] = await Promise.all([page, countItems(db, request)]);
  const items = rows.map((row) => {
    const values = request.sorts.map(({ column }) =>
      isOfLocale(column, request.locale)
        ? (altTextsIn(row.media.alts)[request.locale.code] ?? "")
        : scalarOf(row.media[PROPERTIES[column]]),
    );
    return { ...row, position: [...values, row.media.id] };
  });
  return { items, counted };
}
