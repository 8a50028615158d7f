/** D1 whose connection is lost at a chosen moment: before a call, after it took effect, or inside a batch. */
import { ofRing } from "../../../support/ring.ts";

export interface Failure {
  /** The number of the round trip, from 0. */
  call: number;
  /** "after": the call took effect, but its answer is lost. A number: the batch fails before this statement. */
  at: "before" | "after" | number;
}

export interface FailingD1 {
  db: D1Database;
  /** Whether the failure happened. */
  failed(): boolean;
  /** The number of statements in the batch that the chosen call sent. 0 if it was not a batch. */
  batchStatements(): number;
}

/**
 * Runs `attempt` with each possible failure: before and after each call, and before each statement of each batch; in the
 * first ring, before every sixth of them. The failure before a call tells whether there is such a call and what it sends,
 * so no run is without a failure but the last.
 * @returns the number of possible failures
 */
export async function atEveryFailure(
  attempt: (failure: Failure) => Promise<Pick<FailingD1, "failed" | "batchStatements">>,
): Promise<number> {
  let failures = 0;
  for (let call = 0; ; call++) {
    const before = await attempt({ call, at: "before" });
    if (!before.failed()) return failures;
    const moments = ["after" as const, ...Array.from({ length: before.batchStatements() }, (_, at) => at)];
    for (const at of ofRing(moments, 6))
      if (!(await attempt({ call, at })).failed()) throw new Error(`${call} ${at} passed`);
    failures += 1 + moments.length;
  }
}

const RUNS = new Set<PropertyKey>(["all", "first", "run", "raw"]);
const INNER = Symbol("inner");

class Lost extends Error {
  override readonly name = "Lost";
}

export function failingD1(d1: D1Database, { call, at }: Failure): FailingD1 {
  let calls = 0;
  let failed = false;
  let batchStatements = 0;
  const lose = (): never => {
    failed = true;
    throw new Lost("the connection to D1 was lost");
  };

  async function through<T>(run: () => Promise<T>): Promise<T> {
    const mine = calls++ === call;
    if (mine && at === "before") lose();
    const result = await run();
    return mine && at === "after" ? lose() : result;
  }

  async function batch(statements: D1PreparedStatement[]): Promise<unknown> {
    const inner = statements.map((s) => (Reflect.get(s, INNER) as D1PreparedStatement | undefined) ?? s);
    if (calls === call) batchStatements = inner.length;
    if (typeof at !== "number" || calls !== call || at >= inner.length) return through(() => d1.batch(inner));
    calls += 1;
    failed = true;
    // An error of SQLite in the middle: D1 rolls back what went before.
    return d1.batch([...inner.slice(0, at), d1.prepare("SELECT json('not json')"), ...inner.slice(at)]);
  }

  const wrap = (statement: D1PreparedStatement): D1PreparedStatement =>
    new Proxy(statement, {
      get(target, property) {
        if (property === INNER) return target;
        const value = Reflect.get(target, property, target) as unknown;
        if (typeof value !== "function") return value;
        if (property === "bind") return (...values: unknown[]) => wrap(target.bind(...values));
        const apply = (args: unknown[]) => Reflect.apply(value, target, args) as Promise<unknown>;
        return (...args: unknown[]) => (RUNS.has(property) ? through(() => apply(args)) : apply(args));
      },
    });

  const db = new Proxy(d1, {
    get(target, property) {
      if (property === "prepare") return (query: string) => wrap(target.prepare(query));
      if (property === "batch") return batch;
      const value = Reflect.get(target, property, target) as unknown;
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
  return { db, failed: () => failed, batchStatements: () => batchStatements };
}
