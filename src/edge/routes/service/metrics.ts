/** The route of the deployment's figures, for Prometheus (RULES 10.10). */
import { answered } from "../../http/answered.ts";
import { SHARDS } from "../../../limits.ts";
import { openShard } from "../../http/context.ts";
import { onEachShard, type Walked } from "../../shards/walk.ts";
import { endpoint, type App } from "../../http/endpoint.ts";
import { exposition, EXPOSITION_TYPE, type Gauge } from "../../metrics/exposition.ts";
import { metricsObject, tell } from "../../metrics/isolate.ts";
import { sumLanes } from "../../metrics/lanes.ts";
import type { MetricsTotals } from "../../metrics/messages.ts";
import { readStoredBytes, type StoredBytes } from "../../storage/spaces/usage.ts";

const LANES = ["light", "heavy", "idle"];

/**
 * Returns the bytes in R2, which are known only if every database answers, and the sizes of the databases that answer.
 */
function storedGauges(walked: Walked<StoredBytes>[]): Gauge[] {
  const stored = walked.flatMap((one) => (one.ok ? [one.value] : []));
  const sumOf = (bytes: "masterBytes" | "variantBytes" | "remoteBytes"): number =>
    stored.reduce((sum, one) => sum + one[bytes], 0);
  const sums: Gauge[] = [
    { name: "stored_bytes", labels: { kind: "master" }, value: sumOf("masterBytes") },
    { name: "stored_bytes", labels: { kind: "variant" }, value: sumOf("variantBytes") },
    { name: "stored_bytes", labels: { kind: "remote" }, value: sumOf("remoteBytes") },
  ];
  const sizes = walked.flatMap((one): Gauge[] =>
    one.ok
      ? [{ name: "database_bytes", labels: { database: String(one.shard) }, value: one.value.databaseBytes }]
      : [],
  );
  return [...(stored.length === walked.length ? sums : []), ...sizes];
}

function gaugesOf({ queues, sweptAt }: MetricsTotals, stored: Walked<StoredBytes>[], now: number): Gauge[] {
  const lanes = sumLanes(queues);
  const seconds = (since: number | null | undefined): number =>
    since === null || since === undefined ? 0 : Math.max(0, (now - since) / 1000);
  return [
    ...LANES.flatMap((lane): Gauge[] => [
      { name: "queue_depth", labels: { lane }, value: lanes[lane]?.waiting ?? 0 },
      { name: "queue_oldest_seconds", labels: { lane }, value: seconds(lanes[lane]?.oldestAt) },
    ]),
    ...storedGauges(stored),
    ...(sweptAt === null
      ? []
      : [{ name: "sweep_age_seconds", labels: {}, value: seconds(sweptAt) } satisfies Gauge]),
  ];
}

export function mountMetrics(app: App): void {
  endpoint(
    app,
    {
      method: "get",
      path: "/api/v1/metrics",
      access: "deployment",
      reaches: "nothing",
      doc: {
        operationId: "getMetrics",
        tag: "Operations",
        summary: "Read the metrics of the deployment, for Prometheus",
        description:
          "Counts of the last ten seconds may be missing. The cost of this request does not depend on the number of spaces.",
        answers: { 200: { description: "Prometheus text, format 0.0.4" } },
        errors: ["UNAVAILABLE"],
      },
    },
    async ({ c }) => {
      const reading = tell(c.env).then(() => metricsObject(c.env).read());
      const [totals, stored] = await Promise.all([
        answered(reading, "The object that keeps the figures"),
        onEachShard(c.env, (shard) => readStoredBytes(openShard(c, shard)), SHARDS.patienceMs),
      ]);
      const text = exposition(totals.batch, gaugesOf(totals, stored, Date.now()));
      return c.body(text, 200, { "Content-Type": EXPOSITION_TYPE, "Cache-Control": "no-store" });
    },
  );
}
