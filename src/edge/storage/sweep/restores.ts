/**
 * Compares a database with R2 after it was set back to an earlier time (RULES 10.12). Objects whose rows are gone are kept
 * for 30 days, and masters whose bytes are gone are marked.
 */
import { sql, type SQL } from "drizzle-orm";
import { storageChecks } from "../../../../schema/tables.ts";
import { masterKey } from "../../../image/model/variant.ts";
import { RESTORE, SLICE } from "../../../limits.ts";
import { batchSql, type Database } from "../database/database.ts";
import { int } from "../records/record-index.ts";
import { standsHere } from "../shards/space-rows.ts";
import { isClaimed } from "./pending-deletes.ts";

export type StorageCheck = typeof storageChecks.$inferSelect;

/** Counts a run of the sweep. */
export async function countRun(db: Database): Promise<StorageCheck> {
  const [check] = await db
    .insert(storageChecks)
    .values({ id: 1, runs: 1 })
    .onConflictDoUpdate({ target: storageChecks.id, set: { runs: sql`runs + 1` } })
    .returning();
  if (!check) throw new Error("the run was not counted");
  return check;
}

/** Reads how far the comparison is. */
export async function readCheck(
  db: Database,
): Promise<Pick<StorageCheck, "runs" | "restoredAt" | "mastersAfter" | "listedAfter">> {
  const [check] = await db.select().from(storageChecks);
  return check ?? { runs: 0, restoredAt: null, mastersAfter: "", listedAfter: "" };
}

/** Notes that the database was set back, and goes on counting from the number that the deployment knows. */
export async function noteRestore(db: Database, runs: number, now: number): Promise<void> {
  await db.run(
    sql`UPDATE storage_checks SET runs = ${int(runs)}, restored_at = ${now}, is_held = 0, masters_after = ''`,
  );
}

/**
 * Holds a slice of the pending deletes: what they name may have got a row after the time to which the database was set
 * back. @returns how many; fewer than a slice when all are held
 */
export async function holdSlice(db: Database, until: number): Promise<number> {
  const held = await db.all(sql`UPDATE doomed_objects SET due_at = ${until} WHERE key IN
    (SELECT key FROM doomed_objects WHERE due_at < ${until} ORDER BY due_at LIMIT ${int(SLICE.records)}) RETURNING 1`);
  return held.length;
}

export async function noteHeld(db: Database): Promise<void> {
  await db.run(sql`UPDATE storage_checks SET is_held = 1`);
}

export interface LookedUpMaster {
  spaceId: string;
  mediaId: string;
  version: number;
  key: string;
}

const PLACE = sql.raw("space_id || '/' || media_id || '/' || version");

async function listMasters(db: Database, where: SQL, order: SQL, limit: number) {
  const rows = await db.all<{
    mediaId: string;
    version: number;
    spaceId: string;
    file: string;
    place: string;
  }>(sql`
    SELECT media_id AS mediaId, version, space_id AS spaceId, file, ${PLACE} AS place FROM masters
    WHERE ${where} AND ${standsHere(sql`space_id`)} ORDER BY ${order} LIMIT ${int(limit)}`);
  return rows.map(({ file, ...row }) => ({ ...row, key: masterKey(row, file) }));
}

/** Lists the next masters after `place`, in the order of their keys. */
export const mastersAfter = (db: Database, place: string, limit: number) => {
  const parts = place.split("/");
  // A place without a space was noted by an earlier version of the code: the masters are looked up anew.
  const [spaceId = "", mediaId = "", version = "0"] = parts.length === 3 ? parts : [];
  const isAfter = sql`(space_id, media_id, version) > (${spaceId}, ${mediaId}, ${int(Number(version))})`;
  return listMasters(db, isAfter, sql`space_id, media_id, version`, limit);
};

/** Lists the masters whose bytes were missing, those that were looked up longest ago first. */
export const missingMasters = (db: Database, limit: number) =>
  listMasters(db, sql`missing_at IS NOT NULL`, sql`missing_at`, limit);

const among = (masters: readonly LookedUpMaster[]): SQL =>
  sql`(space_id, media_id, version) IN (SELECT value ->> 'spaceId', value ->> 'mediaId', value ->> 'version'
    FROM json_each(${JSON.stringify(masters)}))`;

/**
 * Returns the statements that mark masters as missing, so that nothing is built of them, and unmark those whose bytes
 * are there.
 */
export const markMasters = (
  missing: readonly LookedUpMaster[],
  found: readonly LookedUpMaster[],
  now: number,
): SQL[] => [
  ...(missing.length > 0
    ? [
        sql`UPDATE masters SET missing_at = ${now}, placeholder_tries = NULL, is_to_prebuild = 0 WHERE ${among(missing)}`,
      ]
    : []),
  ...(found.length > 0
    ? [
        sql`UPDATE masters SET missing_at = NULL, placeholder_tries = CASE WHEN thumb_hash IS NULL THEN 0 END
          WHERE ${among(found)} AND missing_at IS NOT NULL`,
      ]
    : []),
];

/** Writes marks, and how far the masters are looked up; null at their end, which ends the work after a restore. */
export async function writeMarks(db: Database, marks: SQL[], place: string | null): Promise<void> {
  const after =
    place === null
      ? sql`masters_after = '', restored_at = CASE WHEN is_held THEN NULL ELSE restored_at END`
      : sql`masters_after = ${place}`;
  await batchSql(db, [...marks, sql`UPDATE storage_checks SET ${after}`]);
}

/** Returns those keys of R2 that no row claims, and that no pending delete names. */
export async function unclaimedOf(db: Database, keys: readonly string[]): Promise<string[]> {
  const rows = await db.all<{ key: string }>(sql`
    SELECT j.value AS key FROM json_each(${JSON.stringify(keys)}) j
    WHERE ${standsHere(sql`substr(j.value, 3, 26)`)}
      AND NOT ${isClaimed(sql`j.value`)}
      AND NOT EXISTS (SELECT 1 FROM doomed_objects d WHERE d.key = j.value)`);
  return rows.map(({ key }) => key);
}

/** Lists objects without a row as pending deletes, and notes how far R2 is looked through. A row may still claim them. */
export async function noteUnclaimed(
  db: Database,
  keys: readonly string[],
  listedAfter: string,
  now: number,
): Promise<void> {
  await batchSql(db, [
    sql`INSERT INTO doomed_objects (key, due_at, found_at)
      SELECT value, ${now + RESTORE.keptMs}, ${now} FROM json_each(${JSON.stringify(keys)}) WHERE true
      ON CONFLICT (key) DO NOTHING`,
    sql`UPDATE storage_checks SET listed_after = ${listedAfter}`,
  ]);
}

/** Returns the ids of spaces after `afterId`. */
export async function spaceIdsAfter(db: Database, afterId: string): Promise<string[]> {
  const rows = await db.all<{
    id: string;
  }>(sql`SELECT id FROM spaces WHERE id > ${afterId} AND ${standsHere(sql`id`)}
    ORDER BY id LIMIT ${int(SLICE.records)}`);
  return rows.map(({ id }) => id);
}

/** Has the edge forget everything of some spaces: it may have copies of what the database does not know any more. */
export const invalidateSpaces = (ids: readonly string[]): SQL =>
  sql`SELECT 'space:' || value FROM json_each(${JSON.stringify(ids)})
    UNION ALL SELECT 'content:' || value FROM json_each(${JSON.stringify(ids)})`;
