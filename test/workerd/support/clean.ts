/** Clears all that tests leave behind: fake time, queues at work, a disobedient builder, rows and bytes. */
import { afterEach, vi } from "vitest";
import { DELIVERY, INVALIDATION, PATIENCE, QUEUE } from "../../../src/limits.ts";
import { builder } from "./builder/fake-builder.ts";
import { clearQueues } from "./queue.ts";
import { emptyStorage } from "./rows.ts";
import { rounds } from "./objects/webhook-rounds.ts";

/** Long enough for a build that is made at once, on any machine. */
const PATIENT_MS = 30_000;
const HASTY_MS = DELIVERY.lightWaitMs;
/** Three times as long as the rules say, so that a room that does answer is not taken for one that does not. */
const HASTY_ROOM_MS = 3 * QUEUE.roomAnswerMs;

/** How long a request goes on with invalidations and their repeats by the rules. */
export const REQUEST_DRAIN_MS = INVALIDATION.requestMs;

/** Sets how long a visitor waits for a light build. A slow machine does not make one in the time of the rules. */
function visitorsWait(ms: number): void {
  (DELIVERY as { lightWaitMs: number }).lightWaitMs = ms;
}

/**
 * Sets how long calls of a room of the builder, and of an object that a route asks, may take. A slow machine needs
 * longer.
 */
function othersWait(roomMs: number, objectMs: number): void {
  (QUEUE as { roomAnswerMs: number }).roomAnswerMs = roomMs;
  (PATIENCE as { objectMs: number }).objectMs = objectMs;
}

/** Sets how long the requests that follow go on with invalidations after their answer. */
function requestsDrain(ms: number): void {
  (INVALIDATION as { requestMs: number }).requestMs = ms;
}

/** Lets requests go on with invalidations as long as the rules say, until the test ends: for tests of their repeats. */
export const patientDrains = (): void => requestsDrain(REQUEST_DRAIN_MS);

/** Shortens the waiting for others until the test ends: for tests of rooms that do not answer. */
export const hastyRooms = (): void => othersWait(HASTY_ROOM_MS, PATIENT_MS);

/**
 * Lets visitors wait only as long as the rules say, until the test ends: for tests of builds that are not made in time.
 */
export const hastyVisitors = (): void => visitorsWait(HASTY_MS);

/** Restores real time, patient visitors, no queue at work, an obedient builder, empty storage. */
export async function clean(): Promise<void> {
  vi.useRealTimers();
  vi.restoreAllMocks();
  visitorsWait(PATIENT_MS);
  // The outbox is shared: a drain that waits for its repeat would take the tags of later tests.
  requestsDrain(0);
  othersWait(PATIENT_MS, PATIENT_MS);
  await clearQueues();
  builder.reset();
  rounds.reset();
  await emptyStorage();
}

/** Cleans after each test of a file. Call it at the top of a file whose tests must not see each other's rows. */
export const cleanBetweenTests = (): void => afterEach(clean);

/** Moves the clock that windows, memories and leases are counted by. Alarms then only run when a test runs them. */
export function moveClock(byMs: number): void {
  const now = Date.now();
  if (!vi.isFakeTimers()) vi.useFakeTimers({ toFake: ["Date"], now });
  vi.setSystemTime(now + byMs);
}
