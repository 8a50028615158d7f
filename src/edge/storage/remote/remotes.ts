/**
 * Pictures of other servers in D1 (RULES 13). Every change of several rows is one batch. Bytes are written before it and
 * removed after it, as those of media are.
 */
import { and, eq, isNull, lt, sql, type SQL } from "drizzle-orm";
import { remotes, spaces } from "../../../../schema/tables.ts";
import type { ExtrasSettings } from "../../../image/model/extras.ts";
import { masterKey, type MasterAddress } from "../../../image/model/variant.ts";
import { batchSql, type Database } from "../database/database.ts";
import { mediaTag } from "../invalidation/tags.ts";
import { invalidationStatement } from "../invalidation/outbox.ts";
import { dropVariants } from "../media/remove-media.ts";
import { aspectRatiosIn, backgroundsIn } from "../spaces/spaces.ts";
import { cancelPendingDelete } from "../sweep/pending-deletes.ts";
import { dropBytes } from "./removal.ts";

export type RemoteRow = typeof remotes.$inferSelect;

/** Returns the entries of a space's setting, from its column. */
export const originsIn = (column: string | null): readonly string[] =>
  column === null ? [] : (JSON.parse(column) as string[]);

/** The data that a fetch needs before it begins. */
export interface KnownRemote extends ExtrasSettings {
  origins: readonly string[];
  aspectRatios: readonly string[];
  backgrounds: readonly string[];
  /** The bytes of remote pictures that the plan of the space allows. */
  maxBytes: number;
  /** Null if nothing was fetched from the address. */
  remote: RemoteRow | null;
}

/** Reads the data for a fetch; null when the space does not exist any more. */
export async function readKnown(db: Database, spaceId: string, hash: string): Promise<KnownRemote | null> {
  const row = await db
    .select({ space: spaces, remote: remotes })
    .from(spaces)
    .leftJoin(remotes, and(eq(remotes.spaceId, spaces.id), eq(remotes.hash, hash)))
    .where(and(eq(spaces.id, spaceId), isNull(spaces.removedAt)))
    .get();
  if (!row) return null;
  const { space, remote } = row;
  return {
    origins: originsIn(space.origins),
    aspectRatios: aspectRatiosIn(space.aspectRatios),
    backgrounds: backgroundsIn(space.backgrounds),
    metadata: space.metadata,
    gamut: space.gamut,
    maxBytes: space.remoteBytes,
    remote,
  };
}

/** Reserves the number of the next file of an address; null if its row was removed meanwhile. */
export async function reserveRemoteVersion(db: Database, id: string): Promise<number | null> {
  const [row] = await db
    .update(remotes)
    .set({ lastVersion: sql`${remotes.lastVersion} + 1` })
    .where(eq(remotes.id, id))
    .returning({ version: remotes.lastVersion });
  return row?.version ?? null;
}

const addressOf = ({ spaceId, id, version }: RemoteRow): MasterAddress => ({ spaceId, mediaId: id, version });

/** Returns the R2 key of the hidden master. */
export const remoteMasterKey = (row: RemoteRow): string => masterKey(addressOf(row), row.file);

const isWritten = ({ id, version }: RemoteRow): SQL =>
  sql`EXISTS (SELECT 1 FROM remotes WHERE id = ${id} AND version = ${version})`;

/**
 * Inserts the row of a file whose bytes are stored. False if the space was removed meanwhile, or another fetch of the
 * address came first: nothing is written then, and the sweep removes the bytes.
 */
export async function insertRemote(db: Database, row: RemoteRow): Promise<boolean> {
  const { spaceId, hash } = row;
  const [inserted = []] = await batchSql(db, [
    sql`
      INSERT INTO remotes (space_id, hash, id, url, origin, version, last_version, file, size_bytes, sha256, facts,
        etag, last_modified, fetched_at, fresh_until, asked_at)
      SELECT ${spaceId}, ${hash}, ${row.id}, ${row.url}, ${row.origin}, ${row.version}, ${row.lastVersion}, ${row.file},
        ${row.sizeBytes}, ${row.sha256}, ${row.facts}, ${row.etag}, ${row.lastModified}, ${row.fetchedAt},
        ${row.freshUntil}, ${row.askedAt}
      WHERE EXISTS (SELECT 1 FROM spaces WHERE id = ${spaceId} AND removed_at IS NULL)
      ON CONFLICT (space_id, hash) DO NOTHING RETURNING id`,
    cancelPendingDelete(remoteMasterKey(row), isWritten(row)),
  ]);
  return inserted.length > 0;
}

/**
 * Makes a changed file, whose bytes are stored, the hidden master of its address. The earlier one and its variants go.
 * False if the row was removed or got a later file meanwhile: nothing is written then.
 */
export async function replaceRemote(db: Database, row: RemoteRow, now: number): Promise<boolean> {
  const { spaceId, id, version } = row;
  const isEarlier = sql`id = ${id} AND version < ${version}`;
  const [, , updated = []] = await batchSql(db, [
    invalidationStatement(sql`SELECT ${mediaTag(id)} FROM remotes WHERE ${isEarlier}`, "media", now),
    dropBytes(isEarlier, now),
    sql`
      UPDATE remotes SET version = ${version}, origin = ${row.origin}, file = ${row.file}, size_bytes = ${row.sizeBytes},
        sha256 = ${row.sha256}, facts = ${row.facts}, etag = ${row.etag}, last_modified = ${row.lastModified},
        fetched_at = ${row.fetchedAt}, fresh_until = ${row.freshUntil}
      WHERE ${isEarlier} RETURNING id`,
    ...dropVariants(
      sql`space_id = ${spaceId} AND media_id = ${id} AND version < (SELECT version FROM remotes WHERE id = ${id})`,
      now,
    ),
    cancelPendingDelete(remoteMasterKey(row), isWritten(row)),
  ]);
  return updated.length > 0;
}

type Confirmation = Pick<RemoteRow, "etag" | "lastModified" | "fetchedAt" | "freshUntil">;

/** Notes that the file at the origin is still the one that is here. */
export async function confirmRemote(
  db: Database,
  id: string,
  { etag, lastModified, fetchedAt, freshUntil }: Confirmation,
): Promise<void> {
  await db.update(remotes).set({ etag, lastModified, fetchedAt, freshUntil }).where(eq(remotes.id, id));
}

/** Notes when an origin that did not confirm its file is asked again. */
export async function askRemoteAgain(db: Database, id: string, freshUntil: number): Promise<void> {
  await db.update(remotes).set({ freshUntil }).where(eq(remotes.id, id));
}

/** Notes that a visitor asked for a picture. */
export async function noteAsking(db: Database, id: string, now: number): Promise<void> {
  await db
    .update(remotes)
    .set({ askedAt: now })
    .where(and(eq(remotes.id, id), lt(remotes.askedAt, now)));
}

export interface OriginCount {
  origin: string;
  pictures: number;
  bytes: number;
}

/** Counts the pictures that a space keeps, by the entry of `origins` that allowed them. */
export async function countByOrigin(db: Database, spaceId: string): Promise<OriginCount[]> {
  return db
    .select({
      origin: remotes.origin,
      pictures: sql<number>`count(*)`,
      bytes: sql<number>`sum(${remotes.sizeBytes})`,
    })
    .from(remotes)
    .where(eq(remotes.spaceId, spaceId))
    .groupBy(remotes.origin);
}
