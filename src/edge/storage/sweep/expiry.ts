/** Removes expired rows for the sweep. Each function removes a bounded number and returns how many it removed. */
import { and, isNotNull, lte, sql } from "drizzle-orm";
import { masters, media, variants } from "../../../../schema/tables.ts";
import { batchSql, type Database } from "../database/database.ts";
import { mediaTagOf } from "../invalidation/purge-tags.ts";
import { purgeStatement } from "../invalidation/purges.ts";
import { dropMasters, dropVariants, removeMedia } from "../media/remove-media.ts";

/** Removes media whose retention in the trash is over. */
export async function removeDueMedia(db: Database, now: number, limit: number): Promise<number> {
  const due = await db
    .select({ id: media.id })
    .from(media)
    .where(and(isNotNull(media.purgeAt), lte(media.purgeAt, now)))
    .limit(limit);
  const ids = due.map(({ id }) => id);
  if (ids.length > 0) await removeMedia(db, ids, now);
  return ids.length;
}

/** Removes earlier versions of masters whose retention is over. The present version is never removed. */
export async function removeDueMasters(db: Database, now: number, limit: number): Promise<number> {
  const due = await db
    .select({ mediaId: masters.mediaId, version: masters.version })
    .from(masters)
    .where(and(isNotNull(masters.purgeAt), lte(masters.purgeAt, now)))
    .limit(limit);
  if (due.length === 0) return 0;
  const list = sql`(SELECT value ->> 'mediaId', value ->> 'version' FROM json_each(${JSON.stringify(due)}))`;
  await batchSql(db, [
    purgeStatement(
      sql`SELECT ${mediaTagOf("media_id")} FROM masters WHERE (media_id, version) IN ${list}`,
      "media",
      now,
    ),
    ...dropVariants(sql`(media_id, version) IN ${list}`, now),
    ...dropMasters(sql`(media_id, version) IN ${list}`, now),
  ]);
  return due.length;
}

/** Removes variants that have expired. One that was rebuilt meanwhile has a new expiry and stays. */
export async function removeExpiredVariants(db: Database, now: number, limit: number): Promise<number> {
  const due = await db
    .select({ rowid: sql<number>`rowid` })
    .from(variants)
    .where(lte(variants.expiresAt, now))
    .limit(limit);
  if (due.length === 0) return 0;
  const rowids = sql`(SELECT value FROM json_each(${JSON.stringify(due.map(({ rowid }) => rowid))}))`;
  await batchSql(db, dropVariants(sql`rowid IN ${rowids} AND expires_at <= ${now}`, now));
  return due.length;
}
