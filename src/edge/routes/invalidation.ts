/**
 * Invalidates the edge's copies after a change, while the answer is sent (RULES 10.7). The sweep repeats failed
 * invalidations.
 */
import { createMiddleware } from "hono/factory";
import type { AppContext, AppEnv } from "../http/context.ts";
import { invalidateSoon } from "../invalidation/invalidate.ts";

export const invalidateCopies = (c: AppContext): void =>
  invalidateSoon(c.env, c.get("shard"), c.executionCtx as ExecutionContext);

/** Invalidates after the answer of a route of content, which knows only then whether its change shows in copies. */
export const invalidateChanged = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  const isRead = c.req.method === "GET" || c.req.method === "HEAD";
  // Without an edge cache, the sweep empties the outbox.
  if (isRead || !c.res.ok || c.env.EDGE_CACHE !== "on") return;
  if (c.get("changesCopies")) invalidateCopies(c);
});
