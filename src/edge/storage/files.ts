/** What the CDN route must know of a stored file: that its media is there, its size, when it expires. */
import { sql } from "drizzle-orm";
import type { MasterAddress } from "../../image/model/variant.ts";
import { CACHE } from "../../limits.ts";
import type { Database } from "./database.ts";
import { ExpiringMap } from "./expiring-map.ts";

export interface StoredFile {
  mediaId: string;
  spaceName: string;
  sizeBytes: number;
  /** Milliseconds; null for a master. */
  expiresAt: number | null;
}

export type FileLookup =
  | { kind: "file"; file: StoredFile }
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

const cache = new ExpiringMap<StoredFile>(CACHE.factsMs, CACHE.factsMaxEntries);

const keyOf = (a: MasterAddress, file: string): string => `${a.spaceId}/${a.mediaId}/${a.version}/${file}`;

/** Forgets every file of a media item that this isolate knows. */
export const forgetFiles = (mediaId: string): void => cache.deleteWhere((file) => file.mediaId === mediaId);

/** One D1 query, none when the isolate saw the file within some seconds (positive facts only). */
export async function findFile(
  db: Database,
  address: MasterAddress,
  file: string,
  kind: "master" | "variant",
  now: number,
): Promise<FileLookup> {
  const key = keyOf(address, file);
  const known = cache.get(key, now);
  if (known) return { kind: "file", file: known };
  const row = await db.get<FileRow | undefined>(sql`
    SELECT s.name AS spaceName, ma.file AS masterFile, ma.size_bytes AS masterBytes,
      v.size_bytes AS variantBytes, v.expires_at AS expiresAt
    FROM media m
    JOIN spaces s ON s.id = m.space_id AND s.removed_at IS NULL
    LEFT JOIN masters ma ON ma.media_id = m.id AND ma.version = ${address.version}
    LEFT JOIN variants v ON v.media_id = m.id AND v.version = ${address.version} AND v.file = ${file}
      AND v.expires_at > ${now}
    WHERE m.id = ${address.mediaId} AND m.space_id = ${address.spaceId} AND m.deleted_at IS NULL`);
  if (!row) return { kind: "unknown" };
  const stored = kind === "master" ? masterOf(row, file) : variantOf(row);
  const found = stored && { ...stored, mediaId: address.mediaId };
  if (!found) return kind === "master" ? { kind: "unknown" } : { kind: "gone", spaceName: row.spaceName };
  cache.set(key, found, now);
  return { kind: "file", file: found };
}

type Found = Omit<StoredFile, "mediaId">;

function masterOf({ spaceName, masterFile, masterBytes }: FileRow, file: string): Found | null {
  return masterFile === file && masterBytes !== null
    ? { spaceName, sizeBytes: masterBytes, expiresAt: null }
    : null;
}

function variantOf({ spaceName, masterFile, variantBytes, expiresAt }: FileRow): Found | null {
  if (masterFile === null || variantBytes === null) return null;
  return { spaceName, sizeBytes: variantBytes, expiresAt };
}

/** Forgets a variant whose bytes turned out to be missing, so that it is built again when asked for. */
export async function dropVariantRow(db: Database, address: MasterAddress, file: string): Promise<void> {
  cache.delete(keyOf(address, file));
  await db.run(sql`
    DELETE FROM variants WHERE media_id = ${address.mediaId} AND version = ${address.version} AND file = ${file}`);
}
