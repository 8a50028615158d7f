/**
 * The scheduled sweep: what is due goes, what a crash left behind is mended. Every step can run late, twice or be
 * cut off half-way with the same result; each takes a bounded bite, the next minute takes the rest.
 */
import { and, eq, inArray, isNotNull, lte, sql } from "drizzle-orm";
import { apiKeys, doomedObjects, masters, media, spaces, variants } from "../../../schema/tables.ts";
import { batchSql, type Database } from "../storage/database.ts";
import { dropMasters, dropVariants, removeMedia } from "../storage/media.ts";
import { dropDoomedFields, emptySpaceContent, purgeRecords } from "./content.ts";

export interface SweepTools {
  db: Database;
  bucket: R2Bucket;
  /** Milliseconds. */
  now: number;
  clearQueue: (spaceId: string) => Promise<void>;
}

export interface SweepReport {
  purgedMedia: number;
  purgedMasters: number;
  expiredVariants: number;
  removedObjects: number;
  removedSpaces: number;
  purgedRecords: number;
  droppedFields: number;
}

/** Bites: rows or objects a run, below D1's and R2's limits for one call. */
const BITE = { media: 100, masters: 100, variants: 500, objects: 500, spaces: 5 } as const;

export async function sweep(tools: SweepTools): Promise<SweepReport> {
  const removedSpaces = await emptyRemovedSpaces(tools);
  return {
    removedSpaces,
    purgedMedia: await purgeMedia(tools),
    purgedMasters: await purgeMasters(tools),
    expiredVariants: await expireVariants(tools),
    removedObjects: await removeDoomed(tools),
    purgedRecords: await purgeRecords(tools.db, tools.now),
    droppedFields: await dropDoomedFields(tools.db, tools.now),
  };
}

/** Media whose time in the trash is over. */
async function purgeMedia({ db, now }: SweepTools): Promise<number> {
  const due = await db
    .select({ id: media.id })
    .from(media)
    .where(and(isNotNull(media.purgeAt), lte(media.purgeAt, now)))
    .limit(BITE.media);
  if (due.length > 0)
    await removeMedia(
      db,
      due.map(({ id }) => id),
      now,
    );
  return due.length;
}

/** Earlier versions whose retention is over. A version that is offered again is never among them. */
async function purgeMasters({ db, now }: SweepTools): Promise<number> {
  const due = await db
    .select({ mediaId: masters.mediaId, version: masters.version })
    .from(masters)
    .where(and(isNotNull(masters.purgeAt), lte(masters.purgeAt, now)))
    .limit(BITE.masters);
  if (due.length === 0) return 0;
  const list = sql`(SELECT value ->> 'mediaId', value ->> 'version' FROM json_each(${JSON.stringify(due)}))`;
  await batchSql(db, [
    ...dropVariants(sql`(media_id, version) IN ${list}`, now),
    ...dropMasters(sql`(media_id, version) IN ${list}`, now),
  ]);
  return due.length;
}

async function expireVariants({ db, now }: SweepTools): Promise<number> {
  const due = await db
    .select({ rowid: sql<number>`rowid` })
    .from(variants)
    .where(lte(variants.expiresAt, now))
    .limit(BITE.variants);
  if (due.length === 0) return 0;
  const list = sql`(SELECT value FROM json_each(${JSON.stringify(due.map(({ rowid }) => rowid))}))`;
  // A variant rebuilt meanwhile has a new expiry and stays.
  await batchSql(db, dropVariants(sql`rowid IN ${list} AND expires_at <= ${now}`, now));
  return due.length;
}

interface DoomedRow {
  key: string;
  uploadId: string | null;
  claimed: number;
}

/** Objects that no row claims once their time has come. Bytes first, the doomed row second. */
async function removeDoomed({ db, bucket, now }: SweepTools): Promise<number> {
  const due = await db.all<DoomedRow>(sql`
    SELECT d.key, d.upload_id AS uploadId,
      EXISTS (SELECT 1 FROM masters ma
        WHERE d.key = 'm/' || ma.space_id || '/' || ma.media_id || '/' || ma.version || '/' || ma.file
          AND ma.media_id = ${MEDIA_OF_KEY}) OR
      EXISTS (SELECT 1 FROM variants v
        WHERE d.key = 'v/' || v.space_id || '/' || v.media_id || '/' || v.version || '/' || v.file
          AND v.media_id = ${MEDIA_OF_KEY}) AS claimed
    FROM doomed_objects d WHERE d.due_at <= ${now} LIMIT ${BITE.objects}`);
  if (due.length === 0) return 0;
  const unclaimed = due.filter(({ claimed }) => !claimed);
  for (const { key, uploadId } of unclaimed) {
    // An upload that was completed or aborted before is gone: that is what is wanted.
    if (uploadId)
      await bucket
        .resumeMultipartUpload(key, uploadId)
        .abort()
        .catch(() => undefined);
  }
  await bucket.delete(unclaimed.map(({ key }) => key));
  const list = sql`(SELECT value FROM json_each(${JSON.stringify(due.map(({ key }) => key))}))`;
  await db
    .delete(doomedObjects)
    .where(and(sql`${doomedObjects.key} IN ${list}`, lte(doomedObjects.dueAt, now)));
  return unclaimed.length;
}

/** The media id inside `x/{26 characters}/{26 characters}/…`: lets the claim use the primary key. */
const MEDIA_OF_KEY = sql.raw("substr(d.key, 30, 26)");

/** Removed spaces lose their keys, media and records bite by bite, then their row. */
async function emptyRemovedSpaces({ db, now, clearQueue }: SweepTools): Promise<number> {
  const gone = await db
    .select({ id: spaces.id })
    .from(spaces)
    .where(isNotNull(spaces.removedAt))
    .limit(BITE.spaces);
  let finished = 0;
  for (const { id } of gone) {
    await clearQueue(id);
    await db.delete(apiKeys).where(eq(apiKeys.spaceId, id));
    const items = await db
      .select({ id: media.id })
      .from(media)
      .where(eq(media.spaceId, id))
      .limit(BITE.media);
    if (items.length > 0)
      await removeMedia(
        db,
        items.map((item) => item.id),
        now,
      );
    if (!(await emptySpaceContent(db, id)) || items.length === BITE.media) continue;
    await db.delete(spaces).where(inArray(spaces.id, [id]));
    finished += 1;
  }
  return finished;
}
