/**
 * The counts of this isolate since its last report to the object `Metrics` (RULES 10.10). All requests and objects of
 * the isolate add to the same plain data. A request cannot wait, so it reports if the last report is 10 seconds ago. An
 * object plans a report for then.
 */
import { METRICS } from "../../limits.ts";
import type { MetricsApi, QueueReport } from "./messages.ts";
import { Tally } from "./tally.ts";

/** The binding of the object `Metrics`, as far as a report needs it. */
export interface MetricsEnv {
  METRICS: { idFromName(name: string): unknown; get(id: never): unknown };
}

/** Lets work go on after the answer. */
export type WaitUntil = (work: Promise<unknown>) => void;

const tally = new Tally();
/** Queues whose lanes have changed, by space. */
const queues = new Map<string, QueueReport>();
let sweptAt: number | undefined;
/** The time of the last report, or of the isolate's first count, in milliseconds. */
let toldAt: number | null = null;
/** The time for which an object of this isolate has planned a report, in milliseconds. */
let plannedFor = 0;

/** The name of the object `Metrics`, of which a deployment has one. */
const NAME = "metrics";

export const metricsObject = ({ METRICS: namespace }: MetricsEnv): MetricsApi =>
  namespace.get(namespace.idFromName(NAME) as never) as MetricsApi;

/**
 * Adds counts of a request. The first request that comes 10 seconds after the last report makes the next report. A new
 * isolate waits as long for its first one, because many live for a few requests only.
 */
export function record(env: MetricsEnv, waitUntil: WaitUntil, count: (tally: Tally) => void): void {
  count(tally);
  const now = Date.now();
  toldAt ??= now;
  if (now >= toldAt + METRICS.tellEveryMs) waitUntil(tell(env));
}

/** Adds counts of an object, which lives on after its answers, and plans a report within 10 seconds. */
export function recordLater(env: MetricsEnv, count: (tally: Tally) => void): void {
  count(tally);
  tellLater(env);
}

export function recordQueue(env: MetricsEnv, report: QueueReport): void {
  queues.set(report.spaceId, report);
  tellLater(env);
}

/** Adds counts of a sweep and reports at once: there is one sweep per minute, and no visitor waits for it. */
export async function tellSweep(env: MetricsEnv, now: number, count: (tally: Tally) => void): Promise<void> {
  count(tally);
  sweptAt = now;
  await tell(env);
}

function tellLater(env: MetricsEnv): void {
  const now = Date.now();
  // The object that planned the report may have been evicted. Then another one plans it.
  if (now < plannedFor + METRICS.tellEveryMs) return;
  plannedFor = now + METRICS.tellEveryMs;
  setTimeout(() => {
    plannedFor = 0;
    void tell(env);
  }, METRICS.tellEveryMs);
}

/** Reports the counts. If that fails, they are part of the next report. Throws nothing. */
export async function tell(env: MetricsEnv): Promise<void> {
  toldAt = Date.now();
  if (tally.isEmpty && queues.size === 0 && sweptAt === undefined) return;
  const batch = tally.take();
  const changed = [...queues.values()];
  const swept = sweptAt;
  queues.clear();
  sweptAt = undefined;
  try {
    await metricsObject(env).add({
      batch,
      queues: changed,
      ...(swept !== undefined && { sweptAt: swept }),
    });
  } catch (error) {
    tally.putBack(batch);
    for (const report of changed) if (!queues.has(report.spaceId)) queues.set(report.spaceId, report);
    sweptAt ??= swept;
    console.error(JSON.stringify({ event: "metrics-not-told", reason: String(error) }));
  }
}
