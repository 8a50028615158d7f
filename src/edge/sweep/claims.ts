/** The sweep's part of the directory: names that were claimed for spaces of further shards (RULES 12.3). */
import { inTime } from "../../in-time.ts";
import { SHARDS } from "../../limits.ts";
import type { Database } from "../storage/database/database.ts";
import { findClaimed, listClaims, settleClaims } from "../storage/shards/directory.ts";

/**
 * Settles claims that are old enough to be written on their shard, and frees those that a crash has left in the
 * directory alone. A shard that does not answer is left to the next run. @returns how many claims were looked at
 */
export async function settleOldClaims(
  directory: Database,
  openShard: (shard: number) => Database,
  now: number,
): Promise<number> {
  const claims = await listClaims(directory, now - SHARDS.claimMs, SHARDS.claimsPerSweep);
  const settle = async (shard: number): Promise<number> => {
    const some = claims.filter((claim) => claim.shard === shard);
    const looking = findClaimed(openShard(shard), some);
    await settleClaims(directory, some, await inTime(looking, SHARDS.patienceMs));
    return some.length;
  };
  const shards = [...new Set(claims.map(({ shard }) => shard))];
  const settled = await Promise.allSettled(shards.map(settle));
  return settled.reduce((sum, one) => sum + (one.status === "fulfilled" ? one.value : 0), 0);
}
