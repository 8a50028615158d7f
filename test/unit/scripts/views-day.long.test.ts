/** The simulation of a day of views (`npm run bench views`), on a small day. */
import { describe, expect, it } from "vitest";
import { Simulation } from "../../../scripts/bench/views/simulation.ts";
import type { Day } from "../../../scripts/bench/views/traffic.ts";

const DAY: Day = {
  ...{ hours: 1, views: 1500, pictures: 15, regions: 3, uploads: 2, trashings: 2 },
  trashed: "evenly",
};

describe("a small day", () => {
  it("costs D1 less with the edge's cache, and shows nothing that it must not", async () => {
    const without = await Simulation.run(DAY, { edgeCache: "off", logSample: 1 });
    const result = await Simulation.run(DAY, { edgeCache: "on", logSample: 0.02 });
    for (const { views, staleAnswers, wrongAnswers, troubles } of [without, result])
      expect([views, staleAnswers, wrongAnswers, [...troubles]]).toEqual([DAY.views, 0, 0, []]);
    expect(result.requests).toBe(without.requests);
    expect(result.invalidations).toBe(2 * DAY.trashings);
    expect(without.loopbacks).toBe(0);
    expect(result.loopbacks).toBeGreaterThan(result.requests);
    expect(without.viewsWithoutD1).toBeLessThan(DAY.views / 10);
    expect(result.viewsWithoutD1).toBeGreaterThan(DAY.views / 2);
    expect(result.d1Queries).toBeLessThan(without.d1Queries);
    expect(result.r2Reads).toBeLessThan(without.r2Reads / 2);
  });

  it("sees an answer that is stale past its bound", async () => {
    const invalidate = (): Promise<boolean> => Promise.resolve(true);
    const result = await Simulation.run(DAY, { edgeCache: "on", logSample: 0, invalidate });
    expect(result.staleAnswers).toBeGreaterThan(0);
  });
});
