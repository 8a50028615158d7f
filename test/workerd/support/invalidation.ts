/** The outbox of invalidations, drained on a clock of the test's own, by a platform that the test controls. */
import { database, batchSql, type Database } from "../../../src/edge/storage/database/database.ts";
import {
  invalidationStatement,
  type InvalidationRank,
} from "../../../src/edge/storage/invalidation/outbox.ts";
import { drainOutbox, type DrainReport } from "../../../src/edge/invalidation/drain.ts";
import { sql } from "drizzle-orm";
import { bindings } from "./rows.ts";

/**
 * Milliseconds. Far ahead of the real clock: by that one, nothing is due for the drains that the requests of earlier
 * tests go on with beside their answers.
 */
export const START_MS = 4_000_000_000_000;

export interface InvalidationCall {
  at: number;
  tags: string[];
}

export class Platform {
  readonly calls: InvalidationCall[] = [];
  /** Milliseconds; moved by waits alone. */
  now = START_MS;
  /** Answers the next calls; then every call goes through. */
  readonly answers: (boolean | Error)[] = [];
  /** Runs while a call is under way. */
  during: (() => Promise<void>) | null = null;
  readonly db: Database;

  constructor(db: D1Database = bindings.DB) {
    this.db = database(db);
  }

  async change(tags: string[], rank: InvalidationRank = "media"): Promise<void> {
    const list = sql`SELECT value FROM json_each(${JSON.stringify(tags)})`;
    await batchSql(this.db, [invalidationStatement(list, rank, this.now)]);
  }

  drain(patienceMs = 0): Promise<DrainReport> {
    const invalidate = async (tags: string[]): Promise<boolean> => {
      this.calls.push({ at: this.now, tags: tags.sort() });
      await this.during?.();
      const answer = this.answers.shift() ?? true;
      if (typeof answer === "boolean") return answer;
      throw answer;
    };
    const wait = (ms: number): Promise<void> => {
      this.now += ms;
      return Promise.resolve();
    };
    const tools = { db: this.db, invalidate, now: () => this.now, wait, log: () => undefined };
    return drainOutbox(tools, patienceMs);
  }
}

export const waitingTags = async (): Promise<string[]> =>
  (await bindings.DB.prepare("SELECT tag FROM purges ORDER BY tag").all<{ tag: string }>()).results.map(
    ({ tag }) => tag,
  );
