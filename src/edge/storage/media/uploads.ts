/** The rows of uploads in parts (RULES 4.7). upload-parts.ts has the parts. */
import { and, eq, gt, lte, sql, type SQL } from "drizzle-orm";
import { uploads } from "../../../../schema/tables.ts";
import { batchSql, type Database } from "../database/database.ts";
import { OF_SYSTEM, type By, type Origin } from "../events/actor.ts";
import { eventStatement } from "../events/events.ts";
import { standsHere } from "../shards/space-rows.ts";

export type UploadRow = typeof uploads.$inferSelect;

/** Inserts an upload. False, with nothing written, when the space or the item to be replaced does not exist. */
export async function insertUpload(db: Database, row: UploadRow, origin: Origin): Promise<boolean> {
  const isWanted = sql`EXISTS (SELECT 1 FROM spaces WHERE id = ${row.spaceId} AND removed_at IS NULL)
      AND (${row.mediaId} IS NULL OR EXISTS (SELECT 1 FROM media
        WHERE id = ${row.mediaId} AND space_id = ${row.spaceId} AND deleted_at IS NULL))`;
  const insert = sql`
    INSERT INTO uploads (id, space_id, filename, alt, focal_x, focal_y, size_bytes, media_id, created_at,
      expires_at)
    SELECT ${row.id}, ${row.spaceId}, ${row.filename}, ${row.alt}, ${row.focalX}, ${row.focalY}, ${row.sizeBytes},
      ${row.mediaId}, ${row.createdAt}, ${row.expiresAt}
    WHERE ${isWanted} RETURNING id`;
  const event = eventOf(row, "created", { origin, now: row.createdAt }, isWanted);
  const [, inserted = []] = await batchSql(db, [event, insert]);
  return inserted.length > 0;
}

const eventOf = (
  { id, spaceId }: Pick<UploadRow, "id" | "spaceId">,
  verb: "created" | "removed",
  { origin, now }: By,
  condition: SQL,
): SQL =>
  eventStatement(
    spaceId,
    origin,
    now,
    { action: `upload.${verb}`, target: { kind: "upload", id } },
    condition,
  );

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
export async function deleteUpload(db: Database, spaceId: string, id: string, by: By): Promise<boolean> {
  const isIt = sql`id = ${id} AND space_id = ${spaceId}`;
  const [, deleted = []] = await batchSql(db, [
    eventOf({ id, spaceId }, "removed", by, sql`EXISTS (SELECT 1 FROM uploads WHERE ${isIt})`),
    sql`DELETE FROM uploads WHERE ${isIt} RETURNING id`,
  ]);
  return deleted.length > 0;
}

const isOpen = (id: string): SQL => sql`id = ${id} AND completed_at IS NULL`;

/** Deletes an upload that was not completed. */
export async function deleteOpenUpload(
  db: Database,
  upload: Pick<UploadRow, "id" | "spaceId">,
  by: By,
): Promise<void> {
  await batchSql(db, [
    eventOf(upload, "removed", by, sql`EXISTS (SELECT 1 FROM uploads WHERE ${isOpen(upload.id)})`),
    sql`DELETE FROM uploads WHERE ${isOpen(upload.id)}`,
  ]);
}

/** Deletes an upload that has expired. One that was completed, or whose space was removed, has no event. */
export async function deleteExpiredUpload(
  db: Database,
  upload: Pick<UploadRow, "id" | "spaceId">,
  now: number,
): Promise<void> {
  const { id, spaceId } = upload;
  const isTold = sql`EXISTS (SELECT 1 FROM uploads WHERE ${isOpen(id)})
    AND EXISTS (SELECT 1 FROM spaces WHERE id = ${spaceId} AND removed_at IS NULL)`;
  await batchSql(db, [
    eventOf(upload, "removed", { origin: OF_SYSTEM, now }, isTold),
    sql`DELETE FROM uploads WHERE id = ${id}`,
  ]);
}

/** Returns at most `limit` expired uploads. */
export async function listExpiredUploads(db: Database, now: number, limit: number): Promise<UploadRow[]> {
  const isDue = and(lte(uploads.expiresAt, now), standsHere(sql`${uploads.spaceId}`));
  return db.select().from(uploads).where(isDue).limit(limit);
}

/**
 * Makes at most `limit` uploads of a removed space expire, so that the sweep removes their parts.
 * @returns whether all have expired
 */
export async function expireUploadsOfSpace(
  db: Database,
  spaceId: string,
  now: number,
  limit: number,
): Promise<boolean> {
  const expired = await db.all(sql`UPDATE uploads SET expires_at = ${now} WHERE id IN (SELECT id FROM uploads
    WHERE space_id = ${spaceId} AND expires_at > ${now} LIMIT ${limit}) RETURNING 1`);
  return expired.length < limit;
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
      AND EXISTS (SELECT 1 FROM masters ma WHERE ma.space_id = uploads.space_id AND ma.media_id = ${mediaId}
        AND ma.version = ${version})`,
});
