/** Counts, how they add up, and the text that Prometheus reads. */
import { describe, expect, it } from "vitest";
import { exposition } from "../../../../src/edge/metrics/exposition.ts";
import { sumLanes } from "../../../../src/edge/metrics/lanes.ts";
import { addBatch, emptyBatch, Tally } from "../../../../src/edge/metrics/tally.ts";

const linesOf = (text: string, name: string): string[] =>
  text.split("\n").filter((line) => line.startsWith(`silverprint_${name}`));

describe("a tally", () => {
  it("counts by labels, and returns each count once", () => {
    const tally = new Tally();
    expect(tally.isEmpty).toBe(true);
    tally.count("build_retries_total", { lane: "light" });
    tally.count("build_retries_total", { lane: "light" }, 2);
    tally.count("build_retries_total", { lane: "heavy" }, 0);
    expect(tally.isEmpty).toBe(false);
    expect(tally.take().counters).toEqual({ build_retries_total: { 'lane="light"': 3 } });
    expect(tally.isEmpty).toBe(true);
    expect(tally.take()).toEqual(emptyBatch());
  });

  it("takes back counts that could not be reported", () => {
    const tally = new Tally();
    tally.count("build_retries_total", { lane: "light" });
    tally.observe("build_seconds", { format: "avif", lane: "light" }, 0.2);
    const batch = tally.take();
    tally.count("build_retries_total", { lane: "light" });
    tally.observe("build_seconds", { format: "avif", lane: "light" }, 0.3);
    tally.putBack(batch);
    const { counters, distributions } = tally.take();
    expect(counters["build_retries_total"]).toEqual({ 'lane="light"': 2 });
    expect(distributions["build_seconds"]?.['format="avif",lane="light"']?.sum).toBeCloseTo(0.5);
  });
});

describe("the text", () => {
  const text = (): string => {
    const tally = new Tally();
    tally.count("requests_total", { route: '/a"b\\c\nd', status: "200", transform: "hit" }, 7);
    for (const seconds of [0.01, 0.025, 0.03, 1000]) {
      tally.observe("build_seconds", { format: "webp", lane: "heavy" }, seconds);
    }
    return exposition(tally.take(), [{ name: "queue_depth", labels: { lane: "light" }, value: 3 }]);
  };

  it("has HELP and TYPE for every figure, counted or not, and ends with a line break", () => {
    const lines = text().split("\n");
    expect(lines.at(-1)).toBe("");
    const helps = lines.filter((line) => line.startsWith("# HELP "));
    const types = lines.filter((line) => line.startsWith("# TYPE "));
    expect(helps.length).toBeGreaterThan(10);
    expect(types).toHaveLength(helps.length);
    expect(lines).toContain("# TYPE silverprint_sweep_failures_total counter");
    expect(lines).toContain("# TYPE silverprint_build_seconds histogram");
    expect(lines).toContain("# TYPE silverprint_queue_depth gauge");
  });

  it("escapes the values of labels", () => {
    expect(linesOf(text(), "requests_total")).toEqual([
      'silverprint_requests_total{route="/a\\"b\\\\c\\nd",status="200",transform="hit"} 7',
    ]);
  });

  it("sums buckets up, bounds included", () => {
    const lines = linesOf(text(), "build_seconds");
    const at = (bound: string): string | undefined =>
      lines
        .find((line) => line.includes(`le="${bound}"`))
        ?.split(" ")
        .at(-1);
    expect([at("0.025"), at("0.05"), at("300"), at("+Inf")]).toEqual(["2", "3", "3", "4"]);
    expect(lines).toContain('silverprint_build_seconds_count{format="webp",lane="heavy"} 4');
    const sum = lines.find((line) => line.startsWith("silverprint_build_seconds_sum"));
    expect(Number(sum?.split(" ").at(-1))).toBeCloseTo(1000.065);
  });
});

it("batches of two versions add up, also when one has more buckets", () => {
  const total = emptyBatch();
  addBatch(total, { counters: { a: { x: 1 } }, distributions: { d: { x: { buckets: [1, 2], sum: 1 } } } });
  addBatch(total, { counters: { a: { x: 2, y: 5 }, b: { "": 1 } }, distributions: {} });
  addBatch(total, { counters: {}, distributions: { d: { x: { buckets: [1, 1, 4], sum: 2 } } } });
  expect(total).toEqual({
    counters: { a: { x: 3, y: 5 }, b: { "": 1 } },
    distributions: { d: { x: { buckets: [2, 3, 4], sum: 3 } } },
  });
});

it("lanes of several queues are summed, with the oldest of all", () => {
  const one = { light: { waiting: 2, oldestAt: 50 }, heavy: { waiting: 0, oldestAt: null } };
  const two = { light: { waiting: 1, oldestAt: 20 }, heavy: { waiting: 4, oldestAt: 90 } };
  const lanes = sumLanes(new Map(Object.entries({ one, two })));
  expect(lanes).toEqual({ light: { waiting: 3, oldestAt: 20 }, heavy: { waiting: 4, oldestAt: 90 } });
});
