/** What tests leave behind: fake time, queues at work, a disobedient builder, rows and bytes. */
import { afterEach, vi } from "vitest";
import { DELIVERY } from "../../../src/limits.ts";
import { builder } from "./fake-builder.ts";
import { clearQueues } from "./queue.ts";
import { emptyStorage } from "./rows.ts";

/** Long enough for a build that is made at once, on any machine. */
const PATIENT_MS = 30_000;
const HASTY_MS = DELIVERY.lightWaitMs;

/** How long a visitor waits for a light build. A slow machine does not make one in the time of the rules. */
function visitorsWait(ms: number): void {
  (DELIVERY as { lightWaitMs: number }).lightWaitMs = ms;
}

/** For tests of builds that are not made in time: visitors wait as long as the rules say, until the test ends. */
export const hastyVisitors = (): void => visitorsWait(HASTY_MS);

/** Real time, patient visitors, no queue at work, an obedient builder, empty storage. */
export async function clean(): Promise<void> {
  vi.useRealTimers();
  vi.restoreAllMocks();
  visitorsWait(PATIENT_MS);
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
