/** The simulation of a day of views (`npm run bench views`), without its requests (views-day.long.test.ts). */
import { describe, expect, it } from "vitest";
import { Clock } from "../../../scripts/bench/views/clock.ts";
import { ASSUMED, costOf, type Counted } from "../../../scripts/bench/views/prices.ts";
import { eventsOf, zipf, type Day } from "../../../scripts/bench/views/traffic.ts";
import { randomOf } from "../../../scripts/samples/random.ts";

const DAY: Day = {
  ...{ hours: 1, views: 1500, pictures: 15, regions: 3, uploads: 2, trashings: 2 },
  trashed: "evenly",
};

describe("the clock", () => {
  it("tells whole milliseconds, also when an event happens between two", async () => {
    const clock = new Clock(1000);
    await clock.passTo(2000.75);
    expect([clock.now(), clock.dateClass().now(), new (clock.dateClass())().getTime()]).toEqual([
      2000, 2000, 2000,
    ]);
  });

  it("fires timers at their time, the earliest first", async () => {
    const clock = new Clock(0);
    const fired: [string, number][] = [];
    for (const [name, ms] of [
      ["late", 20.5],
      ["early", 10],
    ] as const)
      clock.setTimeout(() => void fired.push([name, clock.now()]), ms);
    await clock.passTo(20.5);
    expect(fired).toEqual([
      ["early", 10],
      ["late", 20],
    ]);
  });
});

describe("the traffic", () => {
  it("is in order of time, and the same each time", () => {
    const [one, other] = [[...eventsOf(DAY)], [...eventsOf(DAY)]];
    expect(one).toEqual(other);
    expect(one.map(({ at }) => at)).toEqual(one.map(({ at }) => at).sort((a, b) => a - b));
    const count = (kind: string): number => one.filter((event) => event.kind === kind).length;
    expect(["view", "upload", "trash", "sweep"].map(count)).toEqual([1500, 2, 2, 60]);
  });

  it("trashes any picture alike, or those with more views more often", () => {
    const day: Day = { ...DAY, views: 0, uploads: 0, pictures: 100, trashings: 20_000 };
    const shareOfFirst = (trashed: Day["trashed"]): number => {
      const ranks = [...eventsOf({ ...day, trashed })].flatMap((event) =>
        event.kind === "trash" ? [event.rank] : [],
      );
      return ranks.filter((rank) => rank === 0).length / ranks.length;
    };
    expect(shareOfFirst("evenly")).toBeCloseTo(0.01, 2);
    // 1 / (1 + 1/2 + … + 1/100)
    expect(shareOfFirst("by-views")).toBeCloseTo(0.193, 1);
  });

  it("asks for the k-th picture 1 / k times as often as for the first", () => {
    const draw = zipf(100, randomOf(1));
    const counts = new Array<number>(100).fill(0);
    for (let i = 0; i < 100_000; i++) counts[draw()]! += 1;
    for (const k of [2, 4, 10]) expect(counts[0]! / counts[k - 1]! / k).toBeCloseTo(1, 0);
  });
});

it("a price has each count in it once", () => {
  const none: Counted = {
    ...{ requests: 0, loopbacks: 0, runs: 0, d1Statements: 0, d1Changes: 0, r2Reads: 0, r2Writes: 0 },
    ...{ objectCalls: 0, objectActiveMs: 0, objectWrites: 0, logLines: 0 },
  };
  const million = (name: keyof Counted): number => {
    const { requests, beyond } = costOf({ ...none, [name]: 1_000_000 });
    return Number((requests + beyond).toFixed(6));
  };
  const { cpuMsPerRun, rowsPerStatement, rowsPerChange } = ASSUMED;
  expect(million("requests")).toBe(0.3);
  expect(million("loopbacks")).toBe(0.3);
  expect(million("runs")).toBe(0.02 * cpuMsPerRun);
  expect(million("d1Statements")).toBe(0.001 * rowsPerStatement);
  expect(million("d1Changes")).toBe(rowsPerChange);
  expect(million("r2Reads")).toBe(0.36);
  expect(million("r2Writes")).toBe(4.5);
  expect(million("objectCalls")).toBe(0.15);
  expect(million("objectWrites")).toBe(1);
  expect(million("logLines")).toBe(0.6);
});
