/**
 * List prices of the Workers Paid plan in US dollars, beyond the included usage and without storage, on 2026-11-23:
 * https://developers.cloudflare.com/workers/platform/pricing/ (requests, CPU time, D1),
 * https://developers.cloudflare.com/durable-objects/platform/pricing/, https://developers.cloudflare.com/r2/pricing/,
 * https://developers.cloudflare.com/workers/observability/logs/workers-logs/#pricing. Rate limits, invalidations and
 * what Workers Caching keeps are free. A call of a cached entrypoint is billed as a request.
 */
const MILLION = 1_000_000;

export const PRICES = {
  request: 0.3 / MILLION,
  cpuMs: 0.02 / MILLION,
  d1RowRead: 0.001 / MILLION,
  d1RowWritten: 1 / MILLION,
  r2Read: 0.36 / MILLION,
  r2Write: 4.5 / MILLION,
  objectRequest: 0.15 / MILLION,
  objectGigabyteSecond: 12.5 / MILLION,
  objectRowWritten: 1 / MILLION,
  logLine: 0.6 / MILLION,
} as const;

/** An object is billed as 128 MB. */
export const OBJECT_GIGABYTES = 0.128;

/**
 * Estimates for what the simulation does not count, all on the high side: milliseconds of CPU time per run of an
 * entrypoint, rows that a statement reads (the picture query reads a name, a space, a media item, a master, and two to
 * eight variants), and rows that a change writes, with those of its indexes.
 */
export const ASSUMED = { cpuMsPerRun: 1, rowsPerStatement: 20, rowsPerChange: 4 } as const;

export interface Counted {
  /** Runs of the default entrypoint for visitors. */
  requests: number;
  /** Calls of the cached entrypoint, including invalidations. */
  loopbacks: number;
  /** Runs of any entrypoint, including the sweep. A stored answer runs none. */
  runs: number;
  d1Statements: number;
  d1Changes: number;
  r2Reads: number;
  r2Writes: number;
  objectCalls: number;
  objectActiveMs: number;
  objectWrites: number;
  logLines: number;
}

export interface Cost {
  requests: number;
  beyond: number;
  parts: Record<string, number>;
}

/** Returns the cost in dollars. */
export function costOf(counted: Counted): Cost {
  const { rowsPerStatement, rowsPerChange, cpuMsPerRun } = ASSUMED;
  const parts = {
    "CPU time": counted.runs * cpuMsPerRun * PRICES.cpuMs,
    D1:
      counted.d1Statements * rowsPerStatement * PRICES.d1RowRead +
      counted.d1Changes * rowsPerChange * PRICES.d1RowWritten,
    R2: counted.r2Reads * PRICES.r2Read + counted.r2Writes * PRICES.r2Write,
    objects:
      counted.objectCalls * PRICES.objectRequest +
      (counted.objectActiveMs / 1000) * OBJECT_GIGABYTES * PRICES.objectGigabyteSecond +
      counted.objectWrites * PRICES.objectRowWritten,
    logs: counted.logLines * PRICES.logLine,
  };
  const beyond = Object.values(parts).reduce((sum, part) => sum + part, 0);
  return { requests: (counted.requests + counted.loopbacks) * PRICES.request, beyond, parts };
}
