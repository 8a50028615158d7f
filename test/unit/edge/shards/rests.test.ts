/** The rests of long work, in which its databases answer others. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Rests } from "../../../../src/edge/shards/rests.ts";
import { MOVE, SWEEP } from "../../../../src/limits.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Ends a step, and says how long the rest after it takes. */
async function restOf(rests: Rests): Promise<number> {
  const began = performance.now();
  const rest: { ms: number | null } = { ms: null };
  void rests.afterStep().then(() => (rest.ms = performance.now() - began));
  for (let ms = 0; ms < 10_000 && rest.ms === null; ms++) await vi.advanceTimersByTimeAsync(ms === 0 ? 0 : 1);
  return rest.ms ?? Infinity;
}

it("come after so much work, and take a part of its time", async () => {
  const rests = new Rests(MOVE);
  vi.advanceTimersByTime(MOVE.restEveryMs - 1);
  expect(await restOf(rests)).toBe(0);
  vi.advanceTimersByTime(1);
  expect(await restOf(rests)).toBe(MOVE.restEveryMs * MOVE.restShare);
  expect(await restOf(rests)).toBe(0);
});

it("are no longer than the longest, however long a step took", async () => {
  const rests = new Rests(MOVE);
  vi.advanceTimersByTime(60_000);
  expect(await restOf(rests)).toBe(MOVE.restMaxMs);
});

it("come after so many steps, too, because the clock of a local workerd may stand still", async () => {
  const rests = new Rests(MOVE);
  for (let step = 1; step < MOVE.restEverySteps; step++) expect(await restOf(rests)).toBe(0);
  expect(await restOf(rests)).toBe(MOVE.restMinMs);
  expect(await restOf(rests)).toBe(0);
});

it("end when they have taken their whole time together, and the work goes on without them", async () => {
  const rests = new Rests(SWEEP);
  const restsMax = SWEEP.restsMaxMs / SWEEP.restMaxMs;
  for (let rest = 0; rest < restsMax; rest++) {
    vi.advanceTimersByTime(60_000);
    expect(await restOf(rests)).toBe(SWEEP.restMaxMs);
  }
  vi.advanceTimersByTime(60_000);
  expect(await restOf(rests)).toBe(0);
});
