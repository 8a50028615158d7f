/**
 * Data points for Analytics Engine, where the binding exists. The order of blobs and doubles is what queries name them
 * by (`blob1`, `double1`): it only grows.
 */
import type { Env } from "../config.ts";

export interface Point {
  /** `blob1`. */
  event: "request" | "build" | "sweep";
  /** Name or id: what samples are taken by. */
  space: string | null;
  /** From `blob2` on. */
  blobs: string[];
  /** From `double1` on. */
  doubles: number[];
}

export function writePoint(
  { ANALYTICS }: Pick<Env, "ANALYTICS">,
  { event, space, blobs, doubles }: Point,
): void {
  ANALYTICS?.writeDataPoint({ indexes: [space ?? ""], blobs: [event, ...blobs], doubles });
}
