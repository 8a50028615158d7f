/** Removals of pictures of other servers in D1 (RULES 13.6): by a caller, by the sweep, and of those over the plan. */
import { and, eq, isNull, lt, sql, type SQL } from "drizzle-orm";
import { remotes, spaces, spaceTotals } from "../../../../schema/tables.ts";
import { CACHE, REMOTE, SLICE } from "../../../limits.ts";
import { batchSql, type Database } from "../database/database.ts";
import type { By } from "../events/actor.ts";
import { eventStatement } from "../events/events.ts";
import { mediaTagOf } from "../invalidation/tags.ts";
import { invalidationStatement } from "../invalidation/outbox.ts";
import { dropVariants } from "../media/remove-media.ts";
import { standsHere } from "../shards/space-rows.ts";

/** Has the sweep remove the bytes of hidden masters whose rows are about to go, once redirects to them are over. */
export const dropBytes = (where: SQL, now: number): SQL => sql`
  INSERT INTO doomed_objects (key, due_at)
  SELECT 'm/' || space_id || '/' || id || '/' || version || '/' || file, ${now + CACHE.bytesOutliveRowMs}
  FROM remotes WHERE ${where}
  ON CONFLICT (key) DO UPDATE SET due_at = max(due_at, excluded.due_at)`;

/** Whether another batch may begin. */
export type GoesOn = () => boolean;

/**
 * Removes pictures with their variants, in batches of as many as have few enough variants together. Their bytes are
 * removed an hour later. @returns how many
 */
async function removeRemotes(
  db: Database,
  ids: readonly string[],
  now: number,
  goesOn: GoesOn = () => true,
): Promise<number> {
  if (ids.length === 0) return 0;
  const counted = await db.all<{ id: string; rows: number }>(sql`
    SELECT value AS id, 1 + (SELECT count(*) FROM remotes r CROSS JOIN variants v
      ON v.space_id = r.space_id AND v.media_id = r.id WHERE r.id = value) AS rows
    FROM json_each(${JSON.stringify(ids)})`);
  let removed = 0;
  for (const batch of batchesOf(counted)) {
    if (!goesOn()) break;
    removed += await removeBatch(db, batch, now);
  }
  return removed;
}

/** Splits the pictures so that each batch removes about as many rows as a slice may have. */
function batchesOf(counted: readonly { id: string; rows: number }[]): string[][] {
  const batches: string[][] = [];
  let rowsOfLast = Infinity;
  for (const { id, rows } of counted) {
    if (rowsOfLast + rows > SLICE.records) {
      batches.push([]);
      rowsOfLast = 0;
    }
    batches.at(-1)?.push(id);
    rowsOfLast += rows;
  }
  return batches;
}

async function removeBatch(db: Database, ids: string[], now: number, events: SQL[] = []): Promise<number> {
  const list = sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`;
  const results = await batchSql(db, [
    ...events,
    invalidationStatement(sql`SELECT ${mediaTagOf("id")} FROM remotes WHERE id IN ${list}`, "media", now),
    ...dropVariants(sql`(space_id, media_id) IN (SELECT space_id, id FROM remotes WHERE id IN ${list})`, now),
    dropBytes(sql`id IN ${list}`, now),
    sql`DELETE FROM remotes WHERE id IN ${list} RETURNING id`,
  ]);
  return (results.at(-1) ?? []).length;
}

/**
 * Removes the picture of an address. The service itself removes what it has fetched, without an event.
 * @param by with the origin of a caller's request
 * @returns its id; null if there is none
 */
export async function removeRemote(
  db: Database,
  spaceId: string,
  hash: string,
  { origin, now }: Pick<By, "now"> & Partial<By>,
): Promise<string | null> {
  const where = and(eq(remotes.spaceId, spaceId), eq(remotes.hash, hash));
  const row = await db.select({ id: remotes.id }).from(remotes).where(where).get();
  if (!row) return null;
  if (!origin) return (await removeBatch(db, [row.id], now)) > 0 ? row.id : null;
  const line = { action: "remote.removed", target: { kind: "remote", id: row.id } } as const;
  const isThere = sql`EXISTS (SELECT 1 FROM remotes WHERE id = ${row.id})`;
  const event = eventStatement(spaceId, origin, now, line, isThere);
  return (await removeBatch(db, [row.id], now, [event])) > 0 ? row.id : null;
}

/** Removes at most `limit` pictures of a space. @returns how many */
export async function removeRemotesOfSpace(
  db: Database,
  spaceId: string,
  now: number,
  limit: number,
  goesOn?: GoesOn,
): Promise<number> {
  const rows = await db
    .select({ id: remotes.id })
    .from(remotes)
    .where(eq(remotes.spaceId, spaceId))
    .limit(limit);
  const ids = rows.map(({ id }) => id);
  return removeRemotes(db, ids, now, goesOn);
}

/** Removes at most `limit` pictures that nobody has asked for since `before`. @returns how many */
export async function removeUnasked(
  db: Database,
  before: number,
  now: number,
  limit: number,
  goesOn?: GoesOn,
): Promise<number> {
  const rows = await db
    .select({ id: remotes.id })
    .from(remotes)
    .where(and(lt(remotes.askedAt, before), standsHere(sql`${remotes.spaceId}`)))
    .limit(limit);
  const ids = rows.map(({ id }) => id);
  return removeRemotes(db, ids, now, goesOn);
}

/**
 * Returns the SQL of how many pictures a plan allows, however small they are. Without it, a script that asks for one
 * small file under ever new addresses fills the database long before the bytes of the plan are used up.
 */
export const picturesOf = (planBytes: SQL): SQL =>
  sql.join([sql.raw(`max(${REMOTE.picturesMin}, (`), planBytes, sql.raw(`) / ${REMOTE.bytesPerPicture})`)]);

/**
 * Removes the pictures of a space that were least recently asked for, until the rest fits its plan, at most `limit`.
 * @returns how many
 */
export async function trimRemotes(
  db: Database,
  spaceId: string,
  now: number,
  limit: number,
  goesOn?: GoesOn,
): Promise<number> {
  const due = await db.all<{ id: string }>(sql`
    SELECT r.id FROM space_totals t
    JOIN spaces s ON s.id = t.space_id
    JOIN (
      SELECT id, sum(size_bytes) OVER oldest - size_bytes AS bytesBefore, row_number() OVER oldest - 1 AS before
      FROM (SELECT id, size_bytes, asked_at FROM remotes WHERE space_id = ${spaceId} ORDER BY asked_at, id LIMIT ${limit})
      WINDOW oldest AS (ORDER BY asked_at, id)
    ) r ON r.bytesBefore < t.remote_bytes - s.remote_bytes
      OR r.before < t.remote_pictures - ${picturesOf(sql`s.remote_bytes`)}
    WHERE t.space_id = ${spaceId}`);
  const ids = due.map(({ id }) => id);
  return removeRemotes(db, ids, now, goesOn);
}

/** Returns at most `limit` spaces that keep more than their plan allows. */
export async function spacesOverPlan(db: Database, limit: number): Promise<string[]> {
  const isOver = sql`(${spaceTotals.remoteBytes} > ${spaces.remoteBytes}
    OR ${spaceTotals.remotePictures} > ${picturesOf(sql`${spaces.remoteBytes}`)})`;
  const rows = await db
    .select({ id: spaces.id })
    .from(spaceTotals)
    .innerJoin(spaces, and(eq(spaces.id, spaceTotals.spaceId), isNull(spaces.removedAt)))
    .where(and(isOver, standsHere(sql`${spaces.id}`)))
    .limit(limit);
  return rows.map(({ id }) => id);
}
