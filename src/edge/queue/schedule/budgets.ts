/**
 * Cold budgets (RULES 8.3): how many new variants a client and a space may have admitted in 10 minutes.
 * A window starts at its first charge. Only an admitted key is charged.
 */
import { QUEUE, REMOTE } from "../../../limits.ts";
import type { Statements } from "../store/sql.ts";

export type Budget = "client" | "space";

interface Window {
  startedAt: number;
  used: number;
}

const MAX: Record<Budget, number> = { client: QUEUE.coldPerClientMax, space: QUEUE.coldPerSpaceMax };

/** Returns the present window; null once its time is over. */
export const current = (window: Window | null, now: number): Window | null =>
  window && now < window.startedAt + QUEUE.coldWindowMs ? window : null;

const ownerOf = (budget: Budget, client: string): string =>
  budget === "space" ? "space" : `client:${client}`;

/** Returns which budget is used up, the client's before the space's; null when neither is. */
export function exhausted(q: Statements, client: string, now: number): Budget | null {
  for (const budget of ["client", "space"] as const) {
    const window = current(q.budget(ownerOf(budget, client)), now);
    if (window && window.used >= MAX[budget]) return budget;
  }
  return null;
}

export function charge(q: Statements, client: string, now: number): void {
  for (const budget of ["client", "space"] as const) {
    const owner = ownerOf(budget, client);
    const window = current(q.budget(owner), now) ?? { startedAt: now, used: 0 };
    q.setBudget(owner, window.startedAt, window.used + 1);
  }
}

const fetchesOf = (client: string): string => `fetches:${client}`;

/** Returns whether a client may cause another fetch from an origin (RULES 13.3). */
export function hasFetchesLeft(q: Statements, client: string, now: number): boolean {
  const window = current(q.budget(fetchesOf(client)), now);
  return window === null || window.used < REMOTE.perClientMax;
}

export function chargeFetch(q: Statements, client: string, now: number): void {
  const owner = fetchesOf(client);
  const window = current(q.budget(owner), now) ?? { startedAt: now, used: 0 };
  q.setBudget(owner, window.startedAt, window.used + 1);
}

export const spaceUsed = (q: Statements, now: number): number => current(q.budget("space"), now)?.used ?? 0;

/** Returns how much of the space's budget is used, and when its window ends, in milliseconds. */
export function spaceBudget(
  q: Statements,
  now: number,
): { used: number; max: number; resetsAt: number | null } {
  const window = current(q.budget("space"), now);
  const resetsAt = window && window.startedAt + QUEUE.coldWindowMs;
  return { used: window?.used ?? 0, max: MAX.space, resetsAt };
}
