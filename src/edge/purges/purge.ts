/** Makes purges with the bindings of this deployment. */
import type { Env } from "../config.ts";
import { databaseCount, shardD1 } from "../shards/bindings.ts";
import { PURGE } from "../../limits.ts";
import { database } from "../storage/database/database.ts";
import { drainPurges, type DrainReport, type DrainTools } from "./drain.ts";

/** The entrypoint whose copies are purged. A purge does not reach the copies of another entrypoint. */
export interface PurgingEntrypoint {
  purge(tags: string[]): Promise<boolean>;
}

export interface PurgeContext {
  waitUntil(work: Promise<unknown>): void;
  readonly exports: unknown;
}

function toolsOf(env: Env, shard: number, context: PurgeContext): DrainTools {
  return {
    db: database(shardD1(env, shard)),
    databases: databaseCount(env),
    // A deployment that says that it has no edge cache has nothing to purge.
    purge: (tags) =>
      env.EDGE_CACHE === "on"
        ? (context.exports as { Cached: PurgingEntrypoint }).Cached.purge(tags)
        : Promise.resolve(true),
    now: Date.now,
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    log: (event) => console.error(JSON.stringify(event)),
  };
}

/** Makes the purges of a change in this database beside its answer, and repeats them. */
export function purgeSoon(env: Env, shard: number, context: PurgeContext): void {
  const drained = drainPurges(toolsOf(env, shard, context), PURGE.requestMs).catch((error: unknown) => {
    console.error(JSON.stringify({ event: "purge-drain-failed", reason: String(error) }));
  });
  context.waitUntil(drained);
}

/** Makes the purges that requests did not finish, or could not make within the platform's limits. For the sweep. */
export const purgeDue = (env: Env, shard: number, context: PurgeContext): Promise<DrainReport> =>
  drainPurges(toolsOf(env, shard, context), PURGE.sweepMs);
