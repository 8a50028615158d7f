/**
 * Runs several writes as one batch, each by the function that would make it alone. The batch of each write ("member")
 * waits until every member has reached its batch or has ended without one. Then all batches run as one transaction, in
 * the order of the members, and each member goes on with its own results. If a member fails before, nothing is run.
 */
import type { SQL } from "drizzle-orm";
import { prepareSql, type Database } from "./database.ts";

/** The error of a member's batch when another member failed. */
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

  /** The database for member `index`. It delays batches, and runs reads at once. */
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

  /** Notes that a member has ended; it had no batch unless its batch waits. */
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

/** A view of the object with one property replaced. */
const replaced = <T extends object>(target: T, name: keyof T, value: unknown): T =>
  new Proxy(target, {
    get: (_, property) => (property === name ? value : (Reflect.get(target, property) as unknown)),
  });

/**
 * Runs `writes` with one batch for all of them. Each result is what the write alone would return or throw.
 *
 * @param first statements that run in the batch before those of the writes
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
