/** Retries writes that collided with another write, after a random wait whose upper bound doubles each time. */
import { ApiError } from "../../../errors.ts";
import { RETRY } from "../../../limits.ts";

export interface RetryOptions {
  triesMax: number;
  wait: (ms: number) => Promise<void>;
  /** A random number from 0 to below 1. */
  random: () => number;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Returns the upper bound of the wait after attempt number `attempt`, counted from 0. */
export const waitBoundMs = (attempt: number): number =>
  Math.min(RETRY.waitMaxMs, RETRY.waitMs * 2 ** attempt);

/**
 * Runs `attempt` until it returns something other than null. Null means that another write came first; the next attempt
 * reads the result of that write. Errors are not caught.
 * @throws ApiError CONFLICT when every attempt collided with another write
 */
export async function retryUntilWritten<T>(
  attempt: () => Promise<T | null>,
  { triesMax = RETRY.triesMax, wait = pause, random = Math.random }: Partial<RetryOptions> = {},
): Promise<T> {
  for (let tries = 0; tries < triesMax; tries++) {
    const written = await attempt();
    if (written !== null) return written;
    if (tries + 1 < triesMax) await wait(random() * waitBoundMs(tries));
  }
  throw new ApiError("CONFLICT", "Others kept changing this at the same time. Read it again and retry.");
}
