/**
 * Pending deletes: R2 keys that the sweep removes once they are due, unless a row claims them by then. A key is
 * recorded before its bytes are written, and the record is cancelled by the batch that writes their row, so that a
 * crash between R2 and D1 leaves no bytes behind (RULES 10.1).
 */
import { and, lte, sql, type SQL } from "drizzle-orm";
import { doomedObjects } from "../../../../schema/tables.ts";
import { CACHE, PENDING_DELETE } from "../../../limits.ts";
import type { Database } from "../database/database.ts";
import { standsHere } from "../shards/space-rows.ts";

/**
 * Records a key. A key that is recorded already gets the later of both times: bytes that are just being written again
 * must not be removed at the time that was set for the old ones.
 */
export const pendingDeleteStatement = (
  db: D1Database,
  key: string,
  dueAt: number,
  uploadId: string | null = null,
): D1PreparedStatement =>
  db
    .prepare(
      `INSERT INTO doomed_objects (key, due_at, upload_id) VALUES (?1, ?2, ?3)
       ON CONFLICT (key) DO UPDATE SET due_at = max(due_at, excluded.due_at),
         upload_id = coalesce(excluded.upload_id, upload_id)`,
    )
    .bind(key, dueAt, uploadId);

/** Records a key whose bytes are about to be written. `uploadId` names an R2 multipart upload to be aborted too. */
export async function recordPendingDelete(
  db: D1Database,
  key: string,
  now: number,
  uploadId: string | null = null,
): Promise<void> {
  await pendingDeleteStatement(db, key, now + PENDING_DELETE.bytesOnTheWayMs, uploadId).run();
}

/** Cancels a pending delete if `isWritten` holds, for the batch whose row claims the key. */
export const cancelPendingDelete = (key: string, isWritten: SQL): SQL =>
  sql`DELETE FROM doomed_objects WHERE key = ${key} AND ${isWritten}`;

/** Removes the record of a key whose bytes were removed. */
export async function forgetPendingDelete(db: D1Database, key: string): Promise<void> {
  await db.prepare("DELETE FROM doomed_objects WHERE key = ?1").bind(key).run();
}

/**
 * Shortens the wait of a pending delete to an hour, for bytes that got no row. Bytes on their way have a day, in which a
 * script that asks for ever new pictures would leave thousands.
 */
export async function hastenPendingDelete(db: D1Database, key: string, now: number): Promise<void> {
  await db
    .prepare("UPDATE doomed_objects SET due_at = min(due_at, ?2) WHERE key = ?1")
    .bind(key, now + CACHE.bytesOutliveRowMs)
    .run();
}

async function waitLonger(db: Database, found: DueRow[], others: Set<string>, now: number): Promise<void> {
  const waiting = found.map(({ key }) => key).filter((key) => others.has(spaceOfKey(key)));
  await db
    .update(doomedObjects)
    .set({ dueAt: now + CACHE.bytesOutliveRowMs })
    .where(sql`${doomedObjects.key} IN (SELECT value FROM json_each(${JSON.stringify(waiting)}))`);
}

interface DueRow {
  key: string;
  uploadId: string | null;
  claimed: number;
}

/**
 * Returns the condition that a row claims the object of a key `x/{26 characters}/{26 characters}/…`. The space
 * and the media id in the key let each lookup use a primary key.
 */
export function isClaimed(key: SQL): SQL {
  const space = sql`substr(${key}, 3, 26)`;
  const media = sql`substr(${key}, 30, 26)`;
  return sql`(EXISTS (SELECT 1 FROM masters ma WHERE ma.space_id = ${space} AND ma.media_id = ${media}
      AND ${key} = 'm/' || ma.space_id || '/' || ma.media_id || '/' || ma.version || '/' || ma.file)
    OR EXISTS (SELECT 1 FROM backup_masters bm WHERE bm.space_id = ${space} AND bm.media_id = ${media}
      AND ${key} = 'm/' || bm.space_id || '/' || bm.media_id || '/' || bm.version || '/' || bm.file)
    OR EXISTS (SELECT 1 FROM remotes r WHERE r.id = ${media}
      AND ${key} = 'm/' || r.space_id || '/' || r.id || '/' || r.version || '/' || r.file)
    OR EXISTS (SELECT 1 FROM variants v WHERE v.space_id = ${space} AND v.media_id = ${media}
      AND ${key} = 'v/' || v.space_id || '/' || v.media_id || '/' || v.version || '/' || v.file))`;
}

/** Returns the space of a key, `{kind}/{spaceId}/…`. */
const spaceOfKey = (key: string): string => key.split("/")[1] ?? "";

/**
 * Removes objects that are due and that no row claims, at most `limit`. It removes the bytes first, then the records.
 *
 * @param elsewhere returns those of some spaces that stand on another database, which alone knows what is claimed: their
 *   bytes stay, and their records wait for another hour
 * @returns how many objects were removed
 */
export async function deleteDueObjects(
  db: Database,
  bucket: R2Bucket,
  now: number,
  limit: number,
  elsewhere?: (spaceIds: string[]) => Promise<Set<string>>,
): Promise<number> {
  const found = await db.all<DueRow>(sql`
    SELECT d.key, d.upload_id AS uploadId, ${isClaimed(sql`d.key`)} AS claimed
    FROM doomed_objects d WHERE d.due_at <= ${now} AND ${standsHere(sql`substr(d.key, 3, 26)`)} LIMIT ${limit}`);
  if (found.length === 0) return 0;
  const others =
    (await elsewhere?.([...new Set(found.map(({ key }) => spaceOfKey(key)))])) ?? new Set<string>();
  const due = found.filter(({ key }) => !others.has(spaceOfKey(key)));
  if (due.length < found.length) await waitLonger(db, found, others, now);
  const unclaimed = due.filter(({ claimed }) => !claimed);
  for (const { key, uploadId } of unclaimed) {
    // An upload that was completed or aborted before does not exist any more, which is the goal.
    if (uploadId)
      await bucket
        .resumeMultipartUpload(key, uploadId)
        .abort()
        .catch(() => undefined);
  }
  // R2 refuses an empty list.
  if (unclaimed.length > 0) await bucket.delete(unclaimed.map(({ key }) => key));
  const keys = sql`(SELECT value FROM json_each(${JSON.stringify(due.map(({ key }) => key))}))`;
  await db
    .delete(doomedObjects)
    .where(and(sql`${doomedObjects.key} IN ${keys}`, lte(doomedObjects.dueAt, now)));
  return unclaimed.length;
}
