/** Media items of an import: those that wait for their files, and the rows that are made once these are here. */
import { and, eq, sql, type SQL } from "drizzle-orm";
import { waitingMedia } from "../../../../schema/tables.ts";
import { batchSql, type Database } from "../database/database.ts";
import type { By } from "../events/actor.ts";
import { eventStatement, HAS_CHANGED } from "../events/events.ts";
import { invalidationStatement } from "../invalidation/outbox.ts";
import { mediaTag } from "../invalidation/tags.ts";
import { MASTER_COLUMNS, masterValues, type MasterRow } from "../media/master-versions.ts";
import type { UploadClaim } from "../media/uploads.ts";
import type { MediaRow } from "../media/media.ts";
import { isStillUnused } from "../media/removed-versions.ts";
import { DROP_EARLIER_KEY } from "../pictures/variants.ts";
import { standsHere } from "../shards/space-rows.ts";
import { cancelPendingDelete } from "../sweep/pending-deletes.ts";

export type WaitingRow = typeof waitingMedia.$inferSelect;

/** Finds the items of these ids that wait. */
export async function waitingOf(
  db: Database,
  spaceId: string,
  ids: readonly string[],
): Promise<Map<string, WaitingRow>> {
  const isOne = sql`${waitingMedia.mediaId} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;
  const rows = await db
    .select()
    .from(waitingMedia)
    .where(and(eq(waitingMedia.spaceId, spaceId), isOne));
  return new Map(rows.map((row) => [row.mediaId, row]));
}

export async function readWaiting(db: Database, spaceId: string, id: string): Promise<WaitingRow | null> {
  return (await waitingOf(db, spaceId, [id])).get(id) ?? null;
}

/**
 * Notes items that wait, of a space that exists. The event is written with them.
 * @returns false, with nothing written, when the space was removed, or has left this database
 */
export async function noteWaiting(
  db: Database,
  rows: readonly WaitingRow[],
  event: (condition: SQL) => SQL,
): Promise<boolean> {
  const list = JSON.stringify(
    rows.map((row) => [row.spaceId, row.mediaId, row.sha256, row.line, row.expiresAt]),
  );
  const [noted = []] = await batchSql(db, [
    sql`INSERT INTO waiting_media (space_id, media_id, sha256, line, expires_at)
      SELECT j.value ->> 0, j.value ->> 1, j.value ->> 2, j.value ->> 3, j.value ->> 4 FROM json_each(${list}) j
      WHERE EXISTS (SELECT 1 FROM spaces s WHERE s.id = j.value ->> 0 AND s.removed_at IS NULL)
      ON CONFLICT (space_id, media_id) DO UPDATE SET sha256 = excluded.sha256, line = excluded.line,
        expires_at = excluded.expires_at RETURNING 1`,
    event(HAS_CHANGED),
  ]);
  return noted.length > 0;
}

/** Ends the waiting in the batch that gives an item its file, so that the file makes one version. */
export function claimWaiting({ spaceId, mediaId, sha256 }: WaitingRow): UploadClaim {
  const isIt = sql`space_id = ${spaceId} AND media_id = ${mediaId} AND sha256 = ${sha256}`;
  return {
    isOpen: sql`EXISTS (SELECT 1 FROM waiting_media WHERE ${isIt})`,
    complete: (_id, version) => sql`DELETE FROM waiting_media WHERE ${isIt} AND EXISTS (SELECT 1 FROM masters
      WHERE space_id = ${spaceId} AND media_id = ${mediaId} AND version = ${version})`,
  };
}

/** Removes at most `limit` items that have waited for too long. @returns how many */
export async function removeExpiredWaiting(db: Database, now: number, limit: number): Promise<number> {
  const due = sql`SELECT rowid FROM waiting_media WHERE expires_at <= ${now} AND ${standsHere(sql`space_id`)}
    LIMIT ${limit}`;
  return (await db.all(sql`DELETE FROM waiting_media WHERE rowid IN (${due}) RETURNING 1`)).length;
}

/** Removes a slice of the waiting items of a space. @returns whether the space has none left */
export async function removeWaitingOfSpace(db: Database, spaceId: string, limit: number): Promise<boolean> {
  const removed = await db.all(sql`DELETE FROM waiting_media WHERE rowid IN
    (SELECT rowid FROM waiting_media WHERE space_id = ${spaceId} LIMIT ${limit}) RETURNING 1`);
  return removed.length < limit;
}

/**
 * Inserts the rows of an item whose file is stored under `key`, and ends its waiting. False when it does not wait any
 * more, or was made meanwhile: then nothing is written, and the sweep removes the bytes.
 */
export async function insertImported(
  db: Database,
  row: MediaRow,
  master: MasterRow,
  { key, awaited, by: { origin, now } }: { key: string; awaited: WaitingRow; by: By },
): Promise<boolean> {
  const { spaceId, id } = row;
  const isAwaited = sql`space_id = ${spaceId} AND media_id = ${id} AND sha256 = ${awaited.sha256}`;
  const isWaiting = sql`EXISTS (SELECT 1 FROM waiting_media w JOIN spaces s ON s.id = w.space_id
    WHERE w.space_id = ${spaceId} AND w.media_id = ${id} AND w.sha256 = ${awaited.sha256} AND s.removed_at IS NULL)
    AND NOT EXISTS (SELECT 1 FROM media WHERE space_id = ${spaceId} AND id = ${id})
    AND ${isStillUnused(spaceId, id, master.version, master.sha256)}`;
  const isWritten = sql`EXISTS (SELECT 1 FROM media WHERE space_id = ${spaceId} AND id = ${id})
    AND EXISTS (SELECT 1 FROM waiting_media WHERE ${isAwaited})`;
  const facts = { masterVersion: master.version };
  const line = { action: "media.created", target: { kind: "media", id }, facts } as const;
  const [, , inserted = []] = await batchSql(db, [
    DROP_EARLIER_KEY,
    eventStatement(spaceId, { ...origin, isImport: true }, now, line, isWaiting),
    sql`
      INSERT INTO media (id, space_id, filename, alt, alts, focal_x, focal_y, mime, width, height, animated, folded,
        words, master_version, last_version, created_at, updated_at, deleted_at, purge_at, created_by, updated_by)
      SELECT ${id}, ${spaceId}, ${row.filename}, ${row.alt}, ${row.alts}, ${row.focalX}, ${row.focalY}, ${row.mime},
        ${row.width}, ${row.height}, ${row.animated ? 1 : 0}, ${row.folded}, ${row.words}, ${row.masterVersion},
        ${row.lastVersion}, ${row.createdAt}, ${row.updatedAt}, ${row.deletedAt}, ${row.purgeAt}, ${row.createdBy},
        ${row.updatedBy}
      WHERE ${isWaiting} RETURNING id`,
    sql`INSERT INTO masters (${MASTER_COLUMNS}) SELECT ${masterValues(master)} WHERE ${isWritten}
      ON CONFLICT (space_id, media_id, version) DO NOTHING`,
    cancelPendingDelete(key, isWritten),
    // The edge may keep the 404 of an earlier item of this id, from when it was in the trash.
    invalidationStatement(sql`SELECT ${mediaTag(id)} WHERE ${isWritten}`, "media", now),
    sql`DELETE FROM waiting_media WHERE ${isAwaited} AND ${isWritten}`,
  ]);
  return inserted.length > 0;
}
