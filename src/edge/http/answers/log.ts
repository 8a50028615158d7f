/**
 * Counts every request, and logs a sample of them as one JSON line each (RULES 10.8). Of what a caller sent, a line
 * contains only the space's name: no keys, no addresses.
 */
import { createMiddleware } from "hono/factory";
import { matchedRoutes } from "hono/route";
import type { Env } from "../../config.ts";
import { writePoint } from "../../metrics/analytics.ts";
import { record, type WaitUntil } from "../../metrics/isolate.ts";
import type { AppContext, AppEnv } from "../context.ts";
import { isInSample, logSample } from "./log-sample.ts";

const ALL_METHODS = "ALL";

/** Returns the pattern of the route that answered, like `/api/v1/:spaceName/media`; null if none did. */
const routeOf = (c: AppContext): string | null =>
  matchedRoutes(c).findLast(({ method }) => method !== ALL_METHODS)?.path ?? null;

const SPACE_NAME = /^\/api\/v1\/([a-z][a-z0-9_-]{0,62})(?:\/|$)/;

/** Returns the space's name in a path below `/api/v1/:spaceName`; null for other paths. */
export const spaceOfPath = (path: string): string | null => SPACE_NAME.exec(path)?.[1] ?? null;

export interface LoggedRequest {
  requestId: string;
  method: string;
  space: string | null;
  /** The pattern of the route that answered. */
  route: string | null;
  status: number;
  ms: number;
  /** Number of round trips to D1. */
  queries: number;
  /** X-Service-Transform of an image answer. */
  transform: string | null;
  /** Whether the answer was made ("run") or came from the edge's cache ("replay"); absent without such a cache. */
  edge?: "run" | "replay";
}

/** Records a request. Call it once per request, after the answer is made. */
export function recordRequest(env: Env, waitUntil: WaitUntil, request: LoggedRequest): void {
  const { method, space, status, ms, queries, edge } = request;
  const route = request.route ?? "none";
  const transform = request.transform ?? "none";
  record(env, waitUntil, (tally) => {
    tally.count("requests_total", { route, status: String(status), transform });
    tally.count("d1_round_trips_total", { route }, queries);
    if (edge === "replay") tally.count("edge_replays_total", { route });
  });
  writePoint(env, {
    event: "request",
    space,
    blobs: [route, String(status), transform, method],
    doubles: [ms, queries],
  });
  if (isInSample(env)) console.log(JSON.stringify({ event: "request", ...request, sample: logSample(env) }));
}

/** Records every request of the app after its answer is made. */
export const requestLog = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  const route = routeOf(c);
  const waitUntil = (work: Promise<unknown>): void => c.executionCtx.waitUntil(work);
  recordRequest(c.env, waitUntil, {
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
