/** Removes the content of removed spaces in bounded steps, and their own row last. */
import { and, eq, isNotNull, sql } from "drizzle-orm";
import { models, spaces, spaceTotals } from "../../../../schema/tables.ts";
import { batchSql, type Database } from "../database/database.ts";
import { dropSomeIndexRows, HAS_NO_INDEX_ROWS, int } from "../records/record-index.ts";
import { SLICE, SWEEP } from "../../../limits.ts";
import { dropSomeVersions, HAS_NO_HISTORY } from "../history/record-versions.ts";
import { removeSomeMedia } from "../media/remove-media.ts";
import { standsHere } from "../shards/space-rows.ts";

/** Returns the ids of at most `limit` removed spaces whose row still exists. */
export async function listRemovedSpaces(db: Database, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: spaces.id })
    .from(spaces)
    .where(and(isNotNull(spaces.removedAt), standsHere(sql`${spaces.id}`)))
    .limit(limit);
  return rows.map(({ id }) => id);
}

/** The tables of callers of a space, with their keys. */
const CALLERS = [
  ["api_keys", "id"],
  ["preview_tokens", "hash"],
  ["sessions", "hash"],
  ["members", "id"],
] as const;

/** Removes a slice of the keys, members, sessions and preview tokens of a space. @returns whether it has none left */
export async function deleteKeysOfSpace(db: Database, spaceId: string): Promise<boolean> {
  const most = SWEEP.keysPerBatch;
  const removed = await batchSql(
    db,
    CALLERS.map(([table, key]) => {
      const [name, id] = [sql.raw(table), sql.raw(key)];
      return sql`DELETE FROM ${name} WHERE ${id} IN
        (SELECT ${id} FROM ${name} WHERE space_id = ${spaceId} LIMIT ${int(most)}) RETURNING 1`;
    }),
  );
  return removed.every((rows) => rows.length < most);
}

/** Removes at most `limit` media items of a space. @returns whether the space has none left */
export async function removeMediaOfSpace(
  db: Database,
  spaceId: string,
  now: number,
  limit: number,
): Promise<boolean> {
  const { removed, isMore } = await removeSomeMedia(
    db,
    sql`SELECT space_id, id FROM media WHERE space_id = ${spaceId} LIMIT ${int(limit)}`,
    now,
  );
  return !isMore && removed < limit;
}

/** Removes a slice of the records of a space with their index rows and histories. @returns how many rows */
export async function removeRecordsOfSpace(db: Database, spaceId: string): Promise<number> {
  const found = await db.all<{ seq: number }>(sql`
    SELECT r.seq FROM models m CROSS JOIN records r ON r.model_id IN (m.id, -m.id)
    WHERE m.space_id = ${spaceId} LIMIT ${int(SLICE.records)}`);
  if (found.length === 0) return 0;
  const seqs = sql`SELECT value FROM json_each(${JSON.stringify(found.map(({ seq }) => seq))})`;
  const removed = await batchSql(db, [
    dropSomeVersions(seqs, SWEEP.versionsPerBatch),
    ...dropSomeIndexRows(seqs),
    sql`DELETE FROM records AS r WHERE r.seq IN (${seqs}) AND ${HAS_NO_HISTORY} AND ${HAS_NO_INDEX_ROWS} RETURNING seq`,
  ]);
  return removed.reduce((sum, rows) => sum + rows.length, 0);
}

/** Removes the models of a space that have no records left. @returns whether the space has no models left */
export async function removeModelsOfSpace(db: Database, spaceId: string): Promise<boolean> {
  await batchSql(db, [
    sql`DELETE FROM doomed_fields WHERE rowid IN (SELECT d.rowid FROM models m
      JOIN doomed_fields d ON d.model_id IN (m.id, -m.id) WHERE m.space_id = ${spaceId} LIMIT ${int(SLICE.rows)})`,
    sql`DELETE FROM models WHERE space_id = ${spaceId}
      AND NOT EXISTS (SELECT 1 FROM records r WHERE r.model_id IN (models.id, -models.id))
      AND NOT EXISTS (SELECT 1 FROM doomed_fields d WHERE d.model_id IN (models.id, -models.id))`,
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
