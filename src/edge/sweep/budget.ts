/** Shares the queries of one run of the sweep between its steps, because D1 takes only so many in an invocation. */
import { SWEEP } from "../../limits.ts";
import type { QueryCount } from "../storage/database/database.ts";

/** Whether a step may begin another batch. */
export type GoesOn = () => boolean;

/** Gives a step its share of the queries that are left. A step always makes its first batch. */
export function shareOf(count: QueryCount, queriesMax: number): GoesOn {
  const left = Math.max(0, queriesMax - count.queries);
  const end = count.queries + Math.max(SWEEP.queriesMin, Math.floor(left / SWEEP.queriesShare));
  return () => count.queries < end;
}

/** Returns a clock that is at its end when the share of a step is used up, for a step that works against the time. */
export const clockOf =
  (goesOn: GoesOn): (() => number) =>
  () =>
    goesOn() ? Date.now() : Infinity;

/** Returns names in an order that goes on with another one in each minute, after the first two. */
export function inTurns<Name>(names: readonly Name[], now: number): Name[] {
  const others = names.slice(2);
  const at = Math.floor(now / 60_000) % Math.max(1, others.length);
  return [...names.slice(0, 2), ...others.slice(at), ...others.slice(0, at)];
}
