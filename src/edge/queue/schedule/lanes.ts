/**
 * Which lane runs next (RULES 8.1): light before heavy, but after 8 light ones a waiting heavy one. Within a lane, clients
 * take turns (turns-sql.ts).
 */
import type { Lane } from "../../../image/plan/build-plan.ts";
import { QUEUE } from "../../../limits.ts";
import type { JobLane } from "../../messages.ts";
import type { LaneCount } from "../store/sql.ts";

export const WAITING_MAX: Record<JobLane, number> = {
  light: QUEUE.lightWaitingMax,
  heavy: QUEUE.heavyWaitingMax,
  idle: QUEUE.idleWaitingMax,
};

/** The places of a lane that one client may hold. Builds of the lane "idle" are no client's. */
export const WAITING_PER_CLIENT_MAX: Record<Lane, number> = {
  light: QUEUE.lightWaitingPerClientMax,
  heavy: QUEUE.heavyWaitingPerClientMax,
};

const NONE = { waiting: 0, ready: 0 };

export const countOf = (counts: LaneCount[], lane: JobLane): { waiting: number; ready: number } =>
  counts.find((count) => count.lane === lane) ?? NONE;

/**
 * Returns the visitors' lane to take from, or null when nothing of theirs can run now. A light job that is passed over
 * for a moment (no room was free, or it was lost) still keeps the heavy ones back: one of those could hold the builder
 * for minutes.
 */
export function nextLane(counts: LaneCount[], lightsInARow: number): Lane | null {
  const light = countOf(counts, "light");
  const heavy = countOf(counts, "heavy");
  if (heavy.ready > 0 && lightsInARow >= QUEUE.lightInARowMax) return "heavy";
  if (light.ready > 0) return "light";
  return heavy.ready > 0 && light.waiting === 0 ? "heavy" : null;
}
