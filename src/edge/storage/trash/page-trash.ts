/**
 * Replaces the content of pages, in one batch. The previous content can go to the trash as an entry of its own. An entry
 * of a page that was reset also holds what was published of it, and its plans, as the trashed row of any record does.
 */
import { sql, type SQL } from "drizzle-orm";
import type { Model, StoredContent } from "../../../content/model/model.ts";
import { batchSql, type Database } from "../database/database.ts";
import { actorColumn } from "../events/actor.ts";
import type { RecordRow } from "../spaces/entries.ts";
import { publishedSeq, publishedSeqOf, rowsOfRecord, UNPUBLISH, withdraw } from "../records/published.ts";
import { addAllIndexRows, dropIndexRows, int } from "../records/record-index.ts";
import { isAsRead, isTrashed, rowsWhile, type Retention } from "./record-trash.ts";
import {
  holdPublishedVersion,
  nextVersion,
  releaseVersions,
  type RecordEvent,
} from "../history/record-versions.ts";
import { copySides, keepParts } from "../locales/sides.ts";
import { editionsOfPage, withoutPublications, type EditionsOfPage } from "../locales/page-editions.ts";
import { isPublishedAnywhere } from "../../../content/model/editions.ts";
import { modelIsCurrent, seqOf } from "../records/records.ts";

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
  model.drafts && isPublishedAnywhere(from);

const CONTENT_COLUMNS = sql.raw(
  "data, folded, size_bytes, version, created_at, updated_at, created_by, updated_by",
);
const PUBLICATION_COLUMNS = sql.raw("published_version, published_at, first_published_at");
const PLAN_COLUMNS = sql.raw("publish_at, unpublish_at");

/** Returns `records.held` of a copy of the row `alias` of a page: its contents in all locales are copied with it, if it has any. */
const heldOf = (alias: "r" | "p", { locales }: Pick<RecordRow, "locales">): SQL =>
  locales === null ? sql`NULL` : sql.raw(`${alias}.held`);

/** Copies the draft of a page to the trash, under a new id. `isWhole`: with its publication and its plans. */
function keepDraft(page: RecordRow, asRead: SQL, entry: PageEntry, isWhole: boolean): SQL[] {
  const also = isWhole ? sql`, ${PUBLICATION_COLUMNS}, ${PLAN_COLUMNS}` : sql``;
  const editions = isWhole ? page.locales : withoutPublications(page.locales);
  const keep = sql`
    INSERT INTO records (model_id, space_id, id, ${CONTENT_COLUMNS}, locales, held, deleted_at, purge_at ${also})
    SELECT model_id, space_id, ${entry.id}, ${CONTENT_COLUMNS}, ${editions}, ${heldOf("r", page)}, ${entry.deletedAt}, ${entry.purgeAt} ${also}
    FROM records r WHERE ${asRead}`;
  return page.locales === null
    ? [keep]
    : [keep, copySides(asRead, { seq: sql`(${seqOf(page.modelId, entry.id)})`, modelId: sql`r.model_id` })];
}

/** Copies the published content of a page to the trash, beside the draft that `keepDraft` has copied. */
const keepPublished = (model: Model, page: RecordRow, entry: PageEntry): SQL[] => [
  keepPublishedRow(model, page, entry),
  ...(page.locales === null
    ? []
    : [
        copySides(sql`r.seq = ${int(publishedSeq(page.seq))}`, {
          seq: publishedSeqOf(sql`(${seqOf(model.id, entry.id)})`),
          modelId: sql`r.model_id`,
        }),
      ]),
];

const keepPublishedRow = (
  model: Model,
  page: Pick<RecordRow, "seq" | "locales">,
  entry: PageEntry,
): SQL => sql`
  INSERT INTO records (seq, model_id, space_id, id, ${CONTENT_COLUMNS}, deleted_at, purge_at, ${PUBLICATION_COLUMNS}, locales, held)
  SELECT ${publishedSeqOf(sql.raw("e.seq"))}, p.model_id, p.space_id, e.id, p.data, p.folded, p.size_bytes, p.version,
    p.created_at, p.updated_at, p.created_by, p.updated_by, e.deleted_at, e.purge_at, p.published_version, p.published_at, p.first_published_at, p.locales, ${heldOf("p", page)}
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
  { event, editions }: { event: RecordEvent; editions: EditionsOfPage | null },
): SQL {
  const { now, origin } = event;
  const by = actorColumn(origin.actor);
  const version = versionFrom(page, from);
  const published =
    version === from.publishedVersion
      ? sql`f.data, f.folded, f.size_bytes, coalesce(${version}, f.version), r.created_at, f.updated_at, r.created_by, f.updated_by`
      : sql`${content.data}, ${content.folded}, ${content.sizeBytes}, ${version}, r.created_at, max(${now}, r.updated_at), r.created_by, ${by}`;
  return sql`
    INSERT INTO records (seq, model_id, space_id, id, ${CONTENT_COLUMNS}, ${PUBLICATION_COLUMNS}, locales, held)
    SELECT ${int(publishedSeq(page.seq))}, -r.model_id, r.space_id, r.id, ${published}, ${version}, f.published_at,
      f.first_published_at, ${editions?.published ?? null}, ${editions ? sql`f.held` : sql`NULL`}
    FROM records r CROSS JOIN records f ON f.seq = ${int(publishedSeq(from.seq))} WHERE ${asRead}`;
}

/** Copies what the row `from` holds in locales to the page `r` for which `asRead` holds, or to its published row. */
const sidesFrom = (from: number, asRead: SQL, to: number): SQL => sql`
  INSERT INTO record_locales (record, locale, model_id, size_bytes, folded, data, filled)
  SELECT ${int(to)}, l.locale, ${to < 0 ? sql`-r.model_id` : sql`r.model_id`}, l.size_bytes, l.folded, l.data, l.filled
  FROM records r CROSS JOIN record_locales l WHERE l.record = ${int(from)} AND ${asRead}`;

/** Keeps what a page holds in all locales for its history, and gives it what the entry holds. */
const replaceSides = (
  page: RecordRow,
  from: RecordRow | undefined,
  { replaced }: EditionsOfPage,
  asRead: SQL,
): SQL[] => [
  ...keepParts(replaced, asRead),
  sql`DELETE FROM record_locales WHERE record IN (SELECT r.seq FROM records r WHERE ${asRead})`,
  ...(from ? [sidesFrom(from.seq, asRead, page.seq)] : []),
];

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
  const editions = editionsOfPage(page, from, isWhole, event.now);
  const before = [
    ...(entry ? keepDraft(page, asRead, entry, isWhole) : []),
    ...(entry && isWhole ? keepPublished(model, page, entry) : []),
    ...nextVersion(asRead, event, editions !== null),
    ...(editions ? replaceSides(page, from, editions, asRead) : []),
    ...(isWhole ? [withdraw(page.seq, asRead)] : []),
    ...(published ? [publishFrom(page, published, content, asRead, { event, editions })] : []),
    ...(published && editions
      ? [sidesFrom(publishedSeq(published.seq), asRead, publishedSeq(page.seq))]
      : []),
  ];
  const results = await batchSql(db, [
    ...before,
    sql`UPDATE records AS r SET data = ${content.data}, folded = ${content.folded}, size_bytes = ${content.sizeBytes},
        version = version + 1, updated_at = max(${event.now}, updated_at),
        updated_by = ${actorColumn(event.origin.actor)},
        ${editions ? sql`locales = ${editions.own}, locale_plan_at = ${editions.planAt},` : sql``}
        ${publicationFrom(model, page, from, event.now)}
      WHERE ${asRead} RETURNING seq`,
    ...(published ? [holdPublishedVersion(page.seq)] : []),
    releaseVersions(page.seq, event.now),
    ...dropIndexRows(rowsWhile(page.seq, modelIsCurrent(model))),
    ...addAllIndexRows(model.fields, sql`r.seq IN ${rowsOfRecord(page.seq)} AND ${modelIsCurrent(model)}`),
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
