/** D1 whose connection is lost at a chosen moment: before a call, after it took effect, or inside a batch. */
import { inject } from "vitest";
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
  /** All calls so far. */
  made(): readonly MadeCall[];
}

type Attempt = (failure: Failure) => Promise<Pick<FailingD1, "failed" | "batchStatements" | "made">>;

/**
 * Runs `attempt` with each possible failure: before and after each call, and before each statement of each batch. In the
 * first ring, with every sixth of them.
 * @returns the number of possible failures
 */
export const atEveryFailure = (attempt: Attempt): Promise<number> =>
  inject("ring") === "first" ? atSomeFailures(attempt) : atAllFailures(attempt);

/**
 * Runs `attempt` with all failures. The failure before a call tells whether there is such a call and what it sends, so no
 * run is without a failure but the last.
 */
async function atAllFailures(attempt: Attempt): Promise<number> {
  let failures = 0;
  for (let call = 0; ; call++) {
    const before = await attempt({ call, at: "before" });
    if (!before.failed()) return failures;
    const moments = ["after" as const, ...Array.from({ length: before.batchStatements() }, (_, at) => at)];
    for (const at of moments)
      if (!(await attempt({ call, at })).failed()) throw new Error(`${call} ${at} passed`);
    failures += 1 + moments.length;
  }
}

/** The failure that never comes, since no process makes so many calls. */
const NEVER: Failure = { call: Infinity, at: "before" };

/**
 * Runs `attempt` with a sample of all failures, some of each kind. A run without a failure tells which there are. Later
 * ones may make fewer calls behind the change, since the isolate remembers what was read, so a failure of the sample may
 * find no call.
 */
async function atSomeFailures(attempt: Attempt): Promise<number> {
  await attempt({ call: 0, at: "before" });
  const { made } = await attempt(NEVER);
  const calls = [...made().entries()];
  const at = (moment: "before" | "after"): Failure[] => calls.map(([call]) => ({ call, at: moment }));
  const within = calls.flatMap(([call, { statements, isBatch }]): Failure[] =>
    Array.from({ length: isBatch ? statements : 0 }, (_, statement) => ({ call, at: statement })),
  );
  // The last one first, which all changes are before.
  const kinds = [at("before"), at("after").toReversed(), within];
  const sample = kinds.flatMap((kind) => ofRing(kind, 6));
  let found = 0;
  for (const failure of sample) if ((await attempt(failure)).failed()) found += 1;
  if (found < sample.length / 2) throw new Error(`${found} of ${sample.length} failures found a call`);
  return kinds.flat().length;
}

const RUNS = new Set<PropertyKey>(["all", "first", "run", "raw"]);
const INNER = Symbol("inner");

class Lost extends Error {
  override readonly name = "Lost";
}

/** A call that was begun. */
export interface MadeCall {
  /** The number of its statements. */
  statements: number;
  /** Whether they were sent together, to be carried out all or none. */
  isBatch: boolean;
  /** Whether it may change something: one of its statements is not a `SELECT`. */
  writes: boolean;
}

/** The calls of one process, which may use several databases. */
export interface Process {
  calls: number;
  made: MadeCall[];
  failed: boolean;
  batchStatements: number;
  /** Whether the process ends with the failure: it makes no further call. */
  dies: boolean;
}

export const newProcess = (dies: boolean): Process => ({
  calls: 0,
  made: [],
  failed: false,
  batchStatements: 0,
  dies,
});

/** A prepared statement and its text. */
interface Inner {
  statement: D1PreparedStatement;
  query: string;
}

const madeCall = (queries: readonly string[], isBatch: boolean): MadeCall => ({
  statements: queries.length,
  isBatch,
  writes: queries.some((query) => !/^\s*select\b/i.test(query)),
});

export function failingD1(
  d1: D1Database,
  { call, at }: Failure,
  own: Process = newProcess(false),
): FailingD1 {
  const lose = (): never => {
    own.failed = true;
    throw new Lost("the connection to D1 was lost");
  };
  const live = (): void => {
    if (own.dies && own.failed) lose();
  };

  async function through<T>(queries: readonly string[], isBatch: boolean, run: () => Promise<T>): Promise<T> {
    live();
    own.made.push(madeCall(queries, isBatch));
    const mine = own.calls++ === call;
    if (mine && at === "before") lose();
    const result = await run();
    return mine && at === "after" ? lose() : result;
  }

  async function batch(statements: D1PreparedStatement[]): Promise<unknown> {
    const parts = statements.map(
      (statement) =>
        (Reflect.get(statement, INNER) as Inner | undefined) ?? { statement, query: "not prepared here" },
    );
    const inner = parts.map(({ statement }) => statement);
    const queries = parts.map(({ query }) => query);
    live();
    if (own.calls === call) own.batchStatements = inner.length;
    if (typeof at !== "number" || own.calls !== call || at >= inner.length)
      return through(queries, true, () => d1.batch(inner));
    own.made.push(madeCall(queries, true));
    own.calls += 1;
    own.failed = true;
    // An error of SQLite in the middle: D1 rolls back what went before.
    return d1.batch([...inner.slice(0, at), d1.prepare("SELECT json('not json')"), ...inner.slice(at)]);
  }

  const wrap = (statement: D1PreparedStatement, query: string): D1PreparedStatement =>
    new Proxy(statement, {
      get(target, property) {
        if (property === INNER) return { statement: target, query } satisfies Inner;
        const value = Reflect.get(target, property, target) as unknown;
        if (typeof value !== "function") return value;
        if (property === "bind") return (...values: unknown[]) => wrap(target.bind(...values), query);
        const apply = (args: unknown[]) => Reflect.apply(value, target, args) as Promise<unknown>;
        return (...args: unknown[]) =>
          RUNS.has(property) ? through([query], false, () => apply(args)) : apply(args);
      },
    });

  const db = new Proxy(d1, {
    get(target, property) {
      if (property === "prepare") return (query: string) => wrap(target.prepare(query), query);
      if (property === "batch") return batch;
      const value = Reflect.get(target, property, target) as unknown;
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
  return {
    db,
    failed: () => own.failed,
    batchStatements: () => own.batchStatements,
    made: () => own.made,
  };
}
