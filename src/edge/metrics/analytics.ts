/**
 * Writes data points to Analytics Engine, if it is bound. Queries name blobs and doubles by their position (`blob1`,
 * `double1`), so new ones are only appended.
 */
import type { Env } from "../config.ts";

export interface Point {
  /** `blob1`. */
  event: "request" | "build" | "sweep";
  /** The name or id of the space, by which Analytics Engine samples. */
  space: string | null;
  /** The values of `blob2` and following. */
  blobs: string[];
  /** The values of `double1` and following. */
  doubles: number[];
}

export function writePoint(
  { ANALYTICS }: Pick<Env, "ANALYTICS">,
  { event, space, blobs, doubles }: Point,
): void {
  ANALYTICS?.writeDataPoint({ indexes: [space ?? ""], blobs: [event, ...blobs], doubles });
}
