/** What isolates and the object `Metrics` say to each other. Fields are added, never renamed or removed. */
import type { MetricsBatch } from "./tally.ts";

/** What waits in one lane of a queue. */
export interface LaneReport {
  waiting: number;
  /** When the oldest was admitted, in milliseconds; null when none waits. */
  oldestAt: number | null;
}

/** The lanes of one space's queue, by name. */
export interface QueueReport {
  spaceId: string;
  lanes: Record<string, LaneReport>;
}

export interface MetricsReport {
  /** What was counted since the report before. */
  batch: MetricsBatch;
  /** Queues whose lanes have changed since. */
  queues: QueueReport[];
  /** When a sweep ended, in milliseconds. */
  sweptAt?: number;
}

export interface MetricsTotals {
  batch: MetricsBatch;
  /** Queues in which something waits, by space. */
  queues: Map<string, QueueReport["lanes"]>;
  sweptAt: number | null;
}

export interface MetricsApi {
  add(report: MetricsReport): Promise<void>;
  read(): Promise<MetricsTotals>;
}
