/** The messages between isolates and the object `Metrics`. Fields are added but never renamed or removed. */
import type { MetricsBatch } from "./tally.ts";

/** The waiting jobs in one lane of a queue. */
export interface LaneReport {
  waiting: number;
  /** The time when the oldest one was admitted, in milliseconds; null when none waits. */
  oldestAt: number | null;
}

/** The lanes of one space's queue, by name. */
export interface QueueReport {
  spaceId: string;
  lanes: Record<string, LaneReport>;
}

export interface MetricsReport {
  /** The counts since the previous report. */
  batch: MetricsBatch;
  /** Queues whose lanes have changed since then. */
  queues: QueueReport[];
  /** When a sweep ended, in milliseconds. */
  sweptAt?: number;
}

export interface MetricsTotals {
  batch: MetricsBatch;
  /** Queues with waiting jobs, by space. */
  queues: Map<string, QueueReport["lanes"]>;
  sweptAt: number | null;
}

export interface MetricsApi {
  add(report: MetricsReport): Promise<void>;
  read(): Promise<MetricsTotals>;
  /** Remembers how many sweeps a database has had. @returns the highest number that was known before; 0 for none */
  noteRuns(database: number, runs: number): Promise<number>;
}
