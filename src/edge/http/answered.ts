/** Asks another object of the deployment for an answer, for a bounded time. */
import { ApiError } from "../../errors.ts";
import { inTime } from "../../in-time.ts";
import { PATIENCE } from "../../limits.ts";

/**
 * Returns the answer of an object that a request needs.
 * @param part its name in the message, such as "The space's queue"
 * @throws ApiError UNAVAILABLE, with Retry-After, if it fails or does not answer in time
 */
export async function answered<T>(asking: Promise<T>, part: string): Promise<T> {
  try {
    return await inTime(asking, PATIENCE.objectMs);
  } catch (cause) {
    throw new ApiError("UNAVAILABLE", `${part} does not answer now. Ask again in a moment.`, {
      cause,
      headers: { "Retry-After": String(PATIENCE.retryAfterSeconds) },
    });
  }
}
