/** One JSON line a request. Nothing that a caller sent goes into it but the space's name: no keys, no addresses. */
import { createMiddleware } from "hono/factory";
import { matchedRoutes } from "hono/route";
import type { AppContext, AppEnv } from "./context.ts";

const ALL_METHODS = "ALL";

/** The pattern that answered, `/api/v1/:spaceName/media`; null where no route did. */
const routeOf = (c: AppContext): string | null =>
  matchedRoutes(c).findLast(({ method }) => method !== ALL_METHODS)?.path ?? null;

const SPACE_NAME = /^\/api\/v1\/([a-z][a-z0-9_-]{0,62})(?:\/|$)/;

/** Logs after the answer is made: what it costs is one line of text. */
export const requestLog = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  const route = routeOf(c);
  const space = route?.startsWith("/api/v1/:spaceName") ? (SPACE_NAME.exec(c.req.path)?.[1] ?? null) : null;
  console.log(
    JSON.stringify({
      event: "request",
      requestId: c.get("requestId"),
      method: c.req.method,
      space,
      route,
      status: c.res.status,
      ms: Date.now() - c.get("arrivedAt"),
      queries: c.get("queryCount").queries,
      transform: c.get("transform") ?? null,
    }),
  );
});
