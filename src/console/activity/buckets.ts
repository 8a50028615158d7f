/** Counts of seconds, summed up into the bars of a plot. Pure. */
import type { SecondCounts } from "../api/activity.ts";

export const BUCKET_SECONDS = 30;
const HOUR_SECONDS = 3600;
const SECOND_MS = 1000;

export interface Buckets {
  /** When each begins, in seconds since 1970, the oldest first. */
  at: number[];
  built: number[];
  failed: number[];
  refused: number[];
}

/** @param now milliseconds since 1970 */
export function bucketsOf(perSecond: readonly SecondCounts[], now: number): Buckets {
  const end = Math.ceil(now / SECOND_MS / BUCKET_SECONDS) * BUCKET_SECONDS;
  const start = end - HOUR_SECONDS;
  const length = HOUR_SECONDS / BUCKET_SECONDS;
  const zeros = (): number[] => new Array<number>(length).fill(0);
  const sums = { built: zeros(), failed: zeros(), refused: zeros() };
  for (const counts of perSecond) {
    const index = Math.floor((Date.parse(counts.at) / SECOND_MS - start) / BUCKET_SECONDS);
    if (index < 0 || index >= length) continue;
    for (const name of ["built", "failed", "refused"] as const)
      sums[name][index] = (sums[name][index] ?? 0) + counts[name];
  }
  return { at: zeros().map((_, index) => start + index * BUCKET_SECONDS), ...sums };
}

export const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
