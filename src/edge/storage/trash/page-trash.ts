/**
 * Replaces the content of pages, in one batch. The previous content can go to the trash as an entry of its own. An entry
 * of a page that was reset also holds what was published of it, and its plans, as the trashed row of any record does.
 */
import { sql, type SQL } from "drizzle-orm";
import type { Model, StoredContent } from "../../../content/model/model.ts";
import { batchSql, type Database } from "../database/database.ts";
import type { RecordRow } from "../spaces/entries.ts";
import { publishedSeq, publishedSeqOf, rowsOfRecord, UNPUBLISH, withdraw } from "../records/published.ts";
import { addIndexRows, dropIndexRows, int } from "../records/record-index.ts";
import { isAsRead, isTrashed, rowsWhile, type Retention } from "./record-trash.ts";
import {
  holdPublishedVersion,
  nextVersion,
  releaseVersions,
  type RecordEvent,
} from "../history/record-versions.ts";
import { modelIsCurrent } from "../records/records.ts";

/** The trash entry that gets the present content of a page. */
export interface PageEntry extends Retention {
  id: string;
}

export interface PageChange {
  /** `trashed` resets the page, `restored` puts an entry back. */
  event: RecordEvent;
  /** The entry that gets the previous content; null keeps nothing. */
  entry: PageEntry | null;
  /** The entry that the new content comes from, which is removed. */
  from?: RecordRow;
}

/** Returns whether the content of an entry was published when it went to the trash. */
export const wasPublished = (model: Model, from: RecordRow): boolean =>
  model.drafts && from.publishedVersion !== null;

const CONTENT_COLUMNS = sql.raw("data, folded, size_bytes, version, created_at, updated_at");
const PUBLICATION_COLUMNS = sql.raw("published_version, published_at, first_published_at");
const PLAN_COLUMNS = sql.raw("publish_at, unpublish_at");

/** Copies the draft of a page to the trash, under a new id. `isWhole`: with its publication and its plans. */
function keepDraft(asRead: SQL, entry: PageEntry, isWhole: boolean): SQL {
  const also = isWhole ? sql`, ${PUBLICATION_COLUMNS}, ${PLAN_COLUMNS}` : sql``;
  return sql`
    INSERT INTO records (model_id, space_id, id, ${CONTENT_COLUMNS}, deleted_at, purge_at ${also})
    SELECT model_id, space_id, ${entry.id}, ${CONTENT_COLUMNS}, ${entry.deletedAt}, ${entry.purgeAt} ${also}
    FROM records r WHERE ${asRead}`;
}

/** Copies the published content of a page to the trash, beside the draft that `keepDraft` has copied. */
const keepPublished = (model: Model, page: Pick<RecordRow, "seq">, entry: PageEntry): SQL => sql`
  INSERT INTO records (seq, model_id, space_id, id, ${CONTENT_COLUMNS}, deleted_at, purge_at, ${PUBLICATION_COLUMNS})
  SELECT ${publishedSeqOf(sql.raw("e.seq"))}, p.model_id, p.space_id, e.id, p.data, p.folded, p.size_bytes, p.version,
    p.created_at, p.updated_at, e.deleted_at, e.purge_at, p.published_version, p.published_at, p.first_published_at
  FROM records p CROSS JOIN records e ON e.model_id = ${int(model.id)} AND e.id = ${entry.id}
  WHERE p.seq = ${int(publishedSeq(page.seq))}`;

/** Returns the version that a page with the content of `from` publishes: the new one if draft and published were one. */
const versionFrom = (page: RecordRow, from: RecordRow): number | null =>
  from.publishedVersion === from.version ? page.version + 1 : from.publishedVersion;

/** Assigns the publication of a page that gets other content. Plans whose time has passed are dropped. */
function publicationFrom(model: Model, page: RecordRow, from: RecordRow | undefined, now: number): SQL {
  if (!from) return UNPUBLISH;
  const toCome = (at: number | null): number | null => (at !== null && at > now ? at : null);
  const [publishAt, unpublishAt] = [toCome(from.publishAt), toCome(from.unpublishAt)];
  if (!wasPublished(model, from)) {
    return sql`publish_at = coalesce(${publishAt}, publish_at), unpublish_at = coalesce(${unpublishAt}, unpublish_at)`;
  }
  return sql`published_version = ${versionFrom(page, from)}, published_at = ${from.publishedAt},
    first_published_at = ${from.firstPublishedAt}, publish_at = ${publishAt}, unpublish_at = ${unpublishAt}`;
}

/** Gives the page `r` for which `asRead` holds the published content of the entry. The page has `content` afterwards. */
function publishFrom(
  page: RecordRow,
  from: RecordRow,
  content: StoredContent,
  asRead: SQL,
  now: number,
): SQL {
  const version = versionFrom(page, from);
  const published =
    version === from.publishedVersion
      ? sql`f.data, f.folded, f.size_bytes, ${version}, r.created_at, f.updated_at`
      : sql`${content.data}, ${content.folded}, ${content.sizeBytes}, ${version}, r.created_at, max(${now}, r.updated_at)`;
  return sql`
    INSERT INTO records (seq, model_id, space_id, id, ${CONTENT_COLUMNS}, ${PUBLICATION_COLUMNS})
    SELECT ${int(publishedSeq(page.seq))}, -r.model_id, r.space_id, r.id, ${published}, ${version}, f.published_at,
      f.first_published_at
    FROM records r CROSS JOIN records f ON f.seq = ${int(publishedSeq(from.seq))} WHERE ${asRead}`;
}

/** Gives a page other content. False, with nothing written, when page, model or entry changed meanwhile. */
export async function replacePage(
  db: Database,
  model: Model,
  page: RecordRow,
  content: StoredContent,
  { event, entry, from }: PageChange,
): Promise<boolean> {
  const published = from && wasPublished(model, from) ? from : null;
  const isWhole = from === undefined || published !== null;
  const asRead = sql`${isAsRead(page)} AND ${modelIsCurrent(model)} AND ${from ? isTrashed(from.seq) : sql`1`}`;
  const before = [
    ...(entry ? [keepDraft(asRead, entry, isWhole)] : []),
    ...(entry && isWhole ? [keepPublished(model, page, entry)] : []),
    ...nextVersion(asRead, event),
    ...(isWhole ? [withdraw(page.seq, asRead)] : []),
    ...(published ? [publishFrom(page, published, content, asRead, event.now)] : []),
  ];
  const results = await batchSql(db, [
    ...before,
    sql`UPDATE records AS r SET data = ${content.data}, folded = ${content.folded}, size_bytes = ${content.sizeBytes},
        version = version + 1, updated_at = max(${event.now}, updated_at),
        ${publicationFrom(model, page, from, event.now)}
      WHERE ${asRead} RETURNING seq`,
    ...(published ? [holdPublishedVersion(page.seq)] : []),
    releaseVersions(page.seq, event.now),
    ...dropIndexRows(rowsWhile(page.seq, modelIsCurrent(model))),
    ...addIndexRows(model.fields, sql`r.seq IN ${rowsOfRecord(page.seq)} AND ${modelIsCurrent(model)}`),
    // The page has a later version than when it was read only if this batch, or another writer, changed it.
    ...(from
      ? [
          sql`DELETE FROM records WHERE seq IN ${rowsOfRecord(from.seq)} AND EXISTS (SELECT 1 FROM records p
            WHERE p.seq = ${int(page.seq)} AND p.version = ${int(page.version + 1)} AND p.data = ${content.data})`,
        ]
      : []),
  ]);
  return (results[before.length] ?? []).length > 0;
}
