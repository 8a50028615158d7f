/**
 * What this isolate has counted since it last told the object `Metrics` (RULES 10.10). The counts of all requests and
 * objects of the isolate are together, as plain data. A request tells when 10 seconds have passed since the last
 * telling, as it may not wait; an object waits and tells then.
 */
import type { Env } from "../config.ts";
import { METRICS } from "../../limits.ts";
import type { MetricsApi, QueueReport } from "./messages.ts";
import { Tally } from "./tally.ts";

export type MetricsEnv = Pick<Env, "METRICS">;

/** Keeps work going after the answer. */
export type WaitUntil = (work: Promise<unknown>) => void;

const tally = new Tally();
/** Lanes that have changed, by space. */
const queues = new Map<string, QueueReport>();
let sweptAt: number | undefined;
/** When it was last told, in milliseconds. */
let toldAt = 0;
/** For when an object of this isolate has planned to tell, in milliseconds. */
let plannedFor = 0;

/** There is one of a deployment. */
const NAME = "metrics";

export const metricsObject = ({ METRICS: namespace }: MetricsEnv): MetricsApi =>
  namespace.get(namespace.idFromName(NAME)) as unknown as MetricsApi;

/** Of a request: what it lets `count` add is told by whichever request comes 10 seconds after the last telling. */
export function record(env: MetricsEnv, waitUntil: WaitUntil, count: (tally: Tally) => void): void {
  count(tally);
  if (Date.now() >= toldAt + METRICS.tellEveryMs) waitUntil(tell(env));
}

/** Of an object, which goes on after its answers: told within 10 seconds. */
export function recordLater(env: MetricsEnv, count: (tally: Tally) => void): void {
  count(tally);
  tellLater(env);
}

export function recordQueue(env: MetricsEnv, report: QueueReport): void {
  queues.set(report.spaceId, report);
  tellLater(env);
}

/** Tells at once: a sweep is over once per minute, and nobody waits for it. */
export async function tellSweep(env: MetricsEnv, now: number, count: (tally: Tally) => void): Promise<void> {
  count(tally);
  sweptAt = now;
  await tell(env);
}

function tellLater(env: MetricsEnv): void {
  const now = Date.now();
  // Its object may be gone since: then another one plans anew.
  if (now < plannedFor + METRICS.tellEveryMs) return;
  plannedFor = now + METRICS.tellEveryMs;
  setTimeout(() => {
    plannedFor = 0;
    void tell(env);
  }, METRICS.tellEveryMs);
}

/** Tells now what was counted. What cannot be told is told the next time. Throws nothing. */
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
