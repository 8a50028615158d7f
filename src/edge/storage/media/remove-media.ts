/** Removes rows of media in D1. Their bytes outlive them: the same batch makes their keys pending deletes. */
import { sql, type SQL } from "drizzle-orm";
import { CACHE, SLICE, SWEEP } from "../../../limits.ts";
import { batchSql, type Database } from "../database/database.ts";
import { OF_SYSTEM, type By } from "../events/actor.ts";
import { mediaEvent } from "../events/media-events.ts";
import { mediaTagOf } from "../invalidation/tags.ts";
import { invalidationStatement } from "../invalidation/outbox.ts";
import { int } from "../records/record-index.ts";
import { noteRemoved } from "./removed-versions.ts";
import { isUnreferenced, type Referenced } from "../references/references.ts";

/** The key of a media item: its space, and its id, which other spaces may have too. */
export type MediaKey = readonly [spaceId: string, id: string];

/** A key that is a pending delete already gets the later time, because its bytes may be being written again. */
const KEEP_LATER = sql.raw("ON CONFLICT (key) DO UPDATE SET due_at = max(due_at, excluded.due_at)");

/** Returns statements that remove variant rows and leave their bytes to the sweep. `returning`: of the second one. */
export function dropVariants(where: SQL, now: number, returning: SQL = sql``): SQL[] {
  const dueAt = now + CACHE.bytesOutliveRowMs;
  return [
    sql`
      INSERT INTO doomed_objects (key, due_at)
      SELECT 'v/' || space_id || '/' || media_id || '/' || version || '/' || file, ${dueAt} FROM variants WHERE ${where}
      ${KEEP_LATER}`,
    sql`DELETE FROM variants WHERE ${where} ${returning}`,
  ];
}

/** Returns statements that remove master rows and leave their bytes to the sweep. */
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
 * Invalidates those of the media that were visible until now. Trashed ones and those of removed spaces were invalidated
 * before.
 */
const invalidateOffered = (list: SQL, now: number): SQL =>
  invalidationStatement(
    sql`SELECT ${mediaTagOf("m.id")} FROM media m JOIN spaces s ON s.id = m.space_id
      WHERE (m.space_id, m.id) IN ${list} AND m.deleted_at IS NULL AND s.removed_at IS NULL`,
    "media",
    now,
  );

/**
 * Removes media items with all their versions and variants, in one batch. Their bytes are removed an hour later. False
 * if there were none, or if something refers to `unreferenced`.
 */
export async function removeMedia(
  db: Database,
  items: readonly MediaKey[],
  by: By,
  unreferenced: Referenced | null = null,
): Promise<boolean> {
  const { now } = by;
  const list = sql`(SELECT value ->> 0, value ->> 1 FROM json_each(${JSON.stringify(items)})
    WHERE ${isUnreferenced(unreferenced)})`;
  const results = await batchSql(db, [
    invalidateOffered(list, now),
    mediaEvent(sql`(m.space_id, m.id) IN ${list}`, "removed", by),
    noteRemoved(list),
    ...dropVariants(sql`(space_id, media_id) IN ${list}`, now),
    ...dropMasters(sql`(space_id, media_id) IN ${list}`, now),
    sql`DELETE FROM media WHERE (space_id, id) IN ${list} RETURNING id`,
  ]);
  return (results.at(-1) ?? []).length > 0;
}

/** Removes the variants of media in slices, as many as one run may. @returns whether none are left */
async function removeVariantsOf(db: Database, items: readonly MediaKey[], now: number): Promise<boolean> {
  const list = sql`SELECT value ->> 0, value ->> 1 FROM json_each(${JSON.stringify(items)})`;
  const slice = sql`rowid IN (SELECT rowid FROM variants WHERE (space_id, media_id) IN (${list})
    ORDER BY space_id, media_id, version, file LIMIT ${int(SLICE.records)})`;
  for (let batch = 0; batch < SWEEP.variantBatchesMax; batch++) {
    const [, removed = []] = await batchSql(db, dropVariants(slice, now, sql`RETURNING 1`));
    if (removed.length < SLICE.records) return true;
  }
  return false;
}

/**
 * Removes media items that no request is offered any more: their variants first, in slices, and then as many of them as
 * have few enough versions together. Until then their masters stay, so that an item which is restored meanwhile is
 * whole.
 * @param due a SELECT of their columns `space_id` and `id`
 * @returns how many were removed, and whether some are left
 */
export async function removeSomeMedia(
  db: Database,
  due: SQL,
  now: number,
): Promise<{ removed: number; isMore: boolean }> {
  const found = await db.all<{ spaceId: string; id: string; isWithin: number }>(sql`
    WITH due AS MATERIALIZED (${due}), counted AS (SELECT d.space_id, d.id,
      row_number() OVER (ORDER BY d.id, d.space_id) AS n,
      sum((SELECT count(*) FROM masters ma WHERE ma.space_id = d.space_id AND ma.media_id = d.id))
        OVER (ORDER BY d.id, d.space_id) AS versions FROM due d)
    SELECT space_id AS spaceId, id, versions <= ${int(SLICE.records)} OR n = 1 AS isWithin FROM counted ORDER BY n`);
  const items = found.flatMap(({ spaceId, id, isWithin }): MediaKey[] => (isWithin ? [[spaceId, id]] : []));
  if (items.length === 0) return { removed: 0, isMore: false };
  if (!(await removeVariantsOf(db, items, now))) return { removed: 0, isMore: true };
  await removeMedia(db, items, { origin: OF_SYSTEM, now });
  return { removed: items.length, isMore: items.length < found.length };
}
