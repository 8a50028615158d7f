/**
 * Cold budgets (RULES 8.3): unique variants admitted in 10 minutes, for a client and for the space.
 * A window starts at its first charge; only an admitted key is charged.
 */
import { QUEUE } from "../../limits.ts";
import type { Statements } from "./sql.ts";

export type Budget = "client" | "space";

interface Window {
  startedAt: number;
  used: number;
}

const MAX: Record<Budget, number> = { client: QUEUE.coldPerClientMax, space: QUEUE.coldPerSpaceMax };

/** The window that counts now: none once its time is over. */
export const current = (window: Window | null, now: number): Window | null =>
  window && now < window.startedAt + QUEUE.coldWindowMs ? window : null;

const ownerOf = (budget: Budget, client: string): string =>
  budget === "space" ? "space" : `client:${client}`;

/** The budget that has no charge left, the client's before the space's; null when both have. */
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

export const spaceUsed = (q: Statements, now: number): number => current(q.budget("space"), now)?.used ?? 0;

/** How far the space's window is used up, and when it is over, in milliseconds. */
export function spaceBudget(
  q: Statements,
  now: number,
): { used: number; max: number; resetsAt: number | null } {
  const window = current(q.budget("space"), now);
  const resetsAt = window && window.startedAt + QUEUE.coldWindowMs;
  return { used: window?.used ?? 0, max: MAX.space, resetsAt };
}
