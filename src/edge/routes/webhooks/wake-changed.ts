/** Wakes the deliveries of a space's webhooks after a change, while the answer is sent (RULES 15.3). */
import { createMiddleware } from "hono/factory";
import type { AppContext, AppEnv } from "../../http/context.ts";
import { isAgentPath } from "../../http/requests/agent-path.ts";
import { shardD1 } from "../../shards/bindings.ts";
import { database } from "../../storage/database/database.ts";
import { wakeAfterChange } from "../../webhooks/wake.ts";

/** The path of a route in a space. */
const IN_SPACE = /^\/api\/v1\/([^/]+)\//;

/** Returns the context of the invocation; null for a request to the app alone, after which nothing can go on. */
function contextOf(c: AppContext): Pick<ExecutionContext, "waitUntil"> | null {
  try {
    return c.executionCtx;
  } catch {
    return null;
  }
}

/** Wakes beside the answer. The request has found its space by then, and with it the space's database. */
function wakeBesideAnswer(c: AppContext, spaceName: string): void {
  const context = contextOf(c);
  if (!context) return;
  const db = database(shardD1(c.env, c.get("shard")));
  context.waitUntil(wakeAfterChange(c.env, db, spaceName, Date.now()));
}

export const wakeChanged = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  const isRead = c.req.method === "GET" || c.req.method === "HEAD" || c.req.method === "OPTIONS";
  if (isRead || !c.res.ok || isAgentPath(c.req.path)) return;
  const [, spaceName] = IN_SPACE.exec(c.req.path) ?? [];
  if (spaceName !== undefined) wakeBesideAnswer(c, spaceName);
});
