import { expect, it } from "vitest";
import { runBuildDamage } from "../../../scripts/fuzz/build-damage.ts";

it("damaged masters of every kind fail as expected, and do not affect the next one (a short run of scripts/fuzz)", async () => {
  const tallies = await runBuildDamage(1, 12);
  expect(Object.keys(tallies).length).toBe(14);
  const words = new Set(Object.values(tallies).flatMap((tally) => Object.keys(tally)));
  expect([...words].some((word) => word.endsWith("built"))).toBe(true);
  expect([...words].some((word) => word.endsWith("failed"))).toBe(true);
});
