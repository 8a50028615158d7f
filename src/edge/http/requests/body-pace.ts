/** The pace of a request's body: one that trickles would hold its place for as long as its sender likes (RULES 1.6). */
import { ApiError } from "../../../errors.ts";
import { BODY_PACE } from "../../../limits.ts";

const { lowestBytesPerSecond, graceSeconds, longestSeconds, retryAfterSeconds } = BODY_PACE;

/**
 * Counts seconds of waiting, and the bytes that came meanwhile. It reads no clock: while an isolate computes, it waits
 * for no sender.
 */
export class BodyPace {
  #patience: number = graceSeconds;
  #waited = 0;

  /** Counts bytes: each gains the time in which the lowest rate would have brought it. */
  received(bytes: number): void {
    this.#patience = Math.min(graceSeconds, this.#patience + bytes / lowestBytesPerSecond);
  }

  /** Notes a second in which the sender was waited for. */
  waited(): void {
    this.#patience -= 1;
    this.#waited += 1;
  }

  get isTooSlow(): boolean {
    return this.#patience <= 0 || this.#waited >= longestSeconds;
  }
}

export const tooSlow = (): ApiError =>
  new ApiError(
    "REQUEST_TOO_SLOW",
    `The body came too slowly: it needs ${lowestBytesPerSecond} bytes per second after the first ${graceSeconds} s, and ` +
      `may take ${longestSeconds / 60} minutes. Send it again; over a slow line, upload a file in parts, each of which ` +
      "may be sent again.",
    { headers: { "Retry-After": String(retryAfterSeconds) } },
  );

/**
 * Returns how long a body of `bytes` may take that is passed on without a look at its chunks: at the lowest rate
 * throughout.
 */
export const slowestSeconds = (bytes: number): number =>
  Math.min(longestSeconds, graceSeconds + bytes / lowestBytesPerSecond);
