/** The flood ceiling (RULES 7.5), which is the only reason for a 429 in image delivery. */
import { ApiError } from "../../errors.ts";
import { DELIVERY } from "../../limits.ts";
import type { Env } from "../config.ts";
import { clientOf } from "../delivery/client.ts";
import type { TargetKind } from "./target.ts";

/** Redirects, those of remote pictures too, direct delivery and files have separate counters with the same ceiling. */
const COUNTERS = {
  redirect: "IMAGE_FLOOD",
  direct: "DIRECT_FLOOD",
  remote: "IMAGE_FLOOD",
  master: "FILE_FLOOD",
  variant: "FILE_FLOOD",
} as const satisfies Record<TargetKind, keyof Env>;

/**
 * Counts a request against its client's ceiling. If the counter fails, the request is let through: a flood is better
 * than no pictures.
 *
 * @returns the client that is charged for new variants
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
