/** The rows of uploads in parts (RULES 4.7). upload-parts.ts has the parts. */
import { and, eq, gt, lte, sql, type SQL } from "drizzle-orm";
import { uploads } from "../../../../schema/tables.ts";
import type { Database } from "../database/database.ts";

export type UploadRow = typeof uploads.$inferSelect;

/** Inserts an upload. False, with nothing written, when the space or the item to be replaced does not exist. */
export async function insertUpload(db: Database, row: UploadRow): Promise<boolean> {
  const inserted = await db.all(sql`
    INSERT INTO uploads (id, space_id, filename, alt, focal_x, focal_y, size_bytes, media_id, created_at,
      expires_at)
    SELECT ${row.id}, ${row.spaceId}, ${row.filename}, ${row.alt}, ${row.focalX}, ${row.focalY}, ${row.sizeBytes},
      ${row.mediaId}, ${row.createdAt}, ${row.expiresAt}
    WHERE EXISTS (SELECT 1 FROM spaces WHERE id = ${row.spaceId} AND removed_at IS NULL)
      AND (${row.mediaId} IS NULL OR EXISTS (SELECT 1 FROM media
        WHERE id = ${row.mediaId} AND space_id = ${row.spaceId} AND deleted_at IS NULL))
    RETURNING id`);
  return inserted.length > 0;
}

/** Reads an upload; null when it does not exist or has expired. */
export async function readUpload(
  db: Database,
  spaceId: string,
  id: string,
  now: number,
): Promise<UploadRow | null> {
  const where = and(eq(uploads.id, id), eq(uploads.spaceId, spaceId), gt(uploads.expiresAt, now));
  return (await db.select().from(uploads).where(where).get()) ?? null;
}

/** Deletes an upload. False when it does not exist. */
export async function deleteUpload(db: Database, spaceId: string, id: string): Promise<boolean> {
  const where = and(eq(uploads.id, id), eq(uploads.spaceId, spaceId));
  return (await db.delete(uploads).where(where).returning({ id: uploads.id })).length > 0;
}

/** Deletes an upload that was not completed. */
export async function deleteOpenUpload(db: Database, id: string): Promise<void> {
  await db.run(sql`DELETE FROM uploads WHERE id = ${id} AND completed_at IS NULL`);
}

/** Returns at most `limit` expired uploads. */
export async function listExpiredUploads(db: Database, now: number, limit: number): Promise<UploadRow[]> {
  return db.select().from(uploads).where(lte(uploads.expiresAt, now)).limit(limit);
}

/** Makes the uploads of a removed space expire, so that the sweep removes their parts. */
export async function expireUploadsOfSpace(db: Database, spaceId: string, now: number): Promise<void> {
  await db.update(uploads).set({ expiresAt: now }).where(eq(uploads.spaceId, spaceId));
}

/**
 * The parts of a batch that make it the completion of an upload. If there are two completions at once, only the rows of
 * the first one are written.
 */
export interface UploadClaim {
  /** The condition under which rows are written. */
  isOpen: SQL;
  /** The last statement of the batch. */
  complete(mediaId: string, version: number): SQL;
}

export const claimUpload = (id: string, now: () => number): UploadClaim => ({
  isOpen: sql`EXISTS (SELECT 1 FROM uploads WHERE id = ${id} AND completed_at IS NULL)`,
  complete: (mediaId, version) => sql`
    UPDATE uploads SET completed_at = ${now()}, media_id = ${mediaId}
    WHERE id = ${id} AND completed_at IS NULL
      AND EXISTS (SELECT 1 FROM masters WHERE media_id = ${mediaId} AND version = ${version})`,
});
