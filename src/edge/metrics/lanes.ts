/** Adds up the lanes of all queues. */
import type { LaneReport, MetricsTotals } from "./messages.ts";

/** Sums by lane the number of waiting jobs, and the time since when the oldest one waits, in milliseconds. */
export function sumLanes(queues: MetricsTotals["queues"]): Record<string, LaneReport> {
  const sums: Record<string, LaneReport> = {};
  for (const lanes of queues.values()) {
    for (const [lane, { waiting, oldestAt }] of Object.entries(lanes)) {
      const sum = (sums[lane] ??= { waiting: 0, oldestAt: null });
      sum.waiting += waiting;
      if (oldestAt !== null) sum.oldestAt = Math.min(oldestAt, sum.oldestAt ?? oldestAt);
    }
  }
  return sums;
}
