/** The state of a space's queue, for routes. Nothing here changes it. */
import { QUEUE } from "../../limits.ts";
import type { JobLane, LaneState, MissingVariants, QueueActivity, QueueUsage } from "../messages.ts";
import { spaceBudget, spaceUsed } from "./schedule/budgets.ts";
import { countOf } from "./schedule/lanes.ts";
import type { Statements } from "./store/sql.ts";

export function usageOf(q: Statements, now: number): QueueUsage {
  const counts = q.laneCounts(now);
  return {
    lightWaiting: countOf(counts, "light").waiting,
    heavyWaiting: countOf(counts, "heavy").waiting,
    running: q.running() ? 1 : 0,
    failuresRemembered: q.countFailures(now),
    coldBudgetUsed: spaceUsed(q, now),
    coldBudgetMax: QUEUE.coldPerSpaceMax,
  };
}

export function stateOf(q: Statements, now: number): Pick<QueueActivity, "lanes" | "running" | "budget"> {
  const counts = q.laneCounts(now);
  const laneState = (lane: JobLane): LaneState => ({
    waiting: countOf(counts, lane).waiting,
    oldestAt: q.oldestOf(lane),
  });
  return {
    lanes: { light: laneState("light"), heavy: laneState("heavy"), idle: laneState("idle") },
    running: q.running() ? 1 : 0,
    budget: spaceBudget(q, now),
  };
}

const fileOf = (key: string): string => key.slice(key.lastIndexOf("/") + 1);

/** @param prefix what the keys of a master version's variants begin with */
export function missingOf(q: Statements, prefix: string, now: number): MissingVariants {
  return {
    queued: q.jobsOf(prefix).map(({ key, lane, attempts, isRunning }) => ({
      ...{ file: fileOf(key), lane },
      isRunning: isRunning === 1,
      tries: attempts,
    })),
    failed: q.failuresOf(prefix, now).map(({ key, reason, until }) => ({ file: fileOf(key), reason, until })),
  };
}
