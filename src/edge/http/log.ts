/**
 * Every request is counted, and a sample of them has one JSON line each (RULES 10.8). Nothing that a caller sent goes
 * into it but the space's name: no keys, no addresses.
 */
import { createMiddleware } from "hono/factory";
import { matchedRoutes } from "hono/route";
import type { Env } from "../config.ts";
import { writePoint } from "../metrics/analytics.ts";
import { record, type WaitUntil } from "../metrics/isolate.ts";
import type { AppContext, AppEnv } from "./context.ts";
import { isInSample, logSample } from "./log-sample.ts";

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

/** To be called after the answer is made, once per request. */
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

/** Records after the answer is made: what it costs is a line of text at most. */
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
