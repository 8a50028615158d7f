/** The sweep as the cron runs it, with a bucket that refuses what the deployed one refuses. */
import { database } from "../../../src/edge/storage/database/database.ts";
import { sweep, type SweepReport, type SweepTools } from "../../../src/edge/sweep/sweep.ts";
import { bindings } from "./rows.ts";
import { inOneInvocation } from "./bindings/deployed-d1.ts";
import { strictBucket } from "./bindings/strict-bucket.ts";

/** Runs it at `now`, in milliseconds. Tools that are given replace those of the test's own deployment. */
export const runSweep = (now: number, tools: Partial<SweepTools> = {}): Promise<SweepReport> =>
  inOneInvocation(() =>
    sweep({
      db: database(bindings.DB),
      bucket: strictBucket(bindings.BUCKET),
      now,
      invalidate: () => undefined,
      clearQueue: () => Promise.resolve(),
      announce: () => Promise.resolve(),
      log: () => undefined,
      ...tools,
    }),
  );
