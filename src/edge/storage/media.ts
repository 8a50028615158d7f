/** Media and masters in D1. Every change that spans rows is one batch; bytes are written before, removed after. */
import { and, desc, eq, isNotNull, isNull, lt, sql, type SQL } from "drizzle-orm";
import { masters, media } from "../../../schema/tables.ts";
import type { MasterRow, MediaRow } from "../media/media-object.ts";
import { CACHE } from "../../limits.ts";
import { batchSql, type Database } from "./database.ts";

export interface MediaWithMaster {
  media: MediaRow;
  master: MasterRow;
}

const current = and(eq(masters.mediaId, media.id), eq(masters.version, media.masterVersion));

/** One media item that is not in the trash; null otherwise. */
export async function readMedia(db: Database, spaceId: string, id: string): Promise<MediaWithMaster | null> {
  const row = await db
    .select({ media, master: masters })
    .from(media)
    .innerJoin(masters, current)
    .where(and(eq(media.id, id), eq(media.spaceId, spaceId), isNull(media.deletedAt)))
    .get();
  return row ?? null;
}

/** Newest first, `limit` at most, from below `beforeId`; those in the trash when `trashed`. */
export async function listMedia(
  db: Database,
  spaceId: string,
  options: { limit: number; beforeId: string | null; trashed: boolean },
): Promise<MediaWithMaster[]> {
  const { limit, beforeId, trashed } = options;
  const state = trashed ? isNotNull(media.deletedAt) : isNull(media.deletedAt);
  return db
    .select({ media, master: masters })
    .from(media)
    .innerJoin(masters, current)
    .where(and(eq(media.spaceId, spaceId), state, beforeId === null ? undefined : lt(media.id, beforeId)))
    .orderBy(desc(media.id))
    .limit(limit);
}

/** Columns of a row as a SELECT list, so that the insert can carry a condition. */
function masterValues(row: MasterRow) {
  return sql`${row.mediaId}, ${row.version}, ${row.spaceId}, ${row.file}, ${row.sizeBytes}, ${row.sha256},
    ${row.facts}, ${row.createdAt}, ${row.purgeAt}`;
}
const MASTER_COLUMNS = sql.raw(
  "media_id, version, space_id, file, size_bytes, sha256, facts, created_at, purge_at",
);

/**
 * The rows of a new media item, whose bytes are stored under `key`.
 * False when the space was removed meanwhile: nothing is written, and the sweep removes the bytes.
 */
export async function insertMedia(
  db: Database,
  row: MediaRow,
  master: MasterRow,
  key: string,
): Promise<boolean> {
  const spaceIsThere = sql`EXISTS (SELECT 1 FROM spaces WHERE id = ${row.spaceId} AND removed_at IS NULL)`;
  const [inserted = []] = await batchSql(db, [
    sql`
      INSERT INTO media (id, space_id, filename, alt, master_version, last_version, created_at, updated_at)
      SELECT ${row.id}, ${row.spaceId}, ${row.filename}, ${row.alt}, ${row.masterVersion}, ${row.lastVersion},
        ${row.createdAt}, ${row.updatedAt}
      WHERE ${spaceIsThere} RETURNING id`,
    sql`
      INSERT INTO masters (${MASTER_COLUMNS}) SELECT ${masterValues(master)}
      WHERE EXISTS (SELECT 1 FROM media WHERE id = ${row.id})`,
    sql`DELETE FROM doomed_objects WHERE key = ${key} AND EXISTS (SELECT 1 FROM media WHERE id = ${row.id})`,
  ]);
  return inserted.length > 0;
}

/** Takes the next version number of a media item; null when it is not there. Numbers are never used twice. */
export async function reserveVersion(db: Database, spaceId: string, id: string): Promise<number | null> {
  const [row] = await db
    .update(media)
    .set({ lastVersion: sql`${media.lastVersion} + 1` })
    .where(and(eq(media.id, id), eq(media.spaceId, spaceId), isNull(media.deletedAt)))
    .returning({ version: media.lastVersion });
  return row?.version ?? null;
}

/**
 * Makes a stored file the media item's master. Of two replacements at once the later number wins; the other one is
 * kept like any earlier version, until `retireAt`. False when the item was trashed meanwhile.
 */
export async function replaceMaster(
  db: Database,
  master: MasterRow,
  change: { filename: string | null; now: number; retireAt: number; key: string },
): Promise<boolean> {
  const { mediaId, version } = master;
  const { filename, now, retireAt, key } = change;
  const itemIsThere = sql`EXISTS (SELECT 1 FROM media WHERE id = ${mediaId} AND deleted_at IS NULL)`;
  const [inserted = []] = await batchSql(db, [
    sql`
      INSERT INTO masters (${MASTER_COLUMNS}) SELECT ${masterValues(master)} WHERE ${itemIsThere} RETURNING version`,
    sql`
      UPDATE media SET master_version = ${version}, updated_at = ${now}, filename = coalesce(${filename}, filename)
      WHERE id = ${mediaId} AND deleted_at IS NULL AND master_version < ${version}`,
    sql`
      UPDATE masters SET purge_at = ${retireAt} WHERE media_id = ${mediaId} AND purge_at IS NULL
        AND version <> (SELECT master_version FROM media WHERE id = ${mediaId})`,
    ...dropVariants(
      sql`media_id = ${mediaId} AND version <> (SELECT master_version FROM media WHERE id = ${mediaId})`,
      now,
    ),
    sql`
      DELETE FROM doomed_objects WHERE key = ${key}
        AND EXISTS (SELECT 1 FROM masters WHERE media_id = ${mediaId} AND version = ${version})`,
  ]);
  return inserted.length > 0;
}

/** A key that is doomed already keeps the later time: its bytes may be being written anew. */
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

/** Removes media items with all their versions and variants, in one batch: bytes go an hour later. */
export async function removeMedia(db: Database, ids: string[], now: number): Promise<void> {
  const list = sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`;
  await batchSql(db, [
    ...dropVariants(sql`media_id IN ${list}`, now),
    ...dropMasters(sql`media_id IN ${list}`, now),
    sql`DELETE FROM media WHERE id IN ${list}`,
  ]);
}

/** Null when it is not there (or already in the trash). */
export async function trashMedia(
  db: Database,
  spaceId: string,
  id: string,
  deletedAt: number,
  purgeAt: number,
): Promise<MediaRow | null> {
  const [row] = await db
    .update(media)
    .set({ deletedAt, purgeAt })
    .where(and(eq(media.id, id), eq(media.spaceId, spaceId), isNull(media.deletedAt)))
    .returning();
  return row ?? null;
}

/** Back as it was; null when it is not in the trash. */
export async function restoreMedia(db: Database, spaceId: string, id: string): Promise<MediaRow | null> {
  const [row] = await db
    .update(media)
    .set({ deletedAt: null, purgeAt: null })
    .where(and(eq(media.id, id), eq(media.spaceId, spaceId), isNotNull(media.deletedAt)))
    .returning();
  return row ?? null;
}

export async function readTrashedMedia(db: Database, spaceId: string, id: string): Promise<MediaRow | null> {
  const where = and(eq(media.id, id), eq(media.spaceId, spaceId), isNotNull(media.deletedAt));
  return (await db.select().from(media).where(where).get()) ?? null;
}

/** Null when it is not there. */
export async function changeMedia(
  db: Database,
  spaceId: string,
  id: string,
  change: { filename?: string | undefined; alt?: string | undefined },
  now: number,
): Promise<boolean> {
  const changed = await db
    .update(media)
    .set({ ...change, updatedAt: now })
    .where(and(eq(media.id, id), eq(media.spaceId, spaceId), isNull(media.deletedAt)))
    .returning({ id: media.id });
  return changed.length > 0;
}
