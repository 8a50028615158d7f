/** One JSON line a request. Nothing that a caller sent goes into it but the space's name: no keys, no addresses. */
import { createMiddleware } from "hono/factory";
import { matchedRoutes } from "hono/route";
import type { AppContext, AppEnv } from "./context.ts";

const ALL_METHODS = "ALL";

/** The pattern that answered, `/api/v1/:spaceName/media`; null where no route did. */
const routeOf = (c: AppContext): string | null =>
  matchedRoutes(c).findLast(({ method }) => method !== ALL_METHODS)?.path ?? null;

const SPACE_NAME = /^\/api\/v1\/([a-z][a-z0-9_-]{0,62})(?:\/|$)/;

/** The space's name in the path of a route below `/api/v1/:spaceName`; null when there is none. */
export const spaceOfPath = (path: string): string | null => SPACE_NAME.exec(path)?.[1] ?? null;

export interface LoggedRequest {
  requestId: string;
  method: string;
  space: string | null;
  /** The pattern that answered. */
  route: string | null;
  status: number;
  ms: number;
  /** Round trips to D1. */
  queries: number;
  /** X-Service-Transform of an image answer. */
  transform: string | null;
  /** Whether the edge's cache had the answer, where there is one. */
  edge?: "run" | "replay";
}

export const logRequest = (request: LoggedRequest): void =>
  console.log(JSON.stringify({ event: "request", ...request }));

/** Logs after the answer is made: what it costs is one line of text. */
export const requestLog = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  const route = routeOf(c);
  logRequest({
    requestId: c.get("requestId"),
    method: c.req.method,
    space: route?.startsWith("/api/v1/:spaceName") ? spaceOfPath(c.req.path) : null,
    route,
    status: c.res.status,
    ms: Date.now() - c.get("arrivedAt"),
    queries: c.get("queryCount").queries,
    transform: null,
  });
});
