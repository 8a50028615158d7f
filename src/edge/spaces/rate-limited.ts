import { ApiError } from "../../errors.ts";
import { SECOND_MS } from "../../limits.ts";

/** Returns an error about a budget of a minute that is spent. @param what a sentence that says which one */
export function rateLimited(what: string, waitMs: number): ApiError {
  const seconds = Math.max(1, Math.ceil(waitMs / SECOND_MS));
  return new ApiError("RATE_LIMITED", `${what} Try again in ${seconds} seconds.`, {
    headers: { "Retry-After": String(seconds) },
  });
}
