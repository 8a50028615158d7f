/** What image delivery must know of a picture, in one D1 query, and kept for some seconds in the isolate. */
import { sql } from "drizzle-orm";
import { masterKey, type MasterAddress } from "../../image/model/variant.ts";
import type { MasterFacts } from "../../image/model/facts.ts";
import { CACHE } from "../../limits.ts";
import type { Database } from "./database.ts";
import { ExpiringMap } from "./expiring-map.ts";

export interface Picture extends MasterAddress {
  facts: MasterFacts;
  sizeBytes: number;
  masterKey: string;
  /** File names of the variants that are built and not expired. */
  variants: Set<string>;
}

interface PictureRow {
  spaceId: string;
  version: number;
  file: string;
  sizeBytes: number;
  facts: string;
  variants: string;
}

/** Reads a picture by any name its space has had; null when space or media are unknown, trashed or removed. */
export async function readPicture(
  db: Database,
  spaceName: string,
  mediaId: string,
  now: number,
): Promise<Picture | null> {
  const row = await db.get<PictureRow | undefined>(sql`
    SELECT m.space_id AS spaceId, ma.version, ma.file, ma.size_bytes AS sizeBytes, ma.facts,
      (SELECT json_group_array(v.file) FROM variants v
        WHERE v.media_id = ma.media_id AND v.version = ma.version AND v.expires_at > ${now}) AS variants
    FROM space_names n
    JOIN media m ON m.id = ${mediaId} AND m.space_id = n.space_id AND m.deleted_at IS NULL
    JOIN masters ma ON ma.media_id = m.id AND ma.version = m.master_version
    WHERE n.name = ${spaceName}`);
  if (!row) return null;
  const address = { spaceId: row.spaceId, mediaId, version: row.version };
  return {
    ...address,
    facts: JSON.parse(row.facts) as MasterFacts,
    sizeBytes: row.sizeBytes,
    masterKey: masterKey(address, row.file),
    variants: new Set(JSON.parse(row.variants) as string[]),
  };
}

/** Positive facts only: what does not exist is asked for again each time (completion §4). */
const cache = new ExpiringMap<Picture>(CACHE.factsMs, CACHE.factsMaxEntries);

export interface PictureSource {
  /** From the isolate's memory when it is fresh, else from D1. `cached` tells which. */
  get(spaceName: string, mediaId: string): Promise<{ picture: Picture; cached: boolean } | null>;
  /** From D1, whatever the isolate remembers. */
  refresh(spaceName: string, mediaId: string): Promise<Picture | null>;
}

export function pictureSource(db: Database, now: () => number): PictureSource {
  const refresh = async (spaceName: string, mediaId: string): Promise<Picture | null> => {
    const key = `${spaceName}/${mediaId}`;
    const asked = now();
    const picture = await readPicture(db, spaceName, mediaId, asked);
    if (picture) cache.set(key, picture, asked);
    else cache.delete(key);
    return picture;
  };
  return {
    async get(spaceName, mediaId) {
      const known = cache.get(`${spaceName}/${mediaId}`, now());
      if (known) return { picture: known, cached: true };
      const picture = await refresh(spaceName, mediaId);
      return picture && { picture, cached: false };
    },
    refresh,
  };
}

/** Forgets all that this isolate knows of a media item, under any of its space's names. */
export function forgetPicture(mediaId: string): void {
  cache.deleteWhere((picture) => picture.mediaId === mediaId);
}
