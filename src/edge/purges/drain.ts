/** Empties the outbox of purges. The request that made a change calls it, and so does the sweep (RULES 10.7). */
import type { Database } from "../storage/database/database.ts";
import { deferPurges, settlePurges, takePurges } from "../storage/invalidation/purges.ts";

export interface DrainTools {
  db: Database;
  /** How many databases share the platform's allowance; 1 if absent. */
  databases?: number;
  /** Makes one call of the platform. False when it was refused. */
  purge: (tags: string[]) => Promise<boolean>;
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
 * Makes the purges that are due, and those that become due within `patienceMs`, such as repeats. Any number of drains
 * may run at once, here and in other isolates.
 * @throws what D1 throws; the rows then stay due
 */
export async function drainPurges(tools: DrainTools, patienceMs: number): Promise<DrainReport> {
  const until = tools.now() + patienceMs;
  const report: DrainReport = { calls: 0, tags: 0, refused: 0 };
  for (;;) {
    const { purges, nextAt } = await takePurges(tools.db, crypto.randomUUID(), tools.now(), tools.databases);
    if (purges.length > 0) {
      const tags = purges.map(({ tag }) => tag);
      const isPurged = await attempt(tools, tags);
      report.calls += 1;
      if (isPurged) {
        report.tags += tags.length;
        await settlePurges(tools.db, purges, tools.now());
      } else {
        report.refused += 1;
        await deferPurges(tools.db, purges, tools.now());
      }
      continue;
    }
    if (nextAt === null || nextAt > until) return report;
    await tools.wait(Math.max(1, nextAt - tools.now()));
  }
}

async function attempt({ purge, log }: DrainTools, tags: string[]): Promise<boolean> {
  try {
    if (await purge(tags)) return true;
    log({ event: "purge-refused", tags: tags.length });
  } catch (error) {
    log({ event: "purge-failed", tags: tags.length, reason: String(error) });
  }
  return false;
}
