/** The part of several databases in the routes of spaces (RULES 12.1, 12.3). */
import { ApiError } from "../../../errors.ts";
import { SHARDS } from "../../../limits.ts";
import { openShard, type AppContext } from "../../http/context.ts";
import { databaseCount } from "../../shards/bindings.ts";
import { emptiestShard } from "../../shards/sizes.ts";
import { onEachShard } from "../../shards/walk.ts";
import type { Space } from "../../spaces/authorize.ts";
import type { Databases } from "../../spaces/spaces.ts";
import { readSize } from "../../storage/shards/size.ts";
import { listSpaceRows } from "../../storage/spaces/spaces.ts";

/** Returns the databases of a space that stands, or is to stand, on this shard. */
export const databasesOf = (c: AppContext, shard: number): Databases => ({
  shard,
  db: openShard(c, shard),
  directory: shard === 0 ? null : openShard(c, 0),
});

const unavailable = (message: string, cause?: unknown): ApiError =>
  new ApiError("UNAVAILABLE", message, { cause, headers: { "Retry-After": "1" } });

/** @throws ApiError VALIDATION_FAILED when the deployment has no such database */
export function askedShard(c: AppContext, shard: number): number {
  const count = databaseCount(c.env);
  if (shard < count) return shard;
  throw new ApiError("VALIDATION_FAILED", "The body does not fit; see details.", {
    details: [{ path: "shard", message: `must be below ${count}, the number of databases` }],
  });
}

/** Returns the database with the fewest bytes among those that answer. @throws ApiError UNAVAILABLE if none does */
export async function shardForNew(c: AppContext): Promise<number> {
  if (databaseCount(c.env) === 1) return 0;
  const sizes = await onEachShard(c.env, (shard) => readSize(openShard(c, shard)), SHARDS.patienceMs);
  const shard = emptiestShard(sizes);
  if (shard === null) throw unavailable("No database answers at the moment. Try again.");
  return shard;
}

export interface ListedSpace {
  space: Space;
  shard: number;
  databaseBytes: number;
}

/**
 * Returns at most `limit` spaces of all databases with ids below `beforeId`, newest first.
 * @throws ApiError UNAVAILABLE when one of several databases does not answer: the list would leave its spaces out
 */
export async function listSpaces(
  c: AppContext,
  limit: number,
  beforeId: string | null,
): Promise<ListedSpace[]> {
  const walked = await onEachShard(
    c.env,
    (shard) => listSpaceRows(openShard(c, shard), limit, beforeId),
    SHARDS.patienceMs,
  );
  const listed = walked.flatMap((one) => {
    if (!one.ok)
      throw unavailable(`Database ${one.shard} does not answer at the moment. Try again.`, one.error);
    const { rows, databaseBytes } = one.value;
    return rows.map((space): ListedSpace => ({ space, shard: one.shard, databaseBytes }));
  });
  return listed.toSorted((a, b) => (a.space.id < b.space.id ? 1 : -1)).slice(0, limit);
}
