/** Runs the sweep of one database of the deployment. */
import { spaceQueue, type Env } from "./config.ts";
import { SWEEP } from "../limits.ts";
import { invalidateSoon, type InvalidationContext } from "./invalidation/invalidate.ts";
import { metricsObject } from "./metrics/isolate.ts";
import { databaseCount, directoryD1, shardD1 } from "./shards/bindings.ts";
import { database } from "./storage/database/database.ts";
import { sweep, type SweepReport } from "./sweep/sweep.ts";

const log = (event: Record<string, unknown>): void => console.error(JSON.stringify(event));

/** @param queriesMax the queries of this run, if others of the same invocation make theirs */
export const sweepShard = (
  env: Env,
  shard: number,
  now: number,
  context: InvalidationContext,
  queriesMax: number = SWEEP.queriesMax,
): Promise<SweepReport> =>
  sweep({
    db: database(shardD1(env, shard)),
    ...(databaseCount(env) > 1 && { directory: database(directoryD1(env)), shard }),
    bucket: env.BUCKET,
    backups: env.BACKUPS,
    now,
    queriesMax,
    rememberRuns: (runs) => metricsObject(env).noteRuns(shard, runs),
    invalidate: () => invalidateSoon(env, shard, context),
    clearQueue: (spaceId) => spaceQueue(env, spaceId).clear(),
    announce: (spaceId) => spaceQueue(env, spaceId).makePlaceholders(spaceId),
    log: (event) => log({ ...event, ...(shard > 0 && { database: shard }) }),
  });
