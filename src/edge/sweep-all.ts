/** Sweeps all databases of the deployment, each on its own, and empties their outboxes of purges. */
import { SHARDS } from "../limits.ts";
import { spaceQueue, type Env } from "./config.ts";
import type { DrainReport } from "./purges/drain.ts";
import { purgeDue, purgeSoon, type PurgeContext } from "./purges/purge.ts";
import { databaseCount, directoryD1, shardD1, shardsOf } from "./shards/bindings.ts";
import { onEachShard, type Walked } from "./shards/walk.ts";
import { database } from "./storage/database/database.ts";
import { settleOldClaims } from "./sweep/claims.ts";
import { addReports, sweep, type SweepReport } from "./sweep/sweep.ts";

export interface SweptAll {
  report: SweepReport;
  purges: DrainReport;
}

const log = (event: Record<string, unknown>): void => console.error(JSON.stringify(event));

/** Returns what the databases that answered reported; the others are logged. */
function answersOf<T>(walked: Walked<T>[], work: string): T[] {
  return walked.flatMap((one) => {
    if (one.ok) return [one.value];
    log({ event: "database-failed", database: one.shard, work, reason: String(one.error) });
    return [];
  });
}

/** Throws nothing: a database that does not answer is left to the next minute. */
export async function sweepAll(env: Env, context: PurgeContext): Promise<SweptAll> {
  const purging = onEachShard(env, (shard) => purgeDue(env, shard, context), SHARDS.sweepMs);
  const now = Date.now();
  const swept = await onEachShard(env, (shard) => sweepShard(env, shard, now), SHARDS.sweepMs);
  const purges = answersOf(await purging, "purges");
  if (databaseCount(env) > 1) await settleClaimsOf(env, now);
  // The sweep itself changes edge copies: a schedule publishes.
  for (const shard of shardsOf(env)) purgeSoon(env, shard, context);
  return { report: addReports(answersOf(swept, "sweep")), purges: addDrains(purges) };
}

async function settleClaimsOf(env: Env, now: number): Promise<void> {
  try {
    await settleOldClaims(database(directoryD1(env)), (shard) => database(shardD1(env, shard)), now);
  } catch (error) {
    log({ event: "sweep-step-failed", step: "claims", reason: String(error) });
  }
}

const sweepShard = (env: Env, shard: number, now: number): Promise<SweepReport> =>
  sweep({
    db: database(shardD1(env, shard)),
    ...(databaseCount(env) > 1 && { directory: database(directoryD1(env)), shard }),
    bucket: env.BUCKET,
    now,
    clearQueue: (spaceId) => spaceQueue(env, spaceId).clear(),
    announce: (spaceId) => spaceQueue(env, spaceId).makePlaceholders(spaceId),
    log: (event) => log({ ...event, ...(shard > 0 && { database: shard }) }),
  });

const addDrains = (reports: DrainReport[]): DrainReport =>
  reports.reduce(
    (sum, { calls, tags, refused }) => ({
      calls: sum.calls + calls,
      tags: sum.tags + tags,
      refused: sum.refused + refused,
    }),
    { calls: 0, tags: 0, refused: 0 },
  );
