/** The sweep as the cron runs it, with a bucket that refuses what the deployed one refuses. */
import { database } from "../../../src/edge/storage/database/database.ts";
import { sweep, type SweepReport, type SweepTools } from "../../../src/edge/sweep/sweep.ts";
import { bindings } from "./rows.ts";
import { strictBucket } from "./strict-bucket.ts";

/** Runs it at `now`, in milliseconds. Tools that are given replace those of the test's own deployment. */
export const runSweep = (now: number, tools: Partial<SweepTools> = {}): Promise<SweepReport> =>
  sweep({
    db: database(bindings.DB),
    bucket: strictBucket(bindings.BUCKET),
    now,
    clearQueue: () => Promise.resolve(),
    announce: () => Promise.resolve(),
    log: () => undefined,
    ...tools,
  });
