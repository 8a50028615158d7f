/** Finds a file for the routes of immutable files: whether its media item exists, its size and its expiry. */
import { sql } from "drizzle-orm";
import { masterFile as masterFileOf, type MasterAddress } from "../../../image/model/variant.ts";
import { CACHE } from "../../../limits.ts";
import { batchSql, type Database } from "../database/database.ts";
import { ExpiringMap } from "../database/expiring-map.ts";
import { inTime } from "../../../in-time.ts";
import { mediaTag } from "../invalidation/tags.ts";
import { invalidationStatement } from "../invalidation/outbox.ts";
import {
  readRow,
  readRowOfPrimary,
  type Read,
  type ReadDatabase,
  type ReadFrom,
} from "../database/read-database.ts";
import { aspectRatiosIn, backgroundsIn } from "../spaces/spaces.ts";

/** The parts of the address of the file's picture. */
export interface FileSpace {
  spaceName: string;
  /** The ratios that crops may have, each `W:H`. */
  aspectRatios: readonly string[];
  /** The backgrounds that pictures may have. */
  backgrounds: readonly string[];
  /** The address of a picture of another server; null for a media item. */
  remoteUrl: string | null;
}

export interface StoredFile extends FileSpace {
  mediaId: string;
  sizeBytes: number;
  /** Milliseconds; null for a master. */
  expiresAt: number | null;
}

export type FileLookup =
  | { kind: "file"; file: StoredFile; from: ReadFrom }
  /**
   * The media item exists but this variant does not: it expired, was evicted, or was never built. `mayHaveBytes`: it is
   * of the present version, so its bytes may have outlived its row (RULES 4.4).
   */
  | ({ kind: "gone"; mayHaveBytes: boolean } & FileSpace)
  | { kind: "unknown" };

interface FileRow {
  spaceName: string;
  aspectRatios: string | null;
  backgrounds: string | null;
  masterFile: string | null;
  masterBytes: number | null;
  variantBytes: number | null;
  expiresAt: number | null;
  presentVersion: number;
  remoteUrl: string | null;
}

const cache = new ExpiringMap<StoredFile>(CACHE.factsMs, CACHE.factsMaxEntries, CACHE.heldMs);

const keyOf = (a: MasterAddress, file: string): string => `${a.spaceId}/${a.mediaId}/${a.version}/${file}`;

/** Makes this isolate forget all files of a media item. */
export const forgetFiles = (mediaId: string): void => cache.deleteWhere((file) => file.mediaId === mediaId);

/**
 * Finds a file with one D1 query, or with none if the isolate has found it within the last seconds. The nearest replica
 * is asked first, and the primary if the replica does not have the file.
 *
 * @param ofPrimary asks the primary in any case
 * @throws what D1 throws, when the isolate does not hold the file
 */
export async function findFile(
  db: ReadDatabase,
  address: MasterAddress,
  file: string,
  kind: "master" | "variant",
  now: number,
  ofPrimary = false,
): Promise<FileLookup> {
  const key = keyOf(address, file);
  const known = ofPrimary ? undefined : cache.get(key, now);
  if (known) return { kind: "file", file: known, from: "memory" };
  const held = cache.held(key, now);
  let read: Read<FileRow>;
  try {
    const reading = readFile(db, address, file, kind, now, ofPrimary);
    read = await (held ? inTime(reading, CACHE.databasePatienceMs) : reading);
  } catch (error) {
    if (held) return { kind: "file", file: held, from: "held" };
    throw error;
  }
  const { row, isFromPrimary } = read;
  if (!row) return { kind: "unknown" };
  const stored = foundIn(row, file, kind, now);
  if (!stored) return kind === "master" ? { kind: "unknown" } : goneOf(row, address);
  const found = { ...stored, mediaId: address.mediaId };
  cache.set(key, found, now);
  return { kind: "file", file: found, from: isFromPrimary ? "primary" : "replica" };
}

async function readFile(
  db: ReadDatabase,
  address: MasterAddress,
  file: string,
  kind: "master" | "variant",
  now: number,
  ofPrimary: boolean,
): Promise<Read<FileRow>> {
  const query = sql`
    SELECT s.name AS spaceName, s.aspect_ratios AS aspectRatios, s.backgrounds, p.presentVersion, p.masterFile,
      p.masterBytes, p.remoteUrl, v.size_bytes AS variantBytes, v.expires_at AS expiresAt
    FROM (
      SELECT m.space_id, m.id, m.master_version AS presentVersion, ma.file AS masterFile, ma.size_bytes AS masterBytes,
        NULL AS remoteUrl
      FROM media m LEFT JOIN masters ma
        ON ma.space_id = m.space_id AND ma.media_id = m.id AND ma.version = ${address.version}
      WHERE m.space_id = ${address.spaceId} AND m.id = ${address.mediaId} AND m.deleted_at IS NULL
      UNION ALL
      SELECT r.space_id, r.id, r.version, CASE r.version WHEN ${address.version} THEN r.file END, r.size_bytes, r.url
      FROM remotes r WHERE r.id = ${address.mediaId}) p
    JOIN spaces s ON s.id = p.space_id AND s.removed_at IS NULL
    LEFT JOIN variants v ON v.space_id = p.space_id AND v.media_id = p.id AND v.version = ${address.version} AND v.file = ${file}
    WHERE p.space_id = ${address.spaceId}`;
  if (ofPrimary) return { row: await readRowOfPrimary<FileRow>(db, query), isFromPrimary: true };
  return readRow<FileRow>(db, query, (row) => foundIn(row, file, kind, now) !== null);
}

const spaceOf = ({ spaceName, aspectRatios, backgrounds, remoteUrl }: FileRow): FileSpace => ({
  spaceName,
  remoteUrl,
  aspectRatios: aspectRatiosIn(aspectRatios),
  backgrounds: backgroundsIn(backgrounds),
});

type Found = Omit<StoredFile, "mediaId">;

const goneOf = (row: FileRow, { version }: MasterAddress): FileLookup => ({
  kind: "gone",
  ...spaceOf(row),
  mayHaveBytes: row.variantBytes === null && row.presentVersion === version,
});

function foundIn(row: FileRow, file: string, kind: "master" | "variant", now: number): Found | null {
  const { masterFile, masterBytes, variantBytes, expiresAt } = row;
  if (kind === "master") {
    if (masterFile !== file || masterBytes === null) return null;
    // The master of a remote picture is its address; a drawing alone is served as it was rewritten (RULES 13.2).
    if (row.remoteUrl !== null && file !== masterFileOf("svg")) return null;
    return { ...spaceOf(row), sizeBytes: masterBytes, expiresAt: null };
  }
  if (masterFile === null || variantBytes === null || expiresAt === null || expiresAt <= now) return null;
  return { ...spaceOf(row), sizeBytes: variantBytes, expiresAt };
}

/**
 * Removes the row of a variant whose bytes are missing, so that the next request builds it again, and invalidates
 * redirects to it. False when D1 does not answer in time; the next request that finds the bytes missing then tries
 * again.
 */
export async function dropVariantRow(
  db: Database,
  address: MasterAddress,
  file: string,
  now: number,
): Promise<boolean> {
  const { spaceId, mediaId, version } = address;
  const isIt = sql`space_id = ${spaceId} AND media_id = ${mediaId} AND version = ${version} AND file = ${file}`;
  const statements = [
    invalidationStatement(sql`SELECT ${mediaTag(mediaId)} FROM variants WHERE ${isIt}`, "media", now),
    sql`DELETE FROM variants WHERE ${isIt}`,
  ];
  try {
    await inTime(batchSql(db, statements), CACHE.databasePatienceMs);
  } catch {
    return false;
  }
  cache.delete(keyOf(address, file));
  return true;
}
