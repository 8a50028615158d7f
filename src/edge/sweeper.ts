/**
 * Sweeps one database in an invocation of its own, where a deployment has several (RULES 10.11): D1 takes 1,000 queries in an
 * invocation, which would leave each of 32 databases some 25 a minute. The object keeps nothing.
 */
import { DurableObject } from "cloudflare:workers";
import type { Env } from "./config.ts";
import { sweepShard } from "./sweep-shard.ts";
import type { SweepReport } from "./sweep/sweep.ts";

export interface SweeperApi {
  /** Runs the sweep of the database `shard`. */
  sweep(shard: number, now: number): Promise<SweepReport>;
}

export class Sweeper extends DurableObject<Env> implements SweeperApi {
  sweep(shard: number, now: number): Promise<SweepReport> {
    return sweepShard(this.env, shard, now, this.ctx);
  }
}
