/** Answers reads of one record and of a page of a list. */
import { CONTENT } from "../../../limits.ts";
import { openPage, type PageMeta, type PageQuery } from "../../storage/pages/list-page.ts";
import type { MediaBases } from "../../media/media-object.ts";
import type { Space } from "../../spaces/authorize.ts";
import type { Database } from "../../storage/database/database.ts";
import { totalOf, type Total } from "../../storage/lists/record-count.ts";
import { listRecords } from "../../storage/lists/record-list.ts";
import type { ListRequest } from "../../storage/lists/record-branches.ts";
import { readTargets, type TargetKeys, type Targets } from "../../storage/references/populated-targets.ts";
import { joined, readSides } from "../../storage/locales/sides.ts";
import { askedFilters, type AskedFilter } from "../../lists/asked-filters.ts";
import { isSearchable } from "../../../content/field-types/fields.ts";
import { defaultCode } from "../../../content/locales/locales.ts";
import { checkLocales } from "../../spaces/gate.ts";
import { seesTargets, type Scopes } from "../../storage/spaces/scopes.ts";
import { baseOf, codesSeen, isAll, isLocalized, sidesSeen } from "../../../content/model/localized-model.ts";
import { DEFAULT_NUMBER } from "../../../content/locales/numbers.ts";
import { parseFilters, type RelatedModels } from "../../lists/filters.ts";
import { seenCondition } from "../../lists/seen.ts";
import { checkBudget, payForRows, type Payer } from "../../lists/scan-budget.ts";
import { payForScans } from "../../lists/scans.ts";
import type { Model } from "../../../content/model/model.ts";
import { rowsOf, type Content } from "../../../content/model/publication.ts";
import { checkBytes, populate, type Expanded } from "./populate.ts";
import { etagOf } from "./preconditions.ts";
import { checkSearch, checkSearchable } from "../../lists/search-text.ts";
import { recordView, type RecordView, type StoredRecord } from "./record-object.ts";
import { sidesNeeded, withSides } from "./locale-scope.ts";
import {
  DEFAULT_SORT,
  parsePopulate,
  parseSelection,
  parseSort,
  type PopulateTree,
  type Selection,
} from "./selection.ts";

export interface Reading {
  db: Database;
  space: Space;
  model: Model;
  /** The content of the answer, of expanded records and of filters through relations. */
  content: Content;
  /** Whether the caller has no key, so that only records of public models are expanded. */
  onlyPublic: boolean;
  /** The scopes of the caller: records of models outside, and media, are not expanded. */
  scopes: Scopes;
  bases: MediaBases;
  /** The secret that seals cursors. */
  secret: string;
}

export interface ViewQuery {
  selectFields?: string | undefined;
  populate?: string | undefined;
}

export interface ListQuery extends ViewQuery, PageQuery {
  sort?: string | undefined;
  search?: string | undefined;
  count?: boolean | undefined;
}

const expand = (reading: Reading, records: StoredRecord[], tree: PopulateTree, selection: Selection) =>
  populate(reading.model, records, tree, selection, {
    space: reading.space,
    bases: { ...reading.bases, scope: reading.model.scope, showsActors: reading.model.showsActors },
    content: reading.content,
    scope: reading.model.scope ?? null,
    seesMedia: seesTargets(reading.scopes, null),
    readTargets: (keys, bytesMax) => targetsIn(reading, keys, bytesMax),
  });

/** Reads targets with their contents in the locales that the answer shows. */
async function targetsIn(reading: Reading, keys: TargetKeys, bytesMax: number): Promise<Targets> {
  const { db, space, model } = reading;
  const targets = await readTargets(db, space.id, keys, reading, bytesMax);
  const locales = model.scope ? sidesSeen(model.scope) : [];
  if (locales.length === 0) return targets;
  const read = targets.records.filter(({ data }) => data !== null);
  const sides = await readSides(
    db,
    read.map(({ seq }) => seq),
    locales,
  );
  const records = targets.records.map((record) => {
    const side = sides.get(record.seq);
    if (record.data === null || side === undefined) return record;
    return { ...record, data: side === null ? null : joined(record.data, side) };
  });
  return { ...targets, records };
}

const DIGEST_CHARACTERS = 16;

/** Returns a digest of an answer with expanded records, for its ETag: they change without the record. */
async function digestOf(view: RecordView): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(view)));
  const hex = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.slice(0, DIGEST_CHARACTERS);
}

/** @throws ApiError INVALID_PARAMETER */
export async function readOne(
  reading: Reading,
  record: StoredRecord,
  query: ViewQuery,
): Promise<{ view: RecordView; etag: string }> {
  const { model } = reading;
  const selection = parseSelection(model, query.selectFields);
  const tree = parsePopulate(query.populate);
  if (tree.size === 0) {
    return { view: recordView(model, record, selection), etag: etagOf(model, record) };
  }
  const [expanded] = await expand(reading, [record], tree, selection);
  if (!expanded) throw new Error("populate gave no record");
  checkBytes(expanded);
  return { view: expanded.view, etag: etagOf(model, record, await digestOf(expanded.view)) };
}

/** Returns the longest run of records from the first that fits an answer, but at least the first. */
function fitting(expanded: Expanded[]): Expanded[] {
  const [first] = expanded;
  if (first) checkBytes(first);
  let bytes = 0;
  const end = expanded.findIndex((one) => (bytes += one.bytes) > CONTENT.pageMaxBytes);
  return end === -1 ? expanded : expanded.slice(0, end);
}

/** Returns the columns of a list's own locale, beside the records' own rows. */
function localeOfList(model: Model, sides: readonly number[]) {
  const { scope, fields } = model;
  if (!scope || scope.no === DEFAULT_NUMBER) return {};
  const searched = fields.filter(isSearchable);
  const isSearched = searched.some(isLocalized);
  return {
    ...(sides.length === 1 && sides[0] === scope.no && { side: scope.no, hidden: hiddenIn(model) }),
    ...(isSearched && { searchedLocale: { no: scope.no, hasShared: !searched.every(isLocalized) } }),
  };
}

/** Returns the numbers of the default locale's values where an answer does not show them. */
const hiddenIn = (model: Model): number[] =>
  model.scope && codesSeen(model.scope).includes(defaultCode(model.scope.locales))
    ? []
    : baseOf(model)
        .fields.filter(isLocalized)
        .map(({ no }) => no);

/** Names the list that a cursor belongs to: the model with its version, the order, the filters. */
const listName = (
  reading: Reading,
  sort: string,
  search: string | undefined,
  filters: AskedFilter[],
): unknown[] => [
  reading.space.id,
  rowsOf(reading.model, reading.content),
  ...(reading.model.scope
    ? [reading.model.scope.no, reading.model.scope.isFilled, reading.model.scope.inside]
    : []),
  search === undefined ? sort : ["search", search],
  filters
    .map(({ parameter, texts, isWhole }) => [parameter, isWhole, ...texts])
    .sort(([a = ""], [b = ""]) => (a < b ? -1 : 1)),
];

export interface ListPage {
  data: RecordView[];
  meta: PageMeta & Partial<Total>;
}

/** Checks a list by values: filters, sorts and searches of `all` are the default locale's. @throws ApiError FORBIDDEN */
function checkListLocale({ scope }: Model): void {
  if (scope && isAll(scope)) checkLocales({ locales: scope.inside }, [defaultCode(scope.locales)]);
}

/** @param related the collections that filters go through @throws ApiError INVALID_PARAMETER, INVALID_CURSOR */
export async function openList(
  reading: Reading & { related: RelatedModels; payer: Payer },
  query: ListQuery,
  parameters: [string, string][],
): Promise<ListPage> {
  const { model, db, secret } = reading;
  const filters = askedFilters(parameters);
  const { search, sort = DEFAULT_SORT } = query;
  const isByValues = filters.length > 0 || search !== undefined || query.sort !== undefined;
  if (isByValues) checkListLocale(model);
  checkSearch(search, query.sort);
  checkSearchable(model, search);
  const selection = parseSelection(model, query.selectFields);
  const tree = parsePopulate(query.populate);
  const page = await openPage(secret, listName(reading, sort, search, filters), query);
  const sides = sidesNeeded(model);
  const ofLocale = localeOfList(model, sides);
  const seen = seenCondition(model, reading.content);
  const request: ListRequest = {
    ...ofLocale,
    modelId: rowsOf(model, reading.content),
    conditions: [...parseFilters(model, filters, reading.related, reading.content), ...(seen ? [seen] : [])],
    sorts: search === undefined ? parseSort(model, sort) : [],
    search: search ?? null,
    after: page.after,
    limit: page.limit,
    showsActors: model.showsActors,
    countMax: query.count ? CONTENT.countExactMax : null,
  };
  checkBudget(reading.payer, Date.now());
  await payForScans(db, request, reading.payer, Date.now());
  const { rows: listed, hasMore, counted, rowsRead } = await listRecords(db, request);
  const rows = ofLocale.side === undefined ? await withSides(db, model, listed) : listed;
  payForRows(rowsRead, reading.payer, Date.now());
  const expanded = tree.size === 0 ? null : fitting(await expand(reading, rows, tree, selection));
  const data = expanded?.map((one) => one.view) ?? rows.map((row) => recordView(model, row, selection));
  const last = rows[data.length - 1];
  const isLast = !hasMore && data.length === listed.length;
  const nextCursor = await page.next(isLast || !last ? null : last.position);
  return { data, meta: { nextCursor, limit: page.limit, ...(counted !== null && totalOf(counted)) } };
}
