/** Between tests: real time, no queue at work, an obedient builder, empty storage. Call at the top of a test file. */
import { afterEach, vi } from "vitest";
import { builder } from "./fake-builder.ts";
import { clearQueues } from "./queue.ts";
import { emptyStorage } from "./rows.ts";

export function cleanBetweenTests(): void {
  afterEach(async () => {
    vi.useRealTimers();
    vi.restoreAllMocks();
    await clearQueues();
    builder.reset();
    await emptyStorage();
  });
}

/** Moves the clock that windows, memories and leases are counted by. Alarms then only run when a test runs them. */
export function moveClock(byMs: number): void {
  const now = Date.now();
  if (!vi.isFakeTimers()) vi.useFakeTimers({ toFake: ["Date"], now });
  vi.setSystemTime(now + byMs);
}
