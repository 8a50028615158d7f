/** What the routes of immutable files must know of one: that its media is there, its size, when it expires. */
import { sql } from "drizzle-orm";
import type { MasterAddress } from "../../image/model/variant.ts";
import { CACHE } from "../../limits.ts";
import type { Database } from "./database.ts";
import { ExpiringMap } from "./expiring-map.ts";
import { inTime } from "./in-time.ts";
import { readRow, readRowOfPrimary, type Read, type ReadDatabase, type ReadFrom } from "./read-database.ts";

export interface StoredFile {
  mediaId: string;
  spaceName: string;
  sizeBytes: number;
  /** Milliseconds; null for a master. */
  expiresAt: number | null;
}

export type FileLookup =
  | { kind: "file"; file: StoredFile; from: ReadFrom }
  /** The media is there, this variant is not: expired, evicted, or never built. */
  | { kind: "gone"; spaceName: string }
  | { kind: "unknown" };

interface FileRow {
  spaceName: string;
  masterFile: string | null;
  masterBytes: number | null;
  variantBytes: number | null;
  expiresAt: number | null;
}

const cache = new ExpiringMap<StoredFile>(CACHE.factsMs, CACHE.factsMaxEntries, CACHE.heldMs);

const keyOf = (a: MasterAddress, file: string): string => `${a.spaceId}/${a.mediaId}/${a.version}/${file}`;

/** Forgets every file of a media item that this isolate knows. */
export const forgetFiles = (mediaId: string): void => cache.deleteWhere((file) => file.mediaId === mediaId);

/**
 * One D1 query, none when the isolate saw the file within some seconds (positive facts only). Of the nearest replica,
 * and of the primary where that does not have the file.
 *
 * @param ofPrimary asks the primary, whatever the isolate remembers
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
  const stored = foundIn(row, file, kind);
  if (!stored) return kind === "master" ? { kind: "unknown" } : { kind: "gone", spaceName: row.spaceName };
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
    SELECT s.name AS spaceName, ma.file AS masterFile, ma.size_bytes AS masterBytes,
      v.size_bytes AS variantBytes, v.expires_at AS expiresAt
    FROM media m
    JOIN spaces s ON s.id = m.space_id AND s.removed_at IS NULL
    LEFT JOIN masters ma ON ma.media_id = m.id AND ma.version = ${address.version}
    LEFT JOIN variants v ON v.media_id = m.id AND v.version = ${address.version} AND v.file = ${file}
      AND v.expires_at > ${now}
    WHERE m.id = ${address.mediaId} AND m.space_id = ${address.spaceId} AND m.deleted_at IS NULL`;
  if (ofPrimary) return { row: await readRowOfPrimary<FileRow>(db, query), isFromPrimary: true };
  return readRow<FileRow>(db, query, (row) => foundIn(row, file, kind) !== null);
}

type Found = Omit<StoredFile, "mediaId">;

function foundIn(row: FileRow, file: string, kind: "master" | "variant"): Found | null {
  const { spaceName, masterFile, masterBytes, variantBytes, expiresAt } = row;
  if (kind === "master") {
    if (masterFile !== file || masterBytes === null) return null;
    return { spaceName, sizeBytes: masterBytes, expiresAt: null };
  }
  if (masterFile === null || variantBytes === null) return null;
  return { spaceName, sizeBytes: variantBytes, expiresAt };
}

/** Forgets a variant whose bytes turned out to be missing, so that it is built again when asked for. */
export async function dropVariantRow(db: Database, address: MasterAddress, file: string): Promise<void> {
  cache.delete(keyOf(address, file));
  await db.run(sql`
    DELETE FROM variants WHERE media_id = ${address.mediaId} AND version = ${address.version} AND file = ${file}`);
}
