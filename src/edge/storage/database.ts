/** D1 through Drizzle, with every round trip counted (a batch is one): the log line and the query tests read it. */
import type { SQL } from "drizzle-orm";
import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1";
import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";

export type Database = DrizzleD1Database & { $client: D1Database };

export interface QueryCount {
  queries: number;
}

const RUNS = new Set<PropertyKey>(["all", "first", "run", "raw"]);

/** A statement that counts when it runs; `bind` gives another one. `inner` unwraps it for `batch`. */
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
        if (RUNS.has(property)) count.queries += 1;
        return Reflect.apply(value, target, args);
      };
    },
  });
}

const UNWRAP = Symbol("unwrap");

/** The same D1 with `count` growing by one for each round trip. */
export function countedD1(d1: D1Database | D1DatabaseSession, count: QueryCount): D1Database {
  // Drizzle calls `prepare` and `batch` alone, which a session has too.
  return new Proxy(d1 as D1Database, {
    get(target, property) {
      if (property === "prepare") return (query: string) => countedStatement(target.prepare(query), count);
      if (property === "batch") {
        return (statements: D1PreparedStatement[]) => {
          count.queries += 1;
          const inner = statements.map(
            (s) => (Reflect.get(s, UNWRAP) as D1PreparedStatement | undefined) ?? s,
          );
          return target.batch(inner);
        };
      }
      const value = Reflect.get(target, property, target) as unknown;
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}

export const database = (d1: D1Database): Database => drizzle(d1);

class NumberedDialect extends SQLiteSyncDialect {
  override escapeParam(index: number): string {
    return `?${index + 1}`;
  }
}

const dialect = new NumberedDialect();

/** A written statement as D1 takes it. D1 binds at most 100 values, so a value that is named twice is bound once. */
export function toQuery(statement: SQL): { sql: string; params: unknown[] } {
  const { sql, params } = dialect.sqlToQuery(statement);
  const places = new Map<unknown, number>();
  // Numbers of parameters are the one thing in our statements that follows a question mark.
  const text = sql.replaceAll(/\?(\d+)/g, (_, number: string) => {
    const value = params[Number(number) - 1];
    const place = places.get(value) ?? places.size + 1;
    places.set(value, place);
    return `?${place}`;
  });
  return { sql: text, params: [...places.keys()] };
}

/** A written statement, bound and ready for `batchSql`. Drizzle's own D1 batch takes none with parameters. */
export function prepareSql(db: Database, statement: SQL): D1PreparedStatement {
  const { sql, params } = toQuery(statement);
  return db.$client.prepare(sql).bind(...params);
}

/** A query of Drizzle's own, bound and ready for a batch with written statements. */
export function prepareQuery(
  db: Database,
  query: { toSQL(): { sql: string; params: unknown[] } },
): D1PreparedStatement {
  const { sql, params } = query.toSQL();
  return db.$client.prepare(sql).bind(...params);
}

/** Runs written statements as one transaction: all or none. The rows of each, in order. */
export async function batchSql(db: Database, statements: SQL[]): Promise<unknown[][]> {
  const results = await db.$client.batch(statements.map((statement) => prepareSql(db, statement)));
  return results.map((result) => result.results);
}

/** Whether a write broke a unique index. D1 says so in words only: no code reaches the Worker. */
export const isUniqueViolation = (error: unknown): boolean => {
  for (let e = error; e instanceof Error; e = e.cause)
    if (e.message.includes("UNIQUE constraint failed")) return true;
  return false;
};
