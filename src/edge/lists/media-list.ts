/** Lists of media are asked for like lists of records: filters, groups, sorts, a count. */
import { CONTENT } from "../../limits.ts";
import type { ValueKind } from "../../content/query/list-targets.ts";
import { invalidParameter } from "../../content/query/list-targets.ts";
import type { Database } from "../storage/database/database.ts";
import { closePage, openPage, type PageMeta, type PageQuery } from "../storage/pages/list-page.ts";
import {
  listMediaItems,
  type ListedMedia,
  type MediaColumn,
  type MediaFilter,
  type MediaSort,
} from "../storage/lists/media-list.ts";
import { searchMediaItems } from "../storage/search/media-search.ts";
import { countMedia } from "../storage/lists/scanned.ts";
import { totalOf, type Total } from "../storage/lists/record-count.ts";
import { askedFilters, type AskedFilter } from "./asked-filters.ts";
import { filterValues } from "./filter-values.ts";
import { operatorOf } from "./filters.ts";
import { payForList, scanPrice, type Payer } from "./scan-budget.ts";
import { checkSearch } from "./search-text.ts";

/** What can be sorted by. The id, by which the rest is told apart, is in order of creation. */
const SORTED: ReadonlyMap<string, MediaColumn> = new Map([
  ["filename", "filename"],
  ["alt", "alt"],
  ["mime", "mime"],
  ["createdAt", "created_at"],
  ["updatedAt", "updated_at"],
  ["width", "width"],
  ["height", "height"],
  ["animated", "animated"],
]);

const FILTERED: ReadonlyMap<string, ValueKind> = new Map([
  ["filename", "text"],
  ["alt", "text"],
  ["mime", "text"],
  ["createdAt", "time"],
  ["width", "number"],
  ["height", "number"],
  ["animated", "boolean"],
]);

export const MEDIA_FILTERS = [...FILTERED.keys()];
export const MEDIA_SORTS = [...SORTED.keys()];

const DEFAULT_SORT = "-createdAt";

export interface MediaListQuery extends PageQuery {
  sort?: string | undefined;
  search?: string | undefined;
  count?: boolean | undefined;
}

function parseFilter(asked: AskedFilter): MediaFilter {
  const { parameter, field } = asked;
  const column = SORTED.get(field);
  const kind = FILTERED.get(field);
  if (!column || !kind) throw invalidParameter(parameter, `must name one of ${MEDIA_FILTERS.join(", ")}`);
  const operator = operatorOf(parameter, asked.operator, kind);
  if (operator === "null") throw invalidParameter(parameter, "asks for what always has a value");
  return { column, operator, values: filterValues(asked, operator, kind) };
}

function parseSorts(text: string): MediaSort[] {
  const names = text.split(",");
  if (names.length > CONTENT.sortsMax) {
    throw invalidParameter("sort", `may name at most ${CONTENT.sortsMax} fields`);
  }
  const sorts = names.map((term) => {
    const name = term.replace(/^-/, "");
    const column = SORTED.get(name);
    if (!column) throw invalidParameter("sort", `must name some of ${MEDIA_SORTS.join(", ")}`);
    return { column, descending: term.startsWith("-") };
  });
  if (new Set(sorts.map(({ column }) => column)).size < sorts.length) {
    throw invalidParameter("sort", "names a field twice");
  }
  return sorts;
}

export interface MediaPage {
  items: ListedMedia[];
  meta: PageMeta & Partial<Total>;
}

const isScan = ({ operator }: AskedFilter): boolean => operator === "contains" || operator === "icontains";

/** Charges the filters that read names and texts of all items. */
async function pay(
  { db, spaceId, payer }: MediaReading,
  asked: readonly AskedFilter[],
  hasCount: boolean,
): Promise<void> {
  const scans = asked.filter(isScan);
  const [first] = scans;
  if (!first) return;
  const priceOf = async (max: number): Promise<number> =>
    scans.length * scanPrice(await countMedia(db, spaceId, max), max);
  await payForList({ ...first, hasCount, priceOf }, payer, Date.now());
}

export interface MediaReading {
  db: Database;
  spaceId: string;
  /** Seals cursors. */
  secret: string;
  payer: Payer;
}

/** @throws ApiError INVALID_PARAMETER, INVALID_CURSOR, RATE_LIMITED */
export async function openMediaList(
  reading: MediaReading,
  query: MediaListQuery,
  parameters: [string, string][],
): Promise<MediaPage> {
  const { db, spaceId, secret } = reading;
  const asked = askedFilters(parameters);
  if (asked.length > CONTENT.filtersMax) {
    throw invalidParameter("filter", `may be given at most ${CONTENT.filtersMax} times`);
  }
  const { search, sort = DEFAULT_SORT } = query;
  checkSearch(search, query.sort);
  const named = asked.map(({ parameter, texts, isWhole }) => [parameter, isWhole, ...texts]);
  const page = await openPage(
    secret,
    ["media", spaceId, search === undefined ? sort : ["search", search], named],
    query,
  );
  const groups = new Map<number, MediaFilter[]>();
  for (const one of asked) {
    if (one.group !== null) groups.set(one.group, [...(groups.get(one.group) ?? []), parseFilter(one)]);
  }
  const request = {
    spaceId,
    filters: asked.filter(({ group }) => group === null).map(parseFilter),
    groups: [...groups.values()],
    after: page.after,
    limit: page.limit,
    countMax: query.count ? CONTENT.countExactMax : null,
  };
  await pay(reading, asked, request.countMax !== null);
  const { items, counted } =
    search === undefined
      ? await listMediaItems(db, { ...request, sorts: parseSorts(sort) })
      : await searchMediaItems(db, { ...request, search });
  const { rows, meta } = await closePage(page, items, ({ position }) => position);
  return { items: rows, meta: { ...meta, ...(counted !== null && totalOf(counted)) } };
}
