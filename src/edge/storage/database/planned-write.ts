/** Writes that are planned before they run, so that one batch can make several of them. */
import type { SQL } from "drizzle-orm";
import { batchSql, type Database } from "./database.ts";

export interface PlannedWrite<T> {
  statements: SQL[];
  /** Reads what came of the write from the rows that each of its statements returned. */
  outcome: (rows: unknown[][]) => T;
}

/** Returns a plan to write nothing, whose outcome is known. */
export const nothingToWrite = <T>(outcome: T): PlannedWrite<T> => ({
  statements: [],
  outcome: () => outcome,
});

/** Returns the same write, with something else made of its outcome. */
export const withOutcome = <From, To>(
  { statements, outcome }: PlannedWrite<From>,
  view: (outcome: From) => To,
): PlannedWrite<To> => ({ statements, outcome: (rows) => view(outcome(rows)) });

/**
 * Runs writes as one batch, in their order. Plans without statements need no batch.
 * @param conditions guards that run before the writes
 * @returns the outcome of each write
 */
export async function runTogether<T>(
  db: Database,
  conditions: readonly SQL[],
  writes: readonly PlannedWrite<T>[],
): Promise<T[]> {
  const own = writes.flatMap(({ statements }) => statements);
  const rows = own.length === 0 ? [] : await batchSql(db, [...conditions, ...own]);
  let at = conditions.length;
  return writes.map(({ statements, outcome }) => outcome(rows.slice(at, (at += statements.length))));
}

export async function runWrite<T>(
  db: Database,
  write: PlannedWrite<T>,
  conditions: readonly SQL[] = [],
): Promise<T> {
  const [outcome] = await runTogether(db, conditions, [write]);
  return outcome as T;
}
