/**
 * Decides whether the edge keeps a 404 of image delivery (RULES 7.8): only that of a picture in the trash, which is
 * invalidated when the picture is restored. A picture that was never there may be uploaded at any time.
 */
import { ApiError } from "../../errors.ts";
import { CACHE } from "../../limits.ts";
import { shardD1 } from "../shards/bindings.ts";
import { lookInSpace } from "../shards/where.ts";
import { ExpiringMap } from "../storage/database/expiring-map.ts";
import { mediaTag } from "../storage/invalidation/tags.ts";
import { isInTrash } from "../storage/media/media.ts";
import { readDatabase } from "../storage/database/read-database.ts";
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
  if (asked.kind === "remote") return NOT_KEPT;
  const now = Date.now();
  const mediaId = "file" in asked ? asked.address.mediaId : asked.mediaId;
  const space = "file" in asked ? { id: asked.address.spaceId } : { name: asked.spaceName };
  const key = `${"id" in space ? space.id : space.name}/${mediaId}`;
  if (notInTrash.get(key, now)) return NOT_KEPT;
  const isTrashed = lookInSpace(
    env,
    space,
    queryCount,
    (shard) => isInTrash(readDatabase(shardD1(env, shard), queryCount), space, mediaId),
    { isFound: () => true, absent: false },
  );
  if (!(await isTrashed.catch(() => false))) {
    notInTrash.set(key, true, now);
    return NOT_KEPT;
  }
  const control = `public, max-age=${CACHE.edgeSeconds}`;
  return { control, tags: [mediaTag(mediaId)], isWorthAsking: false };
}
