/** Rows of uploads that come in parts (RULES 4.7). Their parts are in upload-parts.ts. */
import { and, eq, gt, lte, sql, type SQL } from "drizzle-orm";
import { uploads } from "../../../schema/tables.ts";
import type { Database } from "./database.ts";

export type UploadRow = typeof uploads.$inferSelect;

/** False when the space, or the item whose file is to be replaced, is not there: nothing is written. */
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

/** Null when it is not there, or its time is over. */
export async function readUpload(
  db: Database,
  spaceId: string,
  id: string,
  now: number,
): Promise<UploadRow | null> {
  const where = and(eq(uploads.id, id), eq(uploads.spaceId, spaceId), gt(uploads.expiresAt, now));
  return (await db.select().from(uploads).where(where).get()) ?? null;
}

/** Gives an upload up. False when it is not there. */
export async function deleteUpload(db: Database, spaceId: string, id: string): Promise<boolean> {
  const where = and(eq(uploads.id, id), eq(uploads.spaceId, spaceId));
  return (await db.delete(uploads).where(where).returning({ id: uploads.id })).length > 0;
}

/** Gives up what could not be completed. What was completed meanwhile stays. */
export async function deleteOpenUpload(db: Database, id: string): Promise<void> {
  await db.run(sql`DELETE FROM uploads WHERE id = ${id} AND completed_at IS NULL`);
}

/** Uploads whose time is over, `limit` at most. */
export async function listExpiredUploads(db: Database, now: number, limit: number): Promise<UploadRow[]> {
  return db.select().from(uploads).where(lte(uploads.expiresAt, now)).limit(limit);
}

/** Lets the uploads of a removed space expire: the sweep takes their parts. */
export async function expireUploadsOfSpace(db: Database, spaceId: string, now: number): Promise<void> {
  await db.update(uploads).set({ expiresAt: now }).where(eq(uploads.spaceId, spaceId));
}

/**
 * What makes a batch that writes a master's row the completion of an upload. Of two at once, the first one's rows are
 * written, and nothing of the other's.
 */
export interface UploadClaim {
  /** To hold for the rows to be written. */
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
