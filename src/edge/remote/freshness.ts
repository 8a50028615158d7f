/** For how long a fetched file counts as fresh (RULES 13.6). */
import { REMOTE, SECOND_MS } from "../../limits.ts";

/** Returns the lifetime that `Cache-Control` gives, within the limits, in milliseconds. Only `max-age` counts. */
export function freshMsOf(cacheControl: string | null): number {
  const [, seconds = "0"] = /(?:^|[\s,])max-age\s*=\s*"?(\d{1,10})/i.exec(cacheControl ?? "") ?? [];
  return Math.min(REMOTE.freshMaxMs, Math.max(REMOTE.freshMinMs, Number(seconds) * SECOND_MS));
}
