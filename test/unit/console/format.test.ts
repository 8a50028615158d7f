/** Numbers and times as the console says them. */
import { describe, expect, it } from "vitest";
import { ago, bytes, count, dateTime, day, percent } from "../../../src/console/lib/format.ts";

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

describe("numbers", () => {
  it("are grouped by thousands, as Intl groups them", () => {
    const grouped = new Intl.NumberFormat("en");
    for (const value of [0, 7, 999, 1000, 12_345, 999_999, 1_000_000, 123_456_789, -12_345, 1234.5])
      expect(count(value)).toBe(grouped.format(value));
  });

  it("are bytes in the unit that needs three digits at most", () => {
    expect(bytes(1)).toBe("1 byte");
    expect(bytes(812)).toBe("812 bytes");
    expect(bytes(1000)).toBe("1 KB");
    expect(bytes(34.5 * 1024)).toBe("34.5 KB");
    expect(bytes(1_026_662)).toBe("1 MB");
    expect(bytes(1.25 * 1024 ** 3)).toBe("1.3 GB");
    expect(bytes(2048 * 1024 ** 3)).toBe("2,048 GB");
  });

  it("are shares in per cent, small ones with a fraction", () => {
    expect([0, 0.003, 0.04, 0.996, 1.5].map(percent)).toEqual(["0 %", "0.3 %", "4 %", "100 %", "150 %"]);
  });
});

describe("a moment", () => {
  it("is written as Intl writes it in English", () => {
    const days = new Intl.DateTimeFormat("en", { dateStyle: "medium" });
    const moments = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });
    // Intl has a narrow space of its own before AM and PM.
    const plain = (text: string): string => text.replace(/\s/g, " ");
    for (let hour = 0; hour < 24; hour++) {
      const time = new Date(2026, hour % 12, hour + 1, hour, hour * 2).toISOString();
      expect(day(time)).toBe(plain(days.format(new Date(time))));
      expect(dateTime(time)).toBe(plain(moments.format(new Date(time))));
    }
  });
});
