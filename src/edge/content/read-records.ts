/** Answers of the two reads: one record, a page of a list. */
import { CONTENT, LIST } from "../../limits.ts";
import type { MediaBases } from "../media/media-object.ts";
import type { Space } from "../spaces/authorize.ts";
import type { Database } from "../storage/database.ts";
import { listRecords, type ListRequest } from "../storage/record-list.ts";
import { readTargets } from "../storage/targets.ts";
import { openCursor, sealCursor } from "../storage/cursor.ts";
import { parseFilters } from "./filters.ts";
import type { Model } from "../content-model/model.ts";
import { checkBytes, populate, type Expanded } from "./populate.ts";
import { etagOf, recordView, type RecordView, type StoredRecord } from "./read.ts";
import { parsePopulate, parseSelection, parseSort, type PopulateTree, type Selection } from "./selection.ts";
import { invalidParameter } from "../content-model/targets.ts";

export interface Reading {
  db: Database;
  space: Space;
  model: Model;
  bases: MediaBases;
  /** Seals cursors. */
  secret: string;
}

export interface ViewQuery {
  selectFields?: string | undefined;
  populate?: string | undefined;
}

export interface ListQuery extends ViewQuery {
  limit?: number | undefined;
  cursor?: string | undefined;
  sort?: string | undefined;
}

const expand = (reading: Reading, records: StoredRecord[], tree: PopulateTree, selection: Selection) =>
  populate(reading.model, records, tree, selection, {
    space: reading.space,
    bases: reading.bases,
    readTargets: (keys, bytesMax) => readTargets(reading.db, reading.space.id, keys, bytesMax),
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
  if (tree.size === 0) return { view: recordView(model, record, selection), etag: etagOf(record, model) };
  const [expanded] = await expand(reading, [record], tree, selection);
  if (!expanded) throw new Error("populate gave no record");
  checkBytes(expanded);
  return { view: expanded.view, etag: etagOf(record, model, await digestOf(expanded.view)) };
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
const listName = (reading: Reading, sort: string, filters: [string, string][]): string =>
  JSON.stringify([
    reading.space.id,
    reading.model.id,
    sort,
    [...filters].sort(([a], [b]) => (a < b ? -1 : 1)),
  ]);

export interface ListPage {
  data: RecordView[];
  meta: { nextCursor: string | null; limit: number };
}

/** @throws ApiError INVALID_PARAMETER, INVALID_CURSOR */
export async function openList(
  reading: Reading,
  query: ListQuery,
  filters: [string, string][],
): Promise<ListPage> {
  const { model, db, secret } = reading;
  const named = new Map(filters);
  const twice = filters.find(([name], index) => filters.findIndex(([other]) => other === name) !== index);
  if (twice) throw invalidParameter(twice[0], "must be given at most once");
  const limit = query.limit ?? LIST.limitDefault;
  const selection = parseSelection(model, query.selectFields);
  const tree = parsePopulate(query.populate);
  const name = listName(reading, query.sort ?? "", filters);
  const request: ListRequest = {
    modelId: model.id,
    filters: parseFilters(model, named),
    sorts: parseSort(model, query.sort),
    after: query.cursor === undefined ? null : await openCursor(secret, name, query.cursor),
    limit,
  };
  const { rows, hasMore } = await listRecords(db, request);
  const expanded = tree.size === 0 ? null : fitting(await expand(reading, rows, tree, selection));
  const data = expanded?.map((one) => one.view) ?? rows.map((row) => recordView(model, row, selection));
  const last = rows[data.length - 1];
  const isLast = !hasMore && data.length === rows.length;
  const nextCursor = isLast || !last ? null : await sealCursor(secret, name, last.position);
  return { data, meta: { nextCursor, limit } };
}
