/** Days of the audit's filters, which begin and end where the reader is. */
import { afterEach, expect, it } from "vitest";
import { endOfDay, startOfDay } from "../../../src/console/lib/days.ts";

const { TZ } = process.env;
afterEach(() => {
  if (TZ === undefined) delete process.env["TZ"];
  else process.env["TZ"] = TZ;
});

it.each([
  ["Europe/Berlin", "2026-03-29", 23],
  ["Europe/Berlin", "2026-10-25", 25],
  ["Europe/Berlin", "2026-12-31", 24],
  // The clocks go forward at midnight.
  ["Africa/Cairo", "2026-04-24", 23],
])("in %s end where the next one begins: %s has %d hours", (zone, day, hours) => {
  process.env["TZ"] = zone;
  expect(Intl.DateTimeFormat().resolvedOptions().timeZone).toBe(zone);
  expect((endOfDay(day) + 1 - startOfDay(day)) / 3_600_000).toBe(hours);
  const next = new Date(endOfDay(day) + 1);
  expect(next.getDate()).not.toBe(new Date(endOfDay(day)).getDate());
});
