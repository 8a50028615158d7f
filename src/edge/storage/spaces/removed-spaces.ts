/** Removes the content of removed spaces in bounded steps, and their own row last. */
import { eq, isNotNull, sql } from "drizzle-orm";
import { apiKeys, media, models, spaces, spaceTotals } from "../../../../schema/tables.ts";
import { batchSql, type Database } from "../database/database.ts";
import { dropIndexRows, int } from "../records/record-index.ts";
import { dropSomeVersions, HAS_NO_HISTORY } from "../history/record-versions.ts";
import { removeMedia } from "../media/remove-media.ts";

/** Returns the ids of at most `limit` removed spaces whose row still exists. */
export async function listRemovedSpaces(db: Database, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: spaces.id })
    .from(spaces)
    .where(isNotNull(spaces.removedAt))
    .limit(limit);
  return rows.map(({ id }) => id);
}

export async function deleteKeysOfSpace(db: Database, spaceId: string): Promise<void> {
  await db.delete(apiKeys).where(eq(apiKeys.spaceId, spaceId));
}

/** Removes at most `limit` media items of a space. @returns how many */
export async function removeMediaOfSpace(
  db: Database,
  spaceId: string,
  now: number,
  limit: number,
): Promise<number> {
  const items = await db.select({ id: media.id }).from(media).where(eq(media.spaceId, spaceId)).limit(limit);
  const ids = items.map(({ id }) => id);
  if (ids.length > 0) await removeMedia(db, ids, now);
  return ids.length;
}

/** Removes records of a space with index rows and histories, at most `limit` rows of each. @returns how many */
export async function removeRecordsOfSpace(db: Database, spaceId: string, limit: number): Promise<number> {
  const found = await db.all<{ seq: number }>(sql`
    SELECT r.seq FROM models m CROSS JOIN records r ON r.model_id IN (m.id, -m.id)
    WHERE m.space_id = ${spaceId} LIMIT ${int(limit)}`);
  if (found.length === 0) return 0;
  const seqs = sql`SELECT value FROM json_each(${JSON.stringify(found.map(({ seq }) => seq))})`;
  const [versions, records] = await batchSql(db, [
    dropSomeVersions(seqs, limit),
    sql`DELETE FROM records AS r WHERE r.seq IN (${seqs}) AND ${HAS_NO_HISTORY} RETURNING seq`,
    ...dropIndexRows(seqs),
  ]);
  return (versions?.length ?? 0) + (records?.length ?? 0);
}

/** Removes the models of a space that have no records left. @returns whether the space has no models left */
export async function removeModelsOfSpace(db: Database, spaceId: string): Promise<boolean> {
  await batchSql(db, [
    sql`DELETE FROM doomed_fields WHERE model_id IN (SELECT id FROM models WHERE space_id = ${spaceId})`,
    sql`DELETE FROM models WHERE space_id = ${spaceId}
      AND NOT EXISTS (SELECT 1 FROM records r WHERE r.model_id IN (models.id, -models.id))`,
  ]);
  return (await db.select().from(models).where(eq(models.spaceId, spaceId)).limit(1).get()) === undefined;
}

/** Removes the row of a space, to which nothing refers any more. */
export async function deleteSpaceRow(db: Database, spaceId: string): Promise<void> {
  await db.batch([
    db.delete(spaces).where(eq(spaces.id, spaceId)),
    db.delete(spaceTotals).where(eq(spaceTotals.spaceId, spaceId)),
  ]);
}
