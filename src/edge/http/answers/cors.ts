/** CORS for every route: pages of any origin use the API with a key, and pictures without one (RULES 1.5). */
import { cors } from "hono/cors";
import { createMiddleware } from "hono/factory";
import { CACHE } from "../../../limits.ts";
import type { AppEnv } from "../context.ts";

const EXPOSED =
  "Allow, ETag, Location, Content-Range, X-Request-Id, X-Service-Width, X-Service-Height, X-Service-File, X-Service-Transform, Retry-After, Idempotent-Replayed";

const preflight = cors({
  origin: "*",
  allowMethods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
  allowHeaders: [
    "Authorization",
    "Content-Type",
    "X-Filename",
    "X-Focal-Point",
    "If-Match",
    "If-None-Match",
    "Idempotency-Key",
    "Range",
    // Sent by libraries for HTTP and for tracing. Nothing here reads them.
    "X-Requested-With",
    "traceparent",
    "tracestate",
    "baggage",
    // Any other header, but for Authorization, where the browser knows the wildcard.
    "*",
  ],
  maxAge: CACHE.preflightSeconds,
});

export function allowOrigins(headers: Headers): void {
  headers.set("Access-Control-Allow-Origin", "*");
  headers.set("Access-Control-Expose-Headers", EXPOSED);
}

/**
 * Hono's middleware is used for preflights only. For other requests it would set headers before the handler runs, so
 * that Hono builds the Response twice, which takes a third of the time of a cached redirect.
 */
export const crossOrigin = createMiddleware<AppEnv>(async (c, next) => {
  if (c.req.method === "OPTIONS") return preflight(c, next);
  await next();
  allowOrigins(c.res.headers);
  return undefined;
});
