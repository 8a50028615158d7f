/** The flood ceiling (RULES 7.5): the one reason for 429. */
import { ApiError } from "../../errors.ts";
import { DELIVERY } from "../../limits.ts";
import type { Env } from "../config.ts";
import { clientOf } from "../delivery/client.ts";
import type { TargetKind } from "./target.ts";

/** Redirects, direct delivery and files have a counter of their own, of the same size. */
const COUNTERS = {
  redirect: "IMAGE_FLOOD",
  direct: "DIRECT_FLOOD",
  master: "FILE_FLOOD",
  variant: "FILE_FLOOD",
} as const satisfies Record<TargetKind, keyof Env>;

/**
 * Counts a request against its client's ceiling. A counter that fails counts nothing: better a flood than no pictures.
 *
 * @returns who is charged for what the request costs
 * @throws ApiError IMAGE_DELIVERY_RATE_LIMITED
 */
export async function checkFlood(env: Env, kind: TargetKind, headers: Headers): Promise<string> {
  const client = clientOf(headers.get("CF-Connecting-IP"));
  if (await isWithinCeiling(env, COUNTERS[kind], client)) return client;
  const { floodRequestsPerMinute, floodWindowSeconds } = DELIVERY;
  const message = `More than ${floodRequestsPerMinute} image requests in a minute from one client. Slow down.`;
  throw new ApiError("IMAGE_DELIVERY_RATE_LIMITED", message, {
    headers: { "Retry-After": String(floodWindowSeconds) },
  });
}

async function isWithinCeiling(
  env: Env,
  counter: (typeof COUNTERS)[TargetKind],
  client: string,
): Promise<boolean> {
  try {
    return (await env[counter].limit({ key: client })).success;
  } catch (error) {
    console.error(JSON.stringify({ event: "rate-limiter-failed", counter, reason: String(error) }));
    return true;
  }
}
