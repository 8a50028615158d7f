/** What a request carries through the routes. */
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type { Env } from "../config.ts";
import { checkEnv } from "../config.ts";
import { countedD1, database, type Database, type QueryCount } from "../storage/database.ts";

export interface Variables {
  requestId: string;
  arrivedAt: number;
  db: Database;
  queryCount: QueryCount;
  /** Of a request with an Idempotency-Key: what ids of new records are made of. */
  idSeed?: string;
}

export interface AppEnv {
  Bindings: Env;
  Variables: Variables;
}

export type AppContext = Context<AppEnv>;

let checked = false;

/** Fails loudly at an isolate's first request when a binding is missing (RULES 10.3). @throws Error naming it */
export function checkEnvOnce(env: Env): void {
  if (!checked) checkEnv(env);
  checked = true;
}

/** Made when it is first used: a cached redirect asks no database, and Drizzle takes longer than all the rest of it. */
function lazily<T extends object>(make: () => T): T {
  let made: T | null = null;
  return new Proxy({} as T, { get: (_, property) => Reflect.get((made ??= make()), property) as unknown });
}

/** First of all middleware: request id, arrival, database with its query count, X-Request-Id on the answer. */
export const requestContext = createMiddleware<AppEnv>(async (c, next) => {
  checkEnvOnce(c.env);
  const queryCount = { queries: 0 };
  c.set("arrivedAt", Date.now());
  c.set("requestId", crypto.randomUUID());
  c.set("queryCount", queryCount);
  c.set(
    "db",
    lazily(() => database(countedD1(c.env.DB, queryCount))),
  );
  await next();
  const { headers } = c.res;
  headers.set("X-Request-Id", c.get("requestId"));
  // Every answer states its own caching: a shared cache keeps what says nothing.
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
});
