/** Refuses keyed requests over their ceilings, before anything is asked of D1 (RULES 1.10). */
import { createMiddleware } from "hono/factory";
import type { ApiError } from "../../../errors.ts";
import { hasCredential } from "../../spaces/authorize.ts";
import { rateLimited } from "../../spaces/rate-limited.ts";
import { readsPerMinute } from "../../spaces/api-rate.ts";
import { isAgentPath } from "./agent-path.ts";
import { KeyedCeilings, type Refusal, type Verdict } from "../../spaces/ceilings.ts";
import type { AppContext, AppEnv } from "../context.ts";
import { credentialIn } from "./credential.ts";

const refusedBy = ({ of, max, retryAfterMs }: Refusal): ApiError =>
  rateLimited(
    of === "unknown keys"
      ? `${max} unknown keys came from this address within a minute. Check the key.`
      : `A key may make ${max} ${of} in a minute, and this one has. Slow down.`,
    retryAfterMs,
  );

const isRead = (method: string): boolean => method === "GET" || method === "HEAD";

/** Returns a route that has found the caller says so; a key that is unknown is 401. */
const verdictOf = (c: AppContext): Verdict =>
  c.get("isKeyKnown") === true ? "known" : c.res.status === 401 ? "unknown" : "unasked";

const ceilings = new KeyedCeilings();

export const keyedCeilings = createMiddleware<AppEnv>(async (c, next) => {
  // The route refuses what is no credential.
  if (!hasCredential(c.req.header("Authorization"))) return next();
  const credential = await credentialIn(c);
  const request = {
    keyHash: credential.kind === "root" ? null : credential.hash,
    client: c.get("client"),
    isWrite: !isRead(c.req.method) && !isAgentPath(c.req.path),
  };
  const begun = ceilings.begin(request, readsPerMinute(c.env), c.get("arrivedAt"));
  if ("of" in begun) throw refusedBy(begun);
  await next();
  begun.end(verdictOf(c));
  return undefined;
});
