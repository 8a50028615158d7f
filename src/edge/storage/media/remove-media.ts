/** Removes rows of media in D1. Their bytes outlive them: the same batch makes their keys pending deletes. */
import { sql, type SQL } from "drizzle-orm";
import { CACHE } from "../../../limits.ts";
import { batchSql, type Database } from "../database/database.ts";
import { mediaTagOf } from "../invalidation/purge-tags.ts";
import { purgeStatement } from "../invalidation/purges.ts";

/** A key that is a pending delete already gets the later time, because its bytes may be being written again. */
const KEEP_LATER = sql.raw("ON CONFLICT (key) DO UPDATE SET due_at = max(due_at, excluded.due_at)");

/** Statements that remove variant rows and leave their bytes to the sweep. */
export function dropVariants(where: SQL, now: number): SQL[] {
  const dueAt = now + CACHE.bytesOutliveRowMs;
  return [
    sql`
      INSERT INTO doomed_objects (key, due_at)
      SELECT 'v/' || space_id || '/' || media_id || '/' || version || '/' || file, ${dueAt} FROM variants WHERE ${where}
      ${KEEP_LATER}`,
    sql`DELETE FROM variants WHERE ${where}`,
  ];
}

/** Statements that remove master rows and leave their bytes to the sweep. */
export function dropMasters(where: SQL, now: number): SQL[] {
  const dueAt = now + CACHE.bytesOutliveRowMs;
  return [
    sql`
      INSERT INTO doomed_objects (key, due_at)
      SELECT 'm/' || space_id || '/' || media_id || '/' || version || '/' || file, ${dueAt} FROM masters WHERE ${where}
      ${KEEP_LATER}`,
    sql`DELETE FROM masters WHERE ${where}`,
  ];
}

/**
 * Purges those of the media that were visible until now. Trashed ones and those of removed spaces were purged before.
 */
const purgeOffered = (list: SQL, now: number): SQL =>
  purgeStatement(
    sql`SELECT ${mediaTagOf("m.id")} FROM media m JOIN spaces s ON s.id = m.space_id
      WHERE m.id IN ${list} AND m.deleted_at IS NULL AND s.removed_at IS NULL`,
    "media",
    now,
  );

/**
 * Removes media items with all their versions and variants, in one batch. Their bytes are removed an hour later. False
 * when there were none, or the condition fails.
 */
export async function removeMedia(
  db: Database,
  ids: string[],
  now: number,
  condition: SQL = sql`1`,
): Promise<boolean> {
  const list = sql`(SELECT value FROM json_each(${JSON.stringify(ids)}) WHERE ${condition})`;
  const results = await batchSql(db, [
    purgeOffered(list, now),
    ...dropVariants(sql`media_id IN ${list}`, now),
    ...dropMasters(sql`media_id IN ${list}`, now),
    sql`DELETE FROM media WHERE id IN ${list} RETURNING id`,
  ]);
  return (results.at(-1) ?? []).length > 0;
}
