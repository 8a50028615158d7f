/** The reports of an isolate to the object `Metrics`, by a clock that the test moves. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { METRICS } from "../../../../src/limits.ts";
import type { MetricsReport } from "../../../../src/edge/metrics/messages.ts";

const START_MS = Date.UTC(2026, 0, 1);

beforeEach(() => {
  vi.useFakeTimers({ now: START_MS });
  vi.resetModules();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Imports the module anew, as an isolate that starts does. */
async function newIsolate() {
  const reports: MetricsReport[] = [];
  const object = { add: (report: MetricsReport) => Promise.resolve(void reports.push(report)) };
  const env = { METRICS: { idFromName: String, get: () => object } };
  const { record } = await import("../../../../src/edge/metrics/isolate.ts");
  const count = (): void =>
    record(
      env,
      () => undefined,
      (tally) => tally.count("build_retries_total", { lane: "light" }),
    );
  return { reports, count };
}

test("a new isolate reports once its first count is ten seconds old, and everything at once", async () => {
  const { reports, count } = await newIsolate();
  count();
  vi.setSystemTime(START_MS + METRICS.tellEveryMs - 1);
  count();
  expect(reports).toEqual([]);
  vi.setSystemTime(START_MS + METRICS.tellEveryMs);
  count();
  expect(reports.map(({ batch }) => batch.counters)).toEqual([
    { build_retries_total: { 'lane="light"': 3 } },
  ]);
});

test("the next report is ten seconds later", async () => {
  const { reports, count } = await newIsolate();
  for (const seconds of [0, 10, 15, 19.999, 20, 25]) {
    vi.setSystemTime(START_MS + seconds * 1000);
    count();
  }
  expect(reports).toHaveLength(2);
});
