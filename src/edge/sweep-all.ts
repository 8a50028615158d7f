/** Sweeps all databases of the deployment, each on its own, and empties their outboxes of invalidations. */
import { MOVE, SHARDS, SWEEP, WEBHOOKS } from "../limits.ts";
import { spaceQueue, type Env } from "./config.ts";
import type { DrainReport } from "./invalidation/drain.ts";
import { invalidateDue, invalidateSoon, type InvalidationContext } from "./invalidation/invalidate.ts";
import { databaseCount, directoryD1, shardD1 } from "./shards/bindings.ts";
import { driving } from "./shards/moves/move.ts";
import { sweepMoves, type MovesSwept } from "./shards/moves/sweep.ts";
import { onEachShard, type Walked } from "./shards/walk.ts";
import { database } from "./storage/database/database.ts";
import { settleOldClaims } from "./sweep/claims.ts";
import type { DueWebhook } from "./storage/webhooks/deliveries.ts";
import { dueOfShard, startRounds, wake } from "./webhooks/wake.ts";
import { addReports, type SweepReport } from "./sweep/sweep.ts";
import { sweepShard } from "./sweep-shard.ts";
import type { SweeperApi } from "./sweeper.ts";

export interface SweptAll {
  report: SweepReport;
  invalidations: DrainReport;
  /** The webhooks whose deliveries were started. */
  rounds?: number;
  /** The work done on moves, where there are several databases. */
  moves?: MovesSwept[];
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
export async function sweepAll(env: Env, context: InvalidationContext): Promise<SweptAll> {
  const invalidating = onEachShard(env, (shard) => invalidateDue(env, shard, context), SHARDS.sweepMs);
  const starting = startWebhooks(env, context);
  const now = Date.now();
  const moving = databaseCount(env) > 1 ? moveSpaces(env) : null;
  const sweepThenInvalidate = async (shard: number): Promise<SweepReport> => {
    try {
      return await sweepOne(env, shard, now, context);
    } finally {
      // The sweep itself changes edge copies, also where it fails later on or does not answer. Another database, which may
      // not answer, is not waited for.
      invalidateSoon(env, shard, context);
    }
  };
  const swept = await onEachShard(env, sweepThenInvalidate, SHARDS.sweepMs);
  const invalidations = answersOf(await invalidating, "invalidations");
  if (databaseCount(env) > 1) await settleClaimsOf(env, now);
  await wakeSwept(env);
  const moves = (await moving) ?? [];
  const rounds = await starting;
  return {
    ...(moves.length > 0 && { moves }),
    ...(rounds > 0 && { rounds }),
    report: addReports(answersOf(swept, "sweep")),
    invalidations: addDrains(invalidations),
  };
}

/** Returns webhooks of all databases that no message has woken, or whose time has come. */
async function dueWebhooks(env: Env): Promise<DueWebhook[]> {
  const walked = await onEachShard(env, (shard) => dueOfShard(env, shard), SHARDS.patienceMs);
  const due = answersOf(walked, "webhooks").flat();
  // In no order, so that no database goes short for long.
  return due.sort(() => Math.random() - 0.5).slice(0, WEBHOOKS.startedMax);
}

/** Starts deliveries of webhooks before the sweep's own work, which may take minutes. @returns how many */
const startWebhooks = async (env: Env, context: InvalidationContext): Promise<number> =>
  startRounds(context, await dueWebhooks(env));

/** Wakes the spaces in which the sweep itself has changed something. */
async function wakeSwept(env: Env): Promise<void> {
  const spaceIds = new Set((await dueWebhooks(env)).map(({ spaceId }) => spaceId));
  await Promise.all([...spaceIds].map((spaceId) => wake(env, spaceId)));
}

/** Drives the moves of each database, beside the sweep: a move takes longer than what has a time. */
async function moveSpaces(env: Env): Promise<MovesSwept[]> {
  // All databases share the queries that this invocation may make for moves. The copies have invocations of their own.
  const count = { queries: 0 };
  const work = (shard: number): Promise<MovesSwept> =>
    sweepMoves(env, shard, {
      ...driving(MOVE.runMs, log),
      count,
      advance: (spaceId) => spaceQueue(env, spaceId).workOnMove(spaceId, shard),
    });
  const moves = answersOf(await onEachShard(env, work, SHARDS.sweepMs), "moves");
  return moves.filter((one) => Object.values(one).some((count) => count > 0));
}

async function settleClaimsOf(env: Env, now: number): Promise<void> {
  try {
    await settleOldClaims(database(directoryD1(env)), (shard) => database(shardD1(env, shard)), now);
  } catch (error) {
    log({ event: "sweep-step-failed", step: "claims", reason: String(error) });
  }
}

/**
 * Sweeps one database: the only one in this invocation, one of several in an invocation of its own. Without the binding, as
 * in the time of a deploy, the databases share the queries of this one.
 */
function sweepOne(env: Env, shard: number, now: number, context: InvalidationContext): Promise<SweepReport> {
  const databases = databaseCount(env);
  if (databases === 1 || !env.SWEEPER)
    return sweepShard(env, shard, now, context, Math.floor(SWEEP.queriesMax / databases));
  const stub = env.SWEEPER.get(env.SWEEPER.idFromName(String(shard))) as unknown as SweeperApi;
  return stub.sweep(shard, now);
}

const addDrains = (reports: DrainReport[]): DrainReport =>
  reports.reduce(
    (sum, { calls, tags, refused }) => ({
      calls: sum.calls + calls,
      tags: sum.tags + tags,
      refused: sum.refused + refused,
    }),
    { calls: 0, tags: 0, refused: 0 },
  );
