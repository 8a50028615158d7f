/** Versions of a media item's file in D1. Their numbers are reserved before an upload, and never used twice. */
import { and, eq, isNull, sql, type SQL } from "drizzle-orm";
import { media, type masters } from "../../../../schema/tables.ts";
import type { FocalPoint } from "../../../image/geometry/focal-point.ts";
import { batchSql, type Database } from "../database/database.ts";
import { actorColumn, type Origin } from "../events/actor.ts";
import { eventStatement } from "../events/events.ts";
import { altTextsIn, hasFoldedLocales, refolded, type ListedFacts, withRights } from "./media-facts.ts";
import { cancelPendingDelete } from "../sweep/pending-deletes.ts";
import { mediaTag } from "../invalidation/tags.ts";
import { invalidationStatement } from "../invalidation/outbox.ts";
import { dropVariants } from "./remove-media.ts";
import type { UploadClaim } from "./uploads.ts";

export type MasterRow = typeof masters.$inferSelect;

/** Returns the values of a row as a SELECT list, so that the INSERT can have a condition. */
export function masterValues(row: MasterRow) {
  return sql`${row.mediaId}, ${row.version}, ${row.spaceId}, ${row.file}, ${row.sizeBytes}, ${row.sha256},
    ${row.facts}, ${row.createdAt}, ${row.purgeAt}, ${row.isToPrebuild ? 1 : 0}, ${row.inspectionTries},
    ${row.sentSha256}`;
}
export const MASTER_COLUMNS = sql.raw(
  "media_id, version, space_id, file, size_bytes, sha256, facts, created_at, purge_at, is_to_prebuild, inspection_tries, sent_sha256",
);

/** Reserves the next version number of a media item; null if the item does not exist. */
export async function reserveVersion(db: Database, spaceId: string, id: string): Promise<number | null> {
  const [row] = await db
    .update(media)
    .set({ lastVersion: sql`${media.lastVersion} + 1` })
    .where(and(eq(media.id, id), eq(media.spaceId, spaceId), isNull(media.deletedAt)))
    .returning({ version: media.lastVersion });
  return row?.version ?? null;
}

export interface Replacement {
  /** The new file name; null keeps the present one. */
  filename: string | null;
  alt: string | null;
  focalPoint: FocalPoint | null;
  listed: ListedFacts;
  /** The words of the creator and the notice of the new file. */
  wordsOfRights: string;
  now: number;
  /** The time until which earlier versions are kept. */
  retireAt: number;
  /** The R2 key of the stored file. */
  key: string;
  claim: UploadClaim | null;
  origin: Origin;
}

/**
 * Returns the folded names and their words after a replacement. A new alt text is folded and searched with those of the
 * other locales. If another request changes these meanwhile, both are null until the sweep fills them.
 */
async function refoldedWith(
  db: Database,
  { spaceId, mediaId }: MasterRow,
  { filename, alt, wordsOfRights }: Replacement,
): Promise<{ folded: SQL; words: SQL }> {
  const names = { filename: filename ?? undefined, alt: alt ?? undefined };
  const withWords = ({ folded, words }: { folded: SQL; words: SQL }) => ({
    folded,
    words: withRights(words, sql`${wordsOfRights}`),
  });
  if (alt === null) return withWords(refolded(names));
  const before = await db.get<{ alts: string | null; has_locales: number } | undefined>(sql`
    SELECT alts, ${hasFoldedLocales} AS has_locales FROM media WHERE space_id = ${spaceId} AND id = ${mediaId}`);
  const { alts = null, has_locales: hasLocales = 0 } = before ?? {};
  const ofLocales = alts !== null || hasLocales === 1 ? { alt, alts: altTextsIn(alts) } : undefined;
  const { folded, words } = withWords(refolded(names, ofLocales));
  const isAsRead = sql`alts IS ${alts} AND ${hasFoldedLocales} = ${hasLocales}`;
  return { folded: sql`iif(${isAsRead}, ${folded}, NULL)`, words: sql`iif(${isAsRead}, ${words}, NULL)` };
}

/**
 * Makes a stored file the media item's master. If there are two replacements at once, the higher number prevails, and
 * the other one is kept like an earlier version until `retireAt`. False when the item was trashed meanwhile, or when
 * the upload is not open any more; nothing is written then.
 */
export async function replaceMaster(
  db: Database,
  master: MasterRow,
  replacement: Replacement,
): Promise<boolean> {
  const { spaceId, mediaId, version } = master;
  const { filename, alt, focalPoint, listed, now, retireAt, key, claim, origin } = replacement;
  const { folded, words } = await refoldedWith(db, master, replacement);
  const isItem = sql`space_id = ${spaceId} AND id = ${mediaId}`;
  const isOfItem = sql`space_id = ${spaceId} AND media_id = ${mediaId}`;
  const isEarlier = sql`${isOfItem} AND version <> (SELECT master_version FROM media WHERE ${isItem})`;
  const itemIsThere = sql`EXISTS (SELECT 1 FROM media WHERE ${isItem} AND deleted_at IS NULL)`;
  const isWanted = claim ? sql`${itemIsThere} AND ${claim.isOpen}` : itemIsThere;
  const isWritten = sql`EXISTS (SELECT 1 FROM masters WHERE ${isOfItem} AND version = ${version})`;
  const target = { kind: "media", id: mediaId } as const;
  const line = { action: "media.replaced", target, facts: { masterVersion: version } } as const;
  const [, inserted = []] = await batchSql(db, [
    eventStatement(spaceId, origin, now, line, isWanted),
    sql`
      INSERT INTO masters (${MASTER_COLUMNS}) SELECT ${masterValues(master)} WHERE ${isWanted} RETURNING version`,
    sql`
      UPDATE media SET master_version = ${version}, updated_at = ${now}, updated_by = ${actorColumn(origin.actor)},
        filename = coalesce(${filename}, filename),
        alt = coalesce(${alt}, alt), folded = ${folded}, words = ${words},
        mime = ${listed.mime}, width = ${listed.width}, height = ${listed.height}, animated = ${listed.animated ? 1 : 0},
        focal_x = coalesce(${focalPoint?.x ?? null}, focal_x), focal_y = coalesce(${focalPoint?.y ?? null}, focal_y)
      WHERE ${isItem} AND deleted_at IS NULL AND master_version < ${version} AND ${isWritten}`,
    sql`UPDATE masters SET purge_at = ${retireAt} WHERE purge_at IS NULL AND ${isEarlier}`,
    ...dropVariants(isEarlier, now),
    cancelPendingDelete(key, isWritten),
    invalidationStatement(sql`SELECT ${mediaTag(mediaId)} WHERE ${isWritten}`, "media", now),
    ...(claim ? [claim.complete(mediaId, version)] : []),
  ]);
  return inserted.length > 0;
}
