/** Reads the bodies that no route has read (RULES 10.4). */
import { createMiddleware } from "hono/factory";
import type { AppEnv } from "../context.ts";
import { passOver } from "./request-body.ts";

/**
 * Reads the body of a request to its end once the answer is made, unless a route has begun it: most refusals need
 * nothing of it. The runtime closes the connection of a body of over 64 KB that is left unread, so that its sender, or
 * the sender's next request, fails without an answer. To cancel the body would not help
 * (github.com/cloudflare/workerd/issues/1741).
 */
export const unreadBody = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  const body = c.req.raw.body as ReadableStream<Uint8Array> | null;
  if (body) await passOver(body);
});
