/** Parses and runs lists of media, which take filters, groups, sorts and a count as lists of records do. */
import { CONTENT } from "../../limits.ts";
import type { ValueKind } from "../../content/query/operators.ts";
import { invalidParameter } from "../../content/query/list-targets.ts";
import type { Database } from "../storage/database/database.ts";
import { closePage, openPage, type PageMeta, type PageQuery } from "../storage/pages/list-page.ts";
import type { AltLocale } from "../storage/media/media-facts.ts";
import {
  isOfLocale,
  listMediaItems,
  type ListedMedia,
  type MediaColumn,
  type MediaFilter,
  type MediaSort,
} from "../storage/lists/media-list.ts";
import { countMatches, searchMediaItems, type MediaSearchRequest } from "../storage/search/media-search.ts";
import { countMedia } from "../storage/lists/scanned.ts";
import { totalOf, type Total } from "../storage/lists/record-count.ts";
import { askedFilters, type AskedFilter } from "./asked-filters.ts";
import { filterValues } from "./filter-values.ts";
import { operatorOf } from "./filters.ts";
import { payForList, type Price, type ScanBudget, scanPrice, type Payer } from "./scan-budget.ts";
import { checkSearch } from "./search-text.ts";

/** The sort names and their columns. Items with equal values are sorted by id, which is the order of creation. */
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

/** A filter or a sort that reads names and texts of all items. */
type Scan = Pick<AskedFilter, "parameter" | "operator">;

const scansOf = (
  { locale }: MediaReading,
  asked: readonly AskedFilter[],
  sorts: readonly MediaSort[],
): Scan[] => [
  ...asked.filter(
    ({ field, operator }) =>
      operator === "contains" || operator === "icontains" || isOfLocale(SORTED.get(field) ?? "id", locale),
  ),
  ...sorts
    .filter(({ column }) => isOfLocale(column, locale))
    .map(() => ({ parameter: "sort", operator: "a sort by alt in this locale" })),
];

/** Charges the filters and sorts that read names and texts of all items. */
async function pay(
  { db, spaceId, payer }: MediaReading,
  scans: readonly Scan[],
  hasCount: boolean,
): Promise<void> {
  const [first] = scans;
  if (!first) return;
  const priceOf = async ({ recordsMax }: ScanBudget): Promise<Price> =>
    scanPrice(await countMedia(db, spaceId, recordsMax), recordsMax, scans.length);
  await payForList({ ...first, hasCount, priceOf }, payer, Date.now());
}

/**
 * Charges a search in one of several locales that reads many items. The index has the words of all locales, so that of
 * more matches than are ranked, any number may have none in the asked one.
 */
async function payForSearch({ db, payer, locale }: MediaReading, request: MediaSearchRequest): Promise<void> {
  const { searchRankedMax } = CONTENT;
  if (locale === null || (await countMatches(db, request, searchRankedMax)) <= searchRankedMax) return;
  const priceOf = async ({ recordsMax }: ScanBudget): Promise<Price> =>
    scanPrice({ records: await countMatches(db, request, recordsMax), bytes: 0 }, recordsMax);
  const list = { parameter: "search", operator: "a search for such frequent words" };
  await payForList({ ...list, hasCount: request.countMax !== null, priceOf }, payer, Date.now());
}

export interface MediaReading {
  db: Database;
  spaceId: string;
  /** The secret that seals cursors. */
  secret: string;
  payer: Payer;
  /** The locale whose alt texts are looked at; null in a space that never had locales. */
  locale: AltLocale | null;
}

/** @throws ApiError INVALID_PARAMETER, INVALID_CURSOR, RATE_LIMITED */
export async function openMediaList(
  reading: MediaReading,
  query: MediaListQuery,
  parameters: [string, string][],
): Promise<MediaPage> {
  const { db, spaceId, secret, locale } = reading;
  const asked = askedFilters(parameters);
  if (asked.length > CONTENT.filtersMax) {
    throw invalidParameter("filter", `may be given at most ${CONTENT.filtersMax} times`);
  }
  const { search, sort = DEFAULT_SORT } = query;
  checkSearch(search, query.sort);
  const named = asked.map(({ parameter, texts, isWhole }) => [parameter, isWhole, ...texts]);
  const inLocale = locale?.isDefault === false ? [locale.code] : [];
  const page = await openPage(
    secret,
    ["media", spaceId, search === undefined ? sort : ["search", search], named, ...inLocale],
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
    locale,
    countMax: query.count ? CONTENT.countExactMax : null,
  };
  const sorts = search === undefined ? parseSorts(sort) : [];
  await pay(reading, scansOf(reading, asked, sorts), request.countMax !== null);
  if (search !== undefined) await payForSearch(reading, { ...request, search });
  const { items, counted } =
    search === undefined
      ? await listMediaItems(db, { ...request, sorts })
      : await searchMediaItems(db, { ...request, search });
  const { rows, meta } = await closePage(page, items, ({ position }) => position);
  return { items: rows, meta: { ...meta, ...(counted !== null && totalOf(counted)) } };
}
