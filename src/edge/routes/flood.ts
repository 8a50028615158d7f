/** The flood ceiling (RULES 7.5): the one reason for 429. */
import { ApiError } from "../../errors.ts";
import { DELIVERY } from "../../limits.ts";
import { clientOf } from "../delivery/client.ts";
import type { AppContext } from "../http/context.ts";

/** Each kind of answer has a counter of its own, of the same size. */
export type FloodCounter = "IMAGE_FLOOD" | "FILE_FLOOD" | "DIRECT_FLOOD";

/**
 * Counts a request against its client's ceiling. A counter that fails counts nothing: better a flood than no pictures.
 *
 * @returns who is charged for what the request costs
 * @throws ApiError IMAGE_DELIVERY_RATE_LIMITED
 */
export async function checkFlood(c: AppContext, counter: FloodCounter): Promise<string> {
  const client = clientOf(c.req.header("CF-Connecting-IP") ?? null);
  if (await isWithinCeiling(c, counter, client)) return client;
  const { floodRequestsPerMinute, floodWindowSeconds } = DELIVERY;
  const message = `More than ${floodRequestsPerMinute} image requests in a minute from one client. Slow down.`;
  throw new ApiError("IMAGE_DELIVERY_RATE_LIMITED", message, {
    headers: { "Retry-After": String(floodWindowSeconds) },
  });
}

async function isWithinCeiling(c: AppContext, counter: FloodCounter, client: string): Promise<boolean> {
  try {
    return (await c.env[counter].limit({ key: client })).success;
  } catch (error) {
    console.error(JSON.stringify({ event: "rate-limiter-failed", counter, reason: String(error) }));
    return true;
  }
}
