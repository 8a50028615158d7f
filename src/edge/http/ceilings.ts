/** Refuses keyed requests over their ceilings, before anything is asked of D1 (RULES 1.10). */
import { createMiddleware } from "hono/factory";
import { ApiError } from "../../errors.ts";
import { SECOND_MS } from "../../limits.ts";
import { hasCredential, credentialOf } from "../spaces/authorize.ts";
import { readsPerMinute } from "../spaces/api-rate.ts";
import { KeyedCeilings, type Refusal, type Verdict } from "../spaces/ceilings.ts";
import type { AppContext, AppEnv } from "./context.ts";

function rateLimited({ of, max, retryAfterMs }: Refusal): ApiError {
  const seconds = Math.max(1, Math.ceil(retryAfterMs / SECOND_MS));
  const what =
    of === "unknown keys"
      ? `${max} unknown keys came from this address within a minute. Check the key`
      : `A key may make ${max} ${of} in a minute, and this one has. Slow down`;
  return new ApiError("RATE_LIMITED", `${what}, and try again in ${seconds} seconds.`, {
    headers: { "Retry-After": String(seconds) },
  });
}

const isRead = (method: string): boolean => method === "GET" || method === "HEAD";

/** A route that has found the caller says so; a key that is unknown is 401. */
const verdictOf = (c: AppContext): Verdict =>
  c.get("isKeyKnown") === true ? "known" : c.res.status === 401 ? "unknown" : "unasked";

const ceilings = new KeyedCeilings();

export const keyedCeilings = createMiddleware<AppEnv>(async (c, next) => {
  const authorization = c.req.header("Authorization");
  // The route refuses what is no credential.
  if (!hasCredential(authorization)) return next();
  const credential = await credentialOf(authorization, c.env.ROOT_TOKEN);
  const request = {
    keyHash: credential.kind === "root" ? null : credential.hash,
    client: c.get("client"),
    isWrite: !isRead(c.req.method),
  };
  const begun = ceilings.begin(request, readsPerMinute(c.env), c.get("arrivedAt"));
  if ("of" in begun) throw rateLimited(begun);
  await next();
  begun.end(verdictOf(c));
  return undefined;
});
