/**
 * Decides whether the edge keeps a 404 of image delivery (RULES 7.8): only that of a picture in the trash, which is
 * purged when the picture is restored. A picture that was never there may be uploaded at any time.
 */
import { sql } from "drizzle-orm";
import { ApiError } from "../../errors.ts";
import { CACHE } from "../../limits.ts";
import { ExpiringMap } from "../storage/database/expiring-map.ts";
import { mediaTag } from "../storage/invalidation/purge-tags.ts";
import { readDatabase, readRowOfPrimary } from "../storage/database/read-database.ts";
import type { Call } from "./call.ts";
import { NOT_KEPT, type EdgeCopy } from "./edge-copy.ts";
import type { Asked } from "./target.ts";

export const isNotFound = (error: unknown): boolean =>
  error instanceof ApiError && error.code === "NOT_FOUND";

/** Media that lately were not in the trash, so that requests for unknown pictures cost no query each. */
const notInTrash = new ExpiringMap<true>(CACHE.missingMs, CACHE.factsMaxEntries);

/** Returns the edge copy of a 404, by what the primary says now. */
export async function copyOfMissing(
  asked: Asked,
  { env, queryCount }: Pick<Call, "env" | "queryCount">,
): Promise<EdgeCopy> {
  const now = Date.now();
  const mediaId = "file" in asked ? asked.address.mediaId : asked.mediaId;
  if (notInTrash.get(mediaId, now)) return NOT_KEPT;
  const inTrash = sql`SELECT 1 FROM media WHERE id = ${mediaId} AND deleted_at IS NOT NULL`;
  const row = await readRowOfPrimary(readDatabase(env.DB, queryCount), inTrash).catch(() => null);
  if (!row) {
    notInTrash.set(mediaId, true, now);
    return NOT_KEPT;
  }
  const control = `public, max-age=${CACHE.edgeSeconds}`;
  return { control, tags: [mediaTag(mediaId)], isWorthAsking: false };
}
