/** Removes expired rows for the sweep. Each function removes a bounded number and returns how many it removed. */
import { and, isNotNull, lte, sql } from "drizzle-orm";
import { masters, variants } from "../../../../schema/tables.ts";
import { batchSql, type Database } from "../database/database.ts";
import { mediaTagOf } from "../invalidation/tags.ts";
import { invalidationStatement } from "../invalidation/outbox.ts";
import { dropMasters, dropVariants, removeSomeMedia } from "../media/remove-media.ts";
import { DROP_EARLIER_KEY } from "../pictures/variants.ts";
import { standsHere } from "../shards/space-rows.ts";

/** Removes media whose retention in the trash is over. */
export async function removeDueMedia(db: Database, now: number, limit: number): Promise<number> {
  const due = sql`SELECT space_id, id FROM media WHERE purge_at IS NOT NULL AND purge_at <= ${now}
    AND ${standsHere(sql`space_id`)} LIMIT ${limit}`;
  return (await removeSomeMedia(db, due, now)).removed;
}

/** Removes earlier versions of masters whose retention is over. The present version is never removed. */
export async function removeDueMasters(db: Database, now: number, limit: number): Promise<number> {
  const due = await db
    .select({ spaceId: masters.spaceId, mediaId: masters.mediaId, version: masters.version })
    .from(masters)
    .where(and(isNotNull(masters.purgeAt), lte(masters.purgeAt, now), standsHere(sql`${masters.spaceId}`)))
    .limit(limit);
  if (due.length === 0) return 0;
  const list = sql`(SELECT value ->> 'spaceId', value ->> 'mediaId', value ->> 'version'
    FROM json_each(${JSON.stringify(due)}))`;
  await batchSql(db, [
    invalidationStatement(
      sql`SELECT ${mediaTagOf("media_id")} FROM masters WHERE (space_id, media_id, version) IN ${list}`,
      "media",
      now,
    ),
    ...dropVariants(sql`(space_id, media_id, version) IN ${list}`, now),
    ...dropMasters(sql`(space_id, media_id, version) IN ${list}`, now),
  ]);
  return due.length;
}

/** Removes variants that have expired, and the key of an earlier version of the code. One that was rebuilt meanwhile has a new expiry and stays. */
export async function removeExpiredVariants(db: Database, now: number, limit: number): Promise<number> {
  await db.run(DROP_EARLIER_KEY);
  const due = await db
    .select({ rowid: sql<number>`rowid` })
    .from(variants)
    .where(and(lte(variants.expiresAt, now), standsHere(sql`${variants.spaceId}`)))
    .limit(limit);
  if (due.length === 0) return 0;
  const rowids = sql`(SELECT value FROM json_each(${JSON.stringify(due.map(({ rowid }) => rowid))}))`;
  await batchSql(db, dropVariants(sql`rowid IN ${rowids} AND expires_at <= ${now}`, now));
  return due.length;
}
