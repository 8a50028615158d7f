/** The context of a request: the values that middleware hands to the routes. */
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type { Env } from "../config.ts";
import { checkEnv } from "../config.ts";
import { clientOf } from "../delivery/client.ts";
import type { Presented } from "../spaces/authorize.ts";
import type { KeyedRequest } from "../storage/spaces/idempotency.ts";
import { directoryD1, shardD1 } from "../shards/bindings.ts";
import { countedD1, lazyDatabase, type Database, type QueryCount } from "../storage/database/database.ts";

export interface Variables {
  requestId: string;
  arrivedAt: number;
  /** The address that is charged for the request. */
  client: string;
  /** The database of the request's space; the directory's until the space is found, and outside any space. */
  db: Database;
  /** The number of that database. */
  shard: number;
  queryCount: QueryCount;
  /** The space in which a caller was found. */
  spaceId?: string;
  /** The credential in the header, once it was read. */
  presented?: Presented;
  /** A route has found the caller's key: the isolate remembers it as known (RULES 1.10). */
  isKeyKnown?: boolean;
  /** The Idempotency-Key of a request whose route takes one. */
  idempotencyKey?: string;
  /** The run that has claimed the key. */
  claimed?: KeyedRequest;
  /** For a request with an Idempotency-Key: the seed of the ids of new records. */
  idSeed?: string;
  /** The space whose public content is read without a key. */
  publicSpaceId?: string;
  /** Whether the request may have changed content that the edge keeps. */
  changesCopies?: boolean;
}

export interface AppEnv {
  Bindings: Env;
  Variables: Variables;
}

export type AppContext = Context<AppEnv>;

/** Opens a database, whose queries are counted as the request's. */
export const openShard = (c: AppContext, shard: number): Database =>
  lazyDatabase(countedD1(shardD1(c.env, shard), c.get("queryCount")));

/** Sets the database of a request until its space is known. */
export function useDirectory(c: AppContext): void {
  c.set("shard", 0);
  c.set("db", lazyDatabase(countedD1(directoryD1(c.env), c.get("queryCount"))));
}

let checked = false;

/** Checks the bindings at the first request of an isolate (RULES 10.3). @throws Error that names what is missing */
export function checkEnvOnce(env: Env): void {
  if (!checked) checkEnv(env);
  checked = true;
}

/** The first middleware. It sets request id, time of arrival and database, and adds X-Request-Id to the answer. */
export const requestContext = createMiddleware<AppEnv>(async (c, next) => {
  checkEnvOnce(c.env);
  const queryCount = { queries: 0 };
  c.set("arrivedAt", Date.now());
  c.set("client", clientOf(c.req.header("CF-Connecting-IP") ?? null));
  c.set("requestId", crypto.randomUUID());
  c.set("queryCount", queryCount);
  useDirectory(c);
  await next();
  const { headers } = c.res;
  headers.set("X-Request-Id", c.get("requestId"));
  // Every answer states its caching, because a shared cache may keep an answer that does not.
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
});
