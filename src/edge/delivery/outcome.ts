/** Every way an image request can end, and the headers that say so (interface §4.2, completion §5). */
import { CACHE } from "../../limits.ts";

/** Values of X-Service-Transform. */
export type TransformState =
  "hit" | "built" | "queued" | "coalesced" | "limited" | "overloaded" | "unavailable";

export interface Outcome {
  /** R2 key of the file to redirect to. */
  key: string;
  /** Width in pixels of that file. */
  width: number;
  isMaster: boolean;
  /** Null when the master is the answer by rule. */
  state: TransformState | null;
  /** True when auto=format was asked for: the answer depends on Accept. */
  negotiated: boolean;
}

function cacheControl({ isMaster, state }: Outcome): string {
  if (!isMaster || state === null) return `public, max-age=${CACHE.redirectSeconds}`;
  if (state === "queued" || state === "coalesced") return `public, max-age=${CACHE.queuedRedirectSeconds}`;
  return "no-store";
}

export function outcomeHeaders(outcome: Outcome, cdnBase: string): Record<string, string> {
  return {
    Location: `${cdnBase}/${outcome.key}`,
    "X-Service-Width": String(outcome.width),
    ...(outcome.state && { "X-Service-Transform": outcome.state }),
    ...(outcome.negotiated && { Vary: "Accept" }),
    "Cache-Control": cacheControl(outcome),
  };
}
