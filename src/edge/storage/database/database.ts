/**
 * D1 through Drizzle, with a count of round trips (a batch is one): for the log, for tests of queries, and for sweeps, which
 * it bounds and paces.
 */
import type { SQL } from "drizzle-orm";
import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1";
import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";

export type Database = DrizzleD1Database & { $client: D1Database };

export interface QueryCount {
  queries: number;
  /**
   * A pause before each round trip of background work. It may fall between a read and the write that depends on it, which
   * is conditional in any case, because a request may come between them too.
   */
  rest?: () => Promise<void>;
}

function roundTrip(count: QueryCount, run: () => unknown): unknown {
  count.queries += 1;
  return count.rest ? count.rest().then(run) : run();
}

const RUNS = new Set<PropertyKey>(["all", "first", "run", "raw"]);

/** Returns a statement that counts its runs. `bind` returns another such statement. `inner` unwraps it for `batch`. */
function countedStatement(inner: D1PreparedStatement, count: QueryCount): D1PreparedStatement {
  return new Proxy(inner, {
    get(target, property) {
      if (property === UNWRAP) return target;
      const value = Reflect.get(target, property, target) as unknown;
      if (typeof value !== "function") return value;
      if (property === "bind") {
        return (...values: unknown[]) => countedStatement(target.bind(...values), count);
      }
      return (...args: unknown[]): unknown => {
        const run = (): unknown => Reflect.apply(value, target, args);
        return RUNS.has(property) ? roundTrip(count, run) : run();
      };
    },
  });
}

const UNWRAP = Symbol("unwrap");

/** Returns a D1 database that adds one to `count` per round trip. */
export function countedD1(d1: D1Database | D1DatabaseSession, count: QueryCount): D1Database {
  // Drizzle uses only `prepare` and `batch`, which a session has too.
  return new Proxy(d1 as D1Database, {
    get(target, property) {
      if (property === "prepare") return (query: string) => countedStatement(target.prepare(query), count);
      if (property === "batch") {
        return (statements: D1PreparedStatement[]) => {
          const inner = statements.map(
            (s) => (Reflect.get(s, UNWRAP) as D1PreparedStatement | undefined) ?? s,
          );
          return roundTrip(count, () => target.batch(inner));
        };
      }
      const value = Reflect.get(target, property, target) as unknown;
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}

export const database = (d1: D1Database): Database => drizzle(d1);

/** Makes Drizzle's objects when they are first used: a statement whose text is there needs only the client. */
export function lazyDatabase(d1: D1Database): Database {
  let made: Database | null = null;
  return new Proxy(Object.create(null) as Database, {
    get: (_, property) =>
      property === "$client" ? d1 : (Reflect.get((made ??= database(d1)), property) as unknown),
  });
}

class NumberedDialect extends SQLiteSyncDialect {
  override escapeParam(index: number): string {
    return `?${index + 1}`;
  }
}

const dialect = new NumberedDialect();

/** Converts a statement for D1, which binds at most 100 values: a value that occurs twice is bound once. */
export function toQuery(statement: SQL): { sql: string; params: unknown[] } {
  const { sql, params } = dialect.sqlToQuery(statement);
  const places = new Map<unknown, number>();
  // In our statements, a question mark is always the beginning of a numbered parameter.
  const text = sql.replaceAll(/\?(\d+)/g, (_, number: string) => {
    const value = params[Number(number) - 1];
    const place = places.get(value) ?? places.size + 1;
    places.set(value, place);
    return `?${place}`;
  });
  return { sql: text, params: [...places.keys()] };
}

/** Prepares and binds a statement. Drizzle's own D1 batch accepts no statement with parameters. */
export function prepareSql(db: Database, statement: SQL): D1PreparedStatement {
  const { sql, params } = toQuery(statement);
  return db.$client.prepare(sql).bind(...params);
}

/** Prepares and binds a query of Drizzle for a batch together with statements of `sql`. */
export function prepareQuery(
  db: Database,
  query: { toSQL(): { sql: string; params: unknown[] } },
): D1PreparedStatement {
  const { sql, params } = query.toSQL();
  return db.$client.prepare(sql).bind(...params);
}

/** Runs statements as one transaction. @returns the rows of each, in order */
export async function batchSql(db: Database, statements: SQL[]): Promise<unknown[][]> {
  const results = await db.$client.batch(statements.map((statement) => prepareSql(db, statement)));
  return results.map((result) => result.results);
}

/** Returns whether a write violated a unique index. D1 gives no code, so the message is examined. */
export const isUniqueViolation = (error: unknown): boolean => {
  for (let e = error; e instanceof Error; e = e.cause)
    if (e.message.includes("UNIQUE constraint failed")) return true;
  return false;
};
