/** Backups in D1 (RULES 18.7): their rows, and the masters that they name. */
import { sql } from "drizzle-orm";
import { backups } from "../../../../schema/tables.ts";
import { CACHE, SLICE } from "../../../limits.ts";
import { batchSql, type Database } from "../database/database.ts";
import { OF_SYSTEM, type By } from "../events/actor.ts";
import { eventStatement } from "../events/events.ts";
import { int } from "../records/index-parts.ts";
import { standsHere } from "../shards/space-rows.ts";

export type BackupRow = typeof backups.$inferSelect;

/** The columns in the names of `BackupRow`. */
const COLUMNS = sql.raw(
  `b.id, b.space_id AS spaceId, b.space_name AS spaceName, b.state, b.cursor, b.parts, b.lines, b.bytes, b.masters,
   b.started_at AS startedAt, b.ended_at AS endedAt, b.reason, b.remade`,
);

const target = (id: string) => ({ kind: "backup", id }) as const;

/** A space of which a backup is to be made, and the id that the backup gets. */
export interface NewBackup {
  id: string;
  spaceId: string;
}

/**
 * Returns spaces that have no backup with an id from `since` on, and none that is being made. One that has failed does not
 * count, so another one is made at once.
 */
export async function spacesDue(db: Database, since: string, limit: number): Promise<string[]> {
  const rows = await db.all<{ id: string }>(sql`
    SELECT s.id FROM spaces s WHERE s.removed_at IS NULL AND ${standsHere(sql`s.id`)}
      AND NOT EXISTS (SELECT 1 FROM backups b WHERE b.space_id = s.id AND b.id >= ${since} AND b.state <> 'failed')
      AND NOT EXISTS (SELECT 1 FROM backups b WHERE b.space_id = s.id AND b.state = 'working')
    LIMIT ${int(limit)}`);
  return rows.map(({ id }) => id);
}

/** Starts a backup, unless one of the space is being made. @returns whether it was started */
export async function insertBackup(
  db: Database,
  { id, spaceId }: NewBackup,
  { origin, now }: By,
): Promise<boolean> {
  const mayStart = sql`EXISTS (SELECT 1 FROM spaces WHERE id = ${spaceId} AND removed_at IS NULL)
    AND NOT EXISTS (SELECT 1 FROM backups WHERE space_id = ${spaceId} AND state = 'working')`;
  const [, inserted = []] = await batchSql(db, [
    eventStatement(spaceId, origin, now, { action: "backup.created", target: target(id) }, mayStart),
    sql`INSERT INTO backups (id, space_id, space_name, state, started_at)
      SELECT ${id}, id, name, 'working', ${now} FROM spaces WHERE id = ${spaceId} AND ${mayStart} RETURNING id`,
  ]);
  return inserted.length > 0;
}

/** Returns backups that are being made or removed, oldest first. */
export const backupsToDo = (
  db: Database,
  state: "working" | "removing",
  limit: number,
): Promise<BackupRow[]> =>
  db.all<BackupRow>(sql`SELECT ${COLUMNS} FROM backups b WHERE b.state = ${sql.raw(`'${state}'`)}
    AND ${standsHere(sql`b.space_id`)} ORDER BY b.id LIMIT ${int(limit)}`);

/** Returns the backup of a space that is being made; null for none. */
export async function workingBackup(db: Database, spaceId: string): Promise<BackupRow | null> {
  const [row] = await db.all<BackupRow>(
    sql`SELECT ${COLUMNS} FROM backups b WHERE b.space_id = ${spaceId} AND b.state = 'working'`,
  );
  return row ?? null;
}

/** Returns a backup. @param spaceId the space that it must be of; null for any */
export async function readBackup(
  db: Database,
  id: string,
  spaceId: string | null,
): Promise<BackupRow | null> {
  const ofSpace = spaceId === null ? standsHere(sql`b.space_id`) : sql`b.space_id = ${spaceId}`;
  const [row] = await db.all<BackupRow>(
    sql`SELECT ${COLUMNS} FROM backups b WHERE b.id = ${id} AND b.state <> 'removing' AND ${ofSpace}`,
  );
  return row ?? null;
}

/** Returns at most `limit` backups with ids below `beforeId`, newest first. @param spaceId null for all spaces */
export function listBackups(
  db: Database,
  spaceId: string | null,
  limit: number,
  beforeId: string | null,
): Promise<BackupRow[]> {
  const ofSpace = spaceId === null ? standsHere(sql`b.space_id`) : sql`b.space_id = ${spaceId}`;
  const below = beforeId === null ? sql`1` : sql`b.id < ${beforeId}`;
  return db.all<BackupRow>(sql`SELECT ${COLUMNS} FROM backups b
    WHERE ${ofSpace} AND ${below} AND b.state <> 'removing' ORDER BY b.id DESC LIMIT ${int(limit)}`);
}

/** Notes why a backup does not go on at the moment. The next run tries again. */
export async function noteTrouble(db: Database, id: string, reason: string): Promise<void> {
  await db.run(sql`UPDATE backups SET reason = ${reason} WHERE id = ${id} AND state = 'working'`);
}

/** Gives a backup up, and those that failed before the newest `keep` of them. */
export async function noteFailure(
  db: Database,
  { id, spaceId }: Pick<BackupRow, "id" | "spaceId">,
  reason: string,
  { now, keep }: { now: number; keep: number },
): Promise<void> {
  await batchSql(db, [
    sql`UPDATE backups SET reason = ${reason}, state = 'failed', ended_at = ${now}, cursor = NULL
      WHERE id = ${id} AND state = 'working'`,
    sql`UPDATE backups SET state = 'removing' WHERE space_id = ${spaceId} AND state = 'failed'
      AND id < (SELECT id FROM backups WHERE space_id = ${spaceId} AND state = 'failed'
        ORDER BY id DESC LIMIT 1 OFFSET ${int(keep - 1)})`,
  ]);
}

/**
 * Gives up a backup that a caller does not want any more: no route knows it from now on, and the sweep removes what is
 * stored of it. @returns whether there was one
 */
export async function giveUpBackup(
  db: Database,
  { id, spaceId }: Pick<BackupRow, "id" | "spaceId">,
  { origin, now }: By,
): Promise<boolean> {
  const isThere = sql`id = ${id} AND space_id = ${spaceId} AND state <> 'removing'`;
  const mayNote = sql`EXISTS (SELECT 1 FROM backups WHERE ${isThere})
    AND EXISTS (SELECT 1 FROM spaces WHERE id = ${spaceId} AND removed_at IS NULL)`;
  const [, given = []] = await batchSql(db, [
    eventStatement(spaceId, origin, now, { action: "backup.removed", target: target(id) }, mayNote),
    sql`UPDATE backups SET state = 'removing', cursor = NULL WHERE ${isThere} RETURNING id`,
  ]);
  return given.length > 0;
}

/**
 * Frees a slice of the masters that no newer backup names. An older one that is kept may name them, so it claims them from
 * now on, all of them: their rows do not say which it names. Without an older one their bytes are removed an hour later,
 * unless a media item has them. @returns whether none are left
 */
export async function freeMasters(
  db: Database,
  { id, spaceId }: Pick<BackupRow, "id" | "spaceId">,
  now: number,
): Promise<boolean> {
  const older = sql`(SELECT max(id) FROM backups WHERE space_id = ${spaceId} AND id < ${id} AND state <> 'removing')`;
  const slice = sql`rowid IN (SELECT rowid FROM backup_masters WHERE last_backup = ${id}
    ORDER BY rowid LIMIT ${int(SLICE.records)})`;
  const [passed = [], , freed = []] = await batchSql(db, [
    sql`UPDATE backup_masters SET last_backup = ${older} WHERE ${slice} AND ${older} IS NOT NULL RETURNING 1`,
    sql`INSERT INTO doomed_objects (key, due_at)
      SELECT 'm/' || space_id || '/' || media_id || '/' || version || '/' || file, ${now + CACHE.bytesOutliveRowMs}
      FROM backup_masters WHERE ${slice} AND ${older} IS NULL
      ON CONFLICT (key) DO UPDATE SET due_at = max(due_at, excluded.due_at)`,
    sql`DELETE FROM backup_masters WHERE ${slice} AND ${older} IS NULL RETURNING 1`,
  ]);
  return passed.length + freed.length < SLICE.records;
}

/** Removes the row of a backup. @returns whether its space is gone, and this was the last backup of it */
export async function deleteBackup(db: Database, { id, spaceId }: BackupRow, now: number): Promise<boolean> {
  // A caller who gave it up has a line of the audit already.
  const mayNote = sql`EXISTS (SELECT 1 FROM spaces WHERE id = ${spaceId} AND removed_at IS NULL)
    AND NOT EXISTS (SELECT 1 FROM events WHERE space_id = ${spaceId} AND target_id = ${id} AND action = 'backup.removed')`;
  const [, , left = []] = await batchSql(db, [
    eventStatement(spaceId, OF_SYSTEM, now, { action: "backup.removed", target: target(id) }, mayNote),
    sql`DELETE FROM backups WHERE id = ${id} AND state = 'removing'`,
    sql`SELECT 1 FROM backups WHERE space_id = ${spaceId} UNION ALL SELECT 1 FROM spaces WHERE id = ${spaceId} LIMIT 1`,
  ]);
  return left.length === 0;
}

/** Returns whether a space has backups, in whatever state. */
export const hasBackups = async (db: Database, spaceId: string): Promise<boolean> =>
  (await db.all(sql`SELECT 1 FROM backups WHERE space_id = ${spaceId} LIMIT 1`)).length > 0;

/** Returns those of some ids that are no backups. */
export async function withoutBackup(db: Database, ids: readonly string[]): Promise<string[]> {
  const rows = await db.all<{ id: string }>(sql`SELECT value AS id FROM json_each(${JSON.stringify(ids)})
    WHERE NOT EXISTS (SELECT 1 FROM backups b WHERE b.id = value)`);
  return rows.map(({ id }) => id);
}

/** Returns the file of a master that kept backups of a space name; null for none. */
export async function masterOfBackup(
  db: Database,
  spaceId: string,
  mediaId: string,
  version: number,
): Promise<string | null> {
  const [row] = await db.all<{ file: string }>(sql`SELECT file FROM backup_masters
    WHERE space_id = ${spaceId} AND media_id = ${mediaId} AND version = ${int(version)}`);
  return row?.file ?? null;
}

/** Writes the line of the audit for a backup that a caller reads, if its space is still there. */
export async function noteRestored(
  db: Database,
  { id, spaceId }: BackupRow,
  { origin, now }: By,
): Promise<void> {
  const isThere = sql`EXISTS (SELECT 1 FROM spaces WHERE id = ${spaceId} AND removed_at IS NULL)`;
  await db.run(
    eventStatement(spaceId, origin, now, { action: "backup.restored", target: target(id) }, isThere),
  );
}
