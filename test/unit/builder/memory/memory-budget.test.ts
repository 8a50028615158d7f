/** The holder of an isolate's memory: one build at a time, and none without a heartbeat. */
import { describe, expect, it } from "vitest";
import { MemoryBudget } from "../../../../src/builder/memory/memory-budget.ts";
import { BUILDER, ISOLATE } from "../../../../src/limits.ts";

describe("a reservation", () => {
  it("is for one build at a time, and is released once", () => {
    const budget = new MemoryBudget();
    const reservation = budget.reserve(ISOLATE.buildBytes);
    expect(reservation).not.toBeNull();
    expect(budget.reserve(0)).toBeNull();
    reservation?.release();
    reservation?.release();
    expect(budget.reservedBytes).toBe(0);
    expect(budget.reserve(1)).not.toBeNull();
  });

  it("is for no more than the isolate has", () => {
    expect(new MemoryBudget().reserve(ISOLATE.buildBytes)).not.toBeNull();
    expect(new MemoryBudget().reserve(ISOLATE.buildBytes + 1)).toBeNull();
  });

  it("counts a variant until it was taken away, and lets be built beside it what fits", () => {
    const budget = new MemoryBudget();
    const first = budget.reserve(1000);
    first?.finish(400);
    expect(budget.reservedBytes).toBe(400);
    expect(budget.reserve(ISOLATE.buildBytes - 399)).toBeNull();
    const second = budget.reserve(ISOLATE.buildBytes - 400);
    expect(second?.budgetBytes).toBe(ISOLATE.buildBytes - 400);
    first?.release();
    expect(budget.reserve(0)).toBeNull();
    second?.release();
    expect(budget.reservedBytes).toBe(0);
  });
});

describe("a reservation without a heartbeat", () => {
  it("is silent only when it was looked at for long enough", () => {
    const budget = new MemoryBudget();
    budget.reserve(1000);
    expect(budget.lookForSilence(0)).toBe(false);
    expect(budget.lookForSilence(BUILDER.silentMs - 1)).toBe(false);
    expect(budget.lookForSilence(BUILDER.silentMs)).toBe(true);
  });

  it("is taken back, and whoever had it can see that", () => {
    const budget = new MemoryBudget();
    const lost = budget.reserve(1000);
    budget.lookForSilence(0);
    expect(budget.takeBackSilent(BUILDER.silentMs)).toBe(true);
    expect(lost?.isTakenBack).toBe(true);
    const next = budget.reserve(ISOLATE.buildBytes);
    expect(next).not.toBeNull();
    // A late finish of the build that was thought dead changes nothing.
    lost?.finish(500);
    lost?.release();
    expect(budget.reservedBytes).toBe(ISOLATE.buildBytes);
  });

  it("is taken back too when only a variant was held, for which no memory is wiped", () => {
    const budget = new MemoryBudget();
    budget.reserve(1000)?.finish(400);
    budget.lookForSilence(0);
    expect(budget.takeBackSilent(BUILDER.silentMs)).toBe(false);
    expect(budget.reservedBytes).toBe(0);
  });

  it("is not meant by one that beats, whatever the clock says", () => {
    const budget = new MemoryBudget();
    const reservation = budget.reserve(1000);
    for (let now = 0; now < 10 * BUILDER.silentMs; now += BUILDER.silentMs) {
      expect(budget.lookForSilence(now)).toBe(false);
      reservation?.beat();
      expect(budget.takeBackSilent(now + BUILDER.silentMs)).toBe(false);
    }
    expect(reservation?.isTakenBack).toBe(false);
  });
});
