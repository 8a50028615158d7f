import { expect, it } from "vitest";
import { runBuildDamage } from "../../../scripts/fuzz/build-damage.ts";
import { rounds } from "../../support/ring.ts";

it("damaged masters of every kind fail as expected, and do not affect the next one (a run of scripts/fuzz/builds.ts)", async () => {
  const tallies = await runBuildDamage(1, rounds(12, 150));
  expect(Object.keys(tallies).length).toBe(14);
  const words = new Set(Object.values(tallies).flatMap((tally) => Object.keys(tally)));
  expect([...words].some((word) => word.endsWith("built"))).toBe(true);
  expect([...words].some((word) => word.endsWith("failed"))).toBe(true);
});
