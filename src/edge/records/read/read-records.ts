/** Answers of the two reads: one record, a page of a list. */
import { CONTENT } from "../../../limits.ts";
import { openPage, type PageMeta, type PageQuery } from "../../storage/pages/list-page.ts";
import type { MediaBases } from "../../media/media-object.ts";
import type { Space } from "../../spaces/authorize.ts";
import type { Database } from "../../storage/database/database.ts";
import { totalOf, type Total } from "../../storage/lists/record-count.ts";
import { listRecords } from "../../storage/lists/record-list.ts";
import type { ListRequest } from "../../storage/lists/record-page.ts";
import { readTargets } from "../../storage/references/populated-targets.ts";
import { askedFilters, type AskedFilter } from "../../lists/asked-filters.ts";
import { parseFilters, type RelatedModels } from "../../lists/filters.ts";
import { checkBudget, payForRows, type Payer } from "../../lists/scan-budget.ts";
import { payForScans } from "../../lists/scans.ts";
import type { Model } from "../../../content/model/model.ts";
import { rowsOf, type Content } from "../../../content/model/publication.ts";
import { checkBytes, populate, type Expanded } from "./populate.ts";
import { etagOf } from "./preconditions.ts";
import { checkSearch, checkSearchable } from "../../lists/search-text.ts";
import { recordView, type RecordView, type StoredRecord } from "./record-object.ts";
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
  /** Which content is answered, here and in what is expanded and filtered through. */
  content: Content;
  /** Without a key: what is expanded is of public models. */
  onlyPublic: boolean;
  bases: MediaBases;
  /** Seals cursors. */
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
    bases: reading.bases,
    readTargets: (keys, bytesMax) => readTargets(reading.db, reading.space.id, keys, reading, bytesMax),
  });

const DIGEST_CHARACTERS = 16;

/** What was expanded changes without the record: its tag names the whole answer. */
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

/** The longest run of records from the first that fits an answer, the first at least. */
function fitting(expanded: Expanded[]): Expanded[] {
  const [first] = expanded;
  if (first) checkBytes(first);
  let bytes = 0;
  const end = expanded.findIndex((one) => (bytes += one.bytes) > CONTENT.pageMaxBytes);
  return end === -1 ? expanded : expanded.slice(0, end);
}

/** Names the list that a cursor belongs to: the model as it is, the order, the filters. */
const listName = (
  reading: Reading,
  sort: string,
  search: string | undefined,
  filters: AskedFilter[],
): unknown[] => [
  reading.space.id,
  rowsOf(reading.model, reading.content),
  search === undefined ? sort : ["search", search],
  filters
    .map(({ parameter, texts, isWhole }) => [parameter, isWhole, ...texts])
    .sort(([a = ""], [b = ""]) => (a < b ? -1 : 1)),
];

export interface ListPage {
  data: RecordView[];
  meta: PageMeta & Partial<Total>;
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
  checkSearch(search, query.sort);
  checkSearchable(model, search);
  const selection = parseSelection(model, query.selectFields);
  const tree = parsePopulate(query.populate);
  const page = await openPage(secret, listName(reading, sort, search, filters), query);
  const request: ListRequest = {
    modelId: rowsOf(model, reading.content),
    conditions: parseFilters(model, filters, reading.related, reading.content),
    sorts: search === undefined ? parseSort(model, sort) : [],
    search: search ?? null,
    after: page.after,
    limit: page.limit,
    countMax: query.count ? CONTENT.countExactMax : null,
  };
  checkBudget(reading.payer, Date.now());
  await payForScans(db, request, reading.payer, Date.now());
  const { rows, hasMore, counted, rowsRead } = await listRecords(db, request);
  payForRows(rowsRead, reading.payer, Date.now());
  const expanded = tree.size === 0 ? null : fitting(await expand(reading, rows, tree, selection));
  const data = expanded?.map((one) => one.view) ?? rows.map((row) => recordView(model, row, selection));
  const last = rows[data.length - 1];
  const isLast = !hasMore && data.length === rows.length;
  const nextCursor = await page.next(isLast || !last ? null : last.position);
  return { data, meta: { nextCursor, limit: page.limit, ...(counted !== null && totalOf(counted)) } };
}
