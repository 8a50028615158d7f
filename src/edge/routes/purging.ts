/** Purges the edge's copies after a change, while the answer is sent (RULES 10.7). The sweep repeats failed purges. */
import { createMiddleware } from "hono/factory";
import type { AppContext, AppEnv } from "../http/context.ts";
import { purgeSoon } from "../purges/purge.ts";

export const purgeCopies = (c: AppContext): void =>
  purgeSoon(c.env, c.get("shard"), c.executionCtx as ExecutionContext);

/** For the routes of content: the tags to purge are known once the model or the space is found. */
export const purgeChanged = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  const isRead = c.req.method === "GET" || c.req.method === "HEAD";
  // Without an edge cache, the sweep empties the outbox.
  if (isRead || !c.res.ok || c.env.EDGE_CACHE !== "on") return;
  if (c.get("changesCopies")) purgeCopies(c);
});
