/** Purges with the tools of this deployment. */
import type { Env } from "../config.ts";
import { PURGE } from "../../limits.ts";
import { database } from "../storage/database.ts";
import { drainPurges, type DrainReport, type DrainTools } from "./drain.ts";

/** The entrypoint whose copies are purged: a purge reaches no other entrypoint's. */
export interface PurgingEntrypoint {
  purge(tags: string[]): Promise<boolean>;
}

export interface PurgeContext {
  waitUntil(work: Promise<unknown>): void;
  readonly exports: unknown;
}

function toolsOf(env: Env, context: PurgeContext): DrainTools {
  return {
    db: database(env.DB),
    // Where nothing is kept, there is nothing to be purged.
    purge: (tags) =>
      env.EDGE_CACHE === "on"
        ? (context.exports as { Cached: PurgingEntrypoint }).Cached.purge(tags)
        : Promise.resolve(true),
    now: Date.now,
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    log: (event) => console.error(JSON.stringify(event)),
  };
}

/** Beside the answer to a change: purges what it made untrue, and again after the repeat's time. */
export function purgeSoon(env: Env, context: PurgeContext): void {
  const drained = drainPurges(toolsOf(env, context), PURGE.requestMs).catch((error: unknown) => {
    console.error(JSON.stringify({ event: "purge-drain-failed", reason: String(error) }));
  });
  context.waitUntil(drained);
}

/** For the sweep: what requests left behind, or could not purge within the platform's limits. */
export const purgeDue = (env: Env, context: PurgeContext): Promise<DrainReport> =>
  drainPurges(toolsOf(env, context), PURGE.sweepMs);
