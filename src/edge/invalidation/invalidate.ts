/** Invalidates edge copies with the bindings of this deployment. */
import type { Env } from "../config.ts";
import { databaseCount, shardD1 } from "../shards/bindings.ts";
import { INVALIDATION } from "../../limits.ts";
import { database } from "../storage/database/database.ts";
import { drainOutbox, type DrainReport, type DrainTools } from "./drain.ts";

/** The entrypoint whose copies are invalidated. An invalidation does not reach the copies of another entrypoint. */
export interface InvalidatingEntrypoint {
  invalidate(tags: string[]): Promise<boolean>;
}

export interface InvalidationContext {
  waitUntil(work: Promise<unknown>): void;
  readonly exports: unknown;
}

function toolsOf(env: Env, shard: number, context: InvalidationContext): DrainTools {
  return {
    db: database(shardD1(env, shard)),
    databases: databaseCount(env),
    // A deployment that says that it has no edge cache has nothing to invalidate.
    invalidate: (tags) =>
      env.EDGE_CACHE === "on"
        ? (context.exports as { Cached: InvalidatingEntrypoint }).Cached.invalidate(tags)
        : Promise.resolve(true),
    now: Date.now,
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    log: (event) => console.error(JSON.stringify(event)),
  };
}

/** Invalidates the copies that a change in this database made untrue, beside its answer, and once more. */
export function invalidateSoon(env: Env, shard: number, context: InvalidationContext): void {
  const drained = drainOutbox(toolsOf(env, shard, context), INVALIDATION.requestMs).catch(
    (error: unknown) => {
      console.error(JSON.stringify({ event: "invalidation-drain-failed", reason: String(error) }));
    },
  );
  context.waitUntil(drained);
}

/** Invalidates the copies that requests did not, or could not within the platform's limits. The sweep calls it. */
export const invalidateDue = (env: Env, shard: number, context: InvalidationContext): Promise<DrainReport> =>
  drainOutbox(toolsOf(env, shard, context), INVALIDATION.sweepMs);
