/**
 * The versions that removed media had (RULES 18.5). Only an import brings an id again: under a number that a version had
 * before, its bytes would stand at the keys of others, which edge copies, browsers and backups still know.
 */
import { and, eq, sql, type SQL } from "drizzle-orm";
import { removedMedia } from "../../../../schema/tables.ts";
import type { Database } from "../database/database.ts";
import { int } from "../records/record-index.ts";

export type RemovedRow = typeof removedMedia.$inferSelect;

/**
 * Notes the versions of the media of a list, before they are removed. A removed space needs none. A drawing has no digest:
 * the sanitiser may write it otherwise when it comes back.
 */
export const noteRemoved = (list: SQL): SQL => sql`
  INSERT INTO removed_media (space_id, media_id, last_version, master_version, sha256)
  SELECT m.space_id, m.id, m.last_version, m.master_version,
    CASE WHEN ma.file LIKE '%.svg' THEN '' ELSE coalesce(ma.sha256, '') END
  FROM media m LEFT JOIN masters ma ON ma.space_id = m.space_id AND ma.media_id = m.id AND ma.version = m.master_version
  WHERE (m.space_id, m.id) IN ${list}
    AND EXISTS (SELECT 1 FROM spaces rs WHERE rs.id = m.space_id AND rs.removed_at IS NULL)
  ON CONFLICT (space_id, media_id) DO UPDATE SET last_version = max(last_version, excluded.last_version),
    master_version = excluded.master_version, sha256 = excluded.sha256`;

/** A file as a line of an import names it. */
export interface NamedFile {
  masterVersion: number;
  sha256: string;
}

/** Returns whether a file comes back under the number that it had: then its bytes are those that the number stands for. */
const comesBack = (removed: RemovedRow, { masterVersion, sha256 }: NamedFile): boolean =>
  removed.masterVersion === masterVersion && removed.sha256 === sha256;

/** Returns the version under which a file may be stored: the one that it names, or the first that was never used. */
export const unusedVersion = (removed: RemovedRow | null, file: NamedFile): number =>
  removed === null || removed.lastVersion < file.masterVersion || comesBack(removed, file)
    ? file.masterVersion
    : removed.lastVersion + 1;

/** Returns the condition that no version of an item which was removed meanwhile had this number with another file. */
export const isStillUnused = (spaceId: string, mediaId: string, version: number, sha256: string): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM removed_media rm WHERE rm.space_id = ${spaceId} AND rm.media_id = ${mediaId}
    AND rm.last_version >= ${int(version)} AND NOT (rm.master_version = ${int(version)} AND rm.sha256 = ${sha256}))`;

/**
 * Returns the versions of an item that was removed; null if the space never had one of this id. An item that was removed
 * before its versions were noted is known by the backups that hold it.
 */
export async function readRemoved(
  db: Database,
  spaceId: string,
  mediaId: string,
): Promise<RemovedRow | null> {
  const isIt = and(eq(removedMedia.spaceId, spaceId), eq(removedMedia.mediaId, mediaId));
  const noted = await db.select().from(removedMedia).where(isIt).get();
  if (noted) return noted;
  const [held] = await db.all<{ version: number | null }>(sql`
    SELECT max(version) AS version FROM backup_masters WHERE space_id = ${spaceId} AND media_id = ${mediaId}`);
  if (!held || held.version === null) return null;
  return { spaceId, mediaId, lastVersion: held.version, masterVersion: held.version, sha256: "" };
}

/** Removes a slice of what is noted of a removed space. @returns whether nothing is left */
export async function forgetRemovedOfSpace(db: Database, spaceId: string, limit: number): Promise<boolean> {
  const removed = await db.all(sql`DELETE FROM removed_media WHERE rowid IN
    (SELECT rowid FROM removed_media WHERE space_id = ${spaceId} LIMIT ${int(limit)}) RETURNING 1`);
  return removed.length < limit;
}
