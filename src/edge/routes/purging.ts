/** Purges beside the answer to a change what the edge keeps of it (RULES 10.7). The sweep purges what that leaves. */
import { createMiddleware } from "hono/factory";
import type { AppContext, AppEnv } from "../http/context.ts";
import { purgeSoon } from "../purges/purge.ts";

export const purgeCopies = (c: AppContext): void => purgeSoon(c.env, c.executionCtx as ExecutionContext);

/** For the routes of content: what they change is known once model or space are found. */
export const purgeChanged = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  const isRead = c.req.method === "GET" || c.req.method === "HEAD";
  // Where nothing is kept, the sweep empties the outbox.
  if (isRead || !c.res.ok || c.env.EDGE_CACHE !== "on") return;
  if (c.get("changesCopies")) purgeCopies(c);
});
