/** Times as the console says them. */
import { describe, expect, it } from "vitest";
import { ago } from "../../../src/console/lib/format.ts";

const NOW = Date.parse("2026-07-01T12:00:00Z");
const DAY_MS = 86_400_000;
const from = (ms: number): string => ago(new Date(NOW + ms).toISOString(), NOW);

describe("a time as its distance from now", () => {
  it("counts whole units of what is over", () => {
    expect(from(-30_000)).toBe("now");
    expect(from(-3 * 60_000 - 59_000)).toBe("3 minutes ago");
    expect(from(-1.9 * DAY_MS)).toBe("yesterday");
  });
  it("rounds what is to come, so that 30 days are 30 days a moment later", () => {
    expect(from(30 * DAY_MS - 1000)).toBe("in 30 days");
    expect(from(7 * DAY_MS - 1000)).toBe("in 7 days");
    expect(from(2 * 60_000 - 1000)).toBe("in 2 minutes");
  });
});
