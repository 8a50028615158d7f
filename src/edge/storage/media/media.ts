/** Media items in D1. Every change of several rows is one batch. Bytes are written before it and removed after it. */
import { and, eq, isNotNull, isNull, sql, type SQL } from "drizzle-orm";
import { masters, media } from "../../../../schema/tables.ts";
import type { FocalPoint } from "../../../image/geometry/focal-point.ts";
import { batchSql, prepareQuery, prepareSql, type Database } from "../database/database.ts";
import { MASTER_COLUMNS, masterValues, type MasterRow } from "./master-versions.ts";
import { refolded } from "./media-facts.ts";
import { cancelPendingDelete } from "../sweep/pending-deletes.ts";
import { mediaTag } from "../invalidation/purge-tags.ts";
import { purgeStatement } from "../invalidation/purges.ts";
import type { UploadClaim } from "./uploads.ts";

export type MediaRow = typeof media.$inferSelect;

export interface MediaWithMaster {
  media: MediaRow;
  master: MasterRow;
}

/** Joins a media item with its present master. */
export const current = and(eq(masters.mediaId, media.id), eq(masters.version, media.masterVersion));

/** Returns a media item; null if it does not exist or is in the trash. */
export async function readMedia(db: Database, spaceId: string, id: string): Promise<MediaWithMaster | null> {
  const row = await db
    .select({ media, master: masters })
    .from(media)
    .innerJoin(masters, current)
    .where(and(eq(media.id, id), eq(media.spaceId, spaceId), isNull(media.deletedAt)))
    .get();
  return row ?? null;
}

/**
 * Inserts the rows of a new media item, whose bytes are stored under `key`. False when the space was removed meanwhile,
 * or the upload is not open any more: then nothing is written, and the sweep removes the bytes.
 */
export async function insertMedia(
  db: Database,
  row: MediaRow,
  master: MasterRow,
  key: string,
  claim: UploadClaim | null,
): Promise<boolean> {
  const spaceIsThere = sql`EXISTS (SELECT 1 FROM spaces WHERE id = ${row.spaceId} AND removed_at IS NULL)`;
  const isWanted = claim ? and(spaceIsThere, claim.isOpen) : spaceIsThere;
  const [inserted = []] = await batchSql(db, [
    sql`
      INSERT INTO media (id, space_id, filename, alt, focal_x, focal_y, mime, width, height, animated, folded,
        words, master_version, last_version, created_at, updated_at)
      SELECT ${row.id}, ${row.spaceId}, ${row.filename}, ${row.alt}, ${row.focalX}, ${row.focalY}, ${row.mime},
        ${row.width}, ${row.height}, ${row.animated ? 1 : 0}, ${row.folded}, ${row.words}, ${row.masterVersion},
        ${row.lastVersion}, ${row.createdAt}, ${row.updatedAt}
      WHERE ${isWanted} RETURNING id`,
    sql`
      INSERT INTO masters (${MASTER_COLUMNS}) SELECT ${masterValues(master)}
      WHERE EXISTS (SELECT 1 FROM media WHERE id = ${row.id})`,
    cancelPendingDelete(key, sql`EXISTS (SELECT 1 FROM media WHERE id = ${row.id})`),
    ...(claim ? [claim.complete(row.id, master.version)] : []),
  ]);
  return inserted.length > 0;
}

export interface MediaTrashing {
  deletedAt: number;
  purgeAt: number;
  /** A further condition. */
  condition?: SQL;
}

/** Moves an item to the trash. False when it does not exist, is in the trash already, or the condition fails. */
export async function trashMedia(
  db: Database,
  spaceId: string,
  id: string,
  { deletedAt, purgeAt, condition = sql`1` }: MediaTrashing,
): Promise<boolean> {
  const isThere = sql`id = ${id} AND space_id = ${spaceId} AND deleted_at IS NULL AND ${condition}`;
  const [, trashed = []] = await batchSql(db, [
    purgeStatement(sql`SELECT ${mediaTag(id)} FROM media WHERE ${isThere}`, "media", deletedAt),
    sql`UPDATE media SET deleted_at = ${deletedAt}, purge_at = ${purgeAt} WHERE ${isThere} RETURNING id`,
  ]);
  return trashed.length > 0;
}

/** Restores an item from the trash. False when it is not there. */
export async function restoreMedia(db: Database, spaceId: string, id: string, now: number): Promise<boolean> {
  const isTrashed = sql`id = ${id} AND space_id = ${spaceId} AND deleted_at IS NOT NULL`;
  const [, restored = []] = await batchSql(db, [
    purgeStatement(sql`SELECT ${mediaTag(id)} FROM media WHERE ${isTrashed}`, "media", now),
    sql`UPDATE media SET deleted_at = NULL, purge_at = NULL WHERE ${isTrashed} RETURNING id`,
  ]);
  return restored.length > 0;
}

export async function readTrashedMedia(db: Database, spaceId: string, id: string): Promise<MediaRow | null> {
  const where = and(eq(media.id, id), eq(media.spaceId, spaceId), isNotNull(media.deletedAt));
  return (await db.select().from(media).where(where).get()) ?? null;
}

export interface MediaChange {
  filename?: string | undefined;
  alt?: string | undefined;
  /** Null for the centre. */
  focalPoint?: FocalPoint | null | undefined;
}

/** Changes the given properties. False when the item does not exist. */
export async function changeMedia(
  db: Database,
  spaceId: string,
  id: string,
  { focalPoint, ...change }: MediaChange,
  now: number,
): Promise<boolean> {
  const focal = focalPoint !== undefined && { focalX: focalPoint?.x ?? null, focalY: focalPoint?.y ?? null };
  const isIt = and(eq(media.id, id), eq(media.spaceId, spaceId), isNull(media.deletedAt));
  const update = db
    .update(media)
    .set({ ...change, ...refolded(change), ...focal, updatedAt: now })
    .where(isIt)
    .returning({ id: media.id });
  if (!focal) return (await update).length > 0;
  const { focalX, focalY } = focal;
  const isMoved = sql`(${media.focalX} IS NOT ${focalX} OR ${media.focalY} IS NOT ${focalY})`;
  // The first statement, because it compares with the present values.
  const purge = purgeStatement(
    sql`SELECT ${mediaTag(id)} FROM media WHERE ${isIt} AND ${isMoved}`,
    "media",
    now,
  );
  const [, changed] = await db.$client.batch([prepareSql(db, purge), prepareQuery(db, update)]);
  return (changed?.results.length ?? 0) > 0;
}
