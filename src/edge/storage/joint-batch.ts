/**
 * Several writes as one batch, each by the function that makes it alone: a member's batch waits until every member has
 * come to its own, or has ended without one. Then all of them are run as one transaction, in the members' order, and
 * each goes on with its own results. When a member fails before that, nothing is run.
 */
import type { SQL } from "drizzle-orm";
import { prepareSql, type Database } from "./database.ts";

/** What a member's batch ends with when another member failed. */
export class Abandoned extends Error {
  override name = "Abandoned";
}

interface Waiting {
  statements: D1PreparedStatement[];
  resolve: (results: D1Result[]) => void;
  reject: (error: unknown) => void;
}

class JointBatch {
  readonly #db: Database;
  readonly #first: D1PreparedStatement[];
  readonly #members: number;
  readonly #waiting = new Map<number, Waiting>();
  #ended = 0;
  #hasFailed = false;

  constructor(db: Database, first: SQL[], members: number) {
    this.#db = db;
    this.#first = first.map((statement) => prepareSql(db, statement));
    this.#members = members;
  }

  /** The database as member `index` sees it: its reads are run at once. */
  databaseOf(index: number): Database {
    const batch = (statements: D1PreparedStatement[]): Promise<D1Result[]> =>
      new Promise((resolve, reject) => {
        if (this.#waiting.has(index)) throw new Error("A member of a joint batch may write once.");
        this.#waiting.set(index, { statements, resolve, reject });
        this.#runWhenAllAreThere();
      });
    const client = replaced(this.#db.$client, "batch", batch);
    return replaced(this.#db, "$client", client);
  }

  /** A member came to its end: without a batch of its own, unless it is among those that wait. */
  end(index: number, hasFailed: boolean): void {
    if (this.#waiting.has(index)) return;
    this.#ended += 1;
    this.#hasFailed ||= hasFailed;
    this.#runWhenAllAreThere();
  }

  #runWhenAllAreThere(): void {
    if (this.#ended + this.#waiting.size < this.#members) return;
    const waiting = [...this.#waiting].sort(([a], [b]) => a - b).map(([, one]) => one);
    if (this.#hasFailed) for (const { reject } of waiting) reject(new Abandoned("Another write failed."));
    else void this.#run(waiting);
  }

  async #run(waiting: Waiting[]): Promise<void> {
    const statements = [...this.#first, ...waiting.flatMap((one) => one.statements)];
    try {
      const results = waiting.length === 0 ? [] : await this.#db.$client.batch(statements);
      let at = this.#first.length;
      for (const { statements: own, resolve } of waiting) resolve(results.slice(at, (at += own.length)));
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }
}

/** The object with one property replaced. */
const replaced = <T extends object>(target: T, name: keyof T, value: unknown): T =>
  new Proxy(target, {
    get: (_, property) => (property === name ? value : (Reflect.get(target, property) as unknown)),
  });

/**
 * Runs `writes` so that all of their batches are one, `first` before them. Each settles as it would alone.
 *
 * @param first statements that are run before those of the writes
 */
export function runJointly<T>(
  db: Database,
  first: SQL[],
  writes: readonly ((db: Database) => Promise<T>)[],
): Promise<PromiseSettledResult<T>[]> {
  const joint = new JointBatch(db, first, writes.length);
  const running = writes.map(async (write, index) => {
    try {
      const result = await write(joint.databaseOf(index));
      joint.end(index, false);
      return result;
    } catch (error) {
      joint.end(index, true);
      throw error;
    }
  });
  return Promise.allSettled(running);
}
