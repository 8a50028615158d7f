/** Versions of a media item's file in D1. Their numbers are reserved before an upload, and never used twice. */
import { and, eq, isNull, sql } from "drizzle-orm";
import { media, type masters } from "../../../../schema/tables.ts";
import type { FocalPoint } from "../../../image/geometry/focal-point.ts";
import { batchSql, type Database } from "../database/database.ts";
import { refolded, type ListedFacts } from "./media-facts.ts";
import { cancelPendingDelete } from "../sweep/pending-deletes.ts";
import { mediaTag } from "../invalidation/purge-tags.ts";
import { purgeStatement } from "../invalidation/purges.ts";
import { dropVariants } from "./remove-media.ts";
import type { UploadClaim } from "./uploads.ts";

export type MasterRow = typeof masters.$inferSelect;

/** Returns the values of a row as a SELECT list, so that the INSERT can have a condition. */
export function masterValues(row: MasterRow) {
  return sql`${row.mediaId}, ${row.version}, ${row.spaceId}, ${row.file}, ${row.sizeBytes}, ${row.sha256},
    ${row.facts}, ${row.createdAt}, ${row.purgeAt}, ${row.isToPrebuild ? 1 : 0}`;
}
export const MASTER_COLUMNS = sql.raw(
  "media_id, version, space_id, file, size_bytes, sha256, facts, created_at, purge_at, is_to_prebuild",
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
  now: number;
  /** The time until which earlier versions are kept. */
  retireAt: number;
  /** The R2 key of the stored file. */
  key: string;
  claim: UploadClaim | null;
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
  const { mediaId, version } = master;
  const { filename, alt, focalPoint, listed, now, retireAt, key, claim } = replacement;
  const { folded, words } = refolded({ filename: filename ?? undefined, alt: alt ?? undefined });
  const itemIsThere = sql`EXISTS (SELECT 1 FROM media WHERE id = ${mediaId} AND deleted_at IS NULL)`;
  const isWanted = claim ? and(itemIsThere, claim.isOpen) : itemIsThere;
  const isWritten = sql`EXISTS (SELECT 1 FROM masters WHERE media_id = ${mediaId} AND version = ${version})`;
  const [inserted = []] = await batchSql(db, [
    sql`
      INSERT INTO masters (${MASTER_COLUMNS}) SELECT ${masterValues(master)} WHERE ${isWanted} RETURNING version`,
    sql`
      UPDATE media SET master_version = ${version}, updated_at = ${now}, filename = coalesce(${filename}, filename),
        alt = coalesce(${alt}, alt), folded = ${folded}, words = ${words},
        mime = ${listed.mime}, width = ${listed.width}, height = ${listed.height}, animated = ${listed.animated ? 1 : 0},
        focal_x = coalesce(${focalPoint?.x ?? null}, focal_x), focal_y = coalesce(${focalPoint?.y ?? null}, focal_y)
      WHERE id = ${mediaId} AND deleted_at IS NULL AND master_version < ${version} AND ${isWritten}`,
    sql`
      UPDATE masters SET purge_at = ${retireAt} WHERE media_id = ${mediaId} AND purge_at IS NULL
        AND version <> (SELECT master_version FROM media WHERE id = ${mediaId})`,
    ...dropVariants(
      sql`media_id = ${mediaId} AND version <> (SELECT master_version FROM media WHERE id = ${mediaId})`,
      now,
    ),
    cancelPendingDelete(key, isWritten),
    purgeStatement(sql`SELECT ${mediaTag(mediaId)} WHERE ${isWritten}`, "media", now),
    ...(claim ? [claim.complete(mediaId, version)] : []),
  ]);
  return inserted.length > 0;
}
