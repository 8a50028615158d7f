/** What tests leave behind: fake time, queues at work, a disobedient builder, rows and bytes. */
import { afterEach, vi } from "vitest";
import { builder } from "./fake-builder.ts";
import { clearQueues } from "./queue.ts";
import { emptyStorage } from "./rows.ts";

/** Real time, no queue at work, an obedient builder, empty storage. */
export async function clean(): Promise<void> {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await clearQueues();
  builder.reset();
  await emptyStorage();
}

/** Call at the top of a test file whose tests must not see each other's rows. */
export const cleanBetweenTests = (): void => afterEach(clean);

/** Moves the clock that windows, memories and leases are counted by. Alarms then only run when a test runs them. */
export function moveClock(byMs: number): void {
  const now = Date.now();
  if (!vi.isFakeTimers()) vi.useFakeTimers({ toFake: ["Date"], now });
  vi.setSystemTime(now + byMs);
}
