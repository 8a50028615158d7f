/** The one way to try a write again that met another one: a random wait below a bound that doubles each time. */
import { ApiError } from "../../errors.ts";
import { RETRY } from "../../limits.ts";

export interface RetryOptions {
  triesMax: number;
  wait: (ms: number) => Promise<void>;
  /** From 0 to below 1. */
  random: () => number;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The bound of the wait after the attempt with this number, counted from 0. */
export const waitBoundMs = (attempt: number): number =>
  Math.min(RETRY.waitMaxMs, RETRY.waitMs * 2 ** attempt);

/**
 * Runs `attempt` until it gives something other than null, which says that another write came first: it reads what
 * that one left and tries on top of it. Errors pass through.
 * @throws ApiError CONFLICT when every try met another write
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
