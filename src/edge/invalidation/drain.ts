/** Empties the outbox of invalidations. The request that made a change calls it, and so does the sweep (RULES 10.7). */
import type { Database } from "../storage/database/database.ts";
import { deferTags, settleTags, takeTags } from "../storage/invalidation/outbox.ts";

export interface DrainTools {
  db: Database;
  /** How many databases share the platform's allowance; 1 if absent. */
  databases?: number;
  /** Makes one call of the platform. Returns false when the platform refuses it. */
  invalidate: (tags: string[]) => Promise<boolean>;
  /** The present time in milliseconds. */
  now: () => number;
  wait: (ms: number) => Promise<void>;
  log: (event: Record<string, unknown>) => void;
}

export interface DrainReport {
  calls: number;
  tags: number;
  refused: number;
}

/**
 * Calls the platform for the tags that are due, and for those that become due within `patienceMs`, such as repeats. Any
 * number of drains may run at once, here and in other isolates.
 * @throws what D1 throws; the rows then stay due
 */
export async function drainOutbox(tools: DrainTools, patienceMs: number): Promise<DrainReport> {
  const until = tools.now() + patienceMs;
  const report: DrainReport = { calls: 0, tags: 0, refused: 0 };
  for (;;) {
    const { tags: taken, nextAt } = await takeTags(
      tools.db,
      crypto.randomUUID(),
      tools.now(),
      tools.databases,
    );
    if (taken.length > 0) {
      const tags = taken.map(({ tag }) => tag);
      const isInvalidated = await attempt(tools, tags);
      report.calls += 1;
      if (isInvalidated) {
        report.tags += tags.length;
        await settleTags(tools.db, taken, tools.now());
      } else {
        report.refused += 1;
        await deferTags(tools.db, taken, tools.now());
      }
      continue;
    }
    if (nextAt === null || nextAt > until) return report;
    await tools.wait(Math.max(1, nextAt - tools.now()));
  }
}

async function attempt({ invalidate, log }: DrainTools, tags: string[]): Promise<boolean> {
  try {
    if (await invalidate(tags)) return true;
    log({ event: "invalidation-refused", tags: tags.length });
  } catch (error) {
    log({ event: "invalidation-failed", tags: tags.length, reason: String(error) });
  }
  return false;
}
