/**
 * The two rings of tests. The first is what a contributor runs before every commit, the second what takes longer. A file
 * marked `.rings.test.ts` runs in both, and asks here how much of it is to be done.
 */
import { inject } from "vitest";

export type Ring = "first" | "second";

declare module "vitest" {
  interface ProvidedContext {
    ring: Ring;
    /** Whether properties are tried as often as anybody has asked for (`WHOLE=1 npm run test:long`). */
    isWhole: boolean;
    /** The addresses that one client asks for. */
    addresses: number;
  }
}

/**
 * Returns how often a test repeats what it does: `few` times in the first ring, `all` in the second. `whole` is for what
 * would take a quarter of an hour by itself: the number of `WHOLE=1 npm run test:long`.
 */
export function rounds(few: number, all: number, whole = all): number {
  if (inject("ring") === "first") return few;
  return inject("isWhole") ? whole : all;
}

/** Returns the cases that the ring tries: every `step`-th in the first ring, the first one included, and all in the second. */
export const ofRing = <Case>(cases: readonly Case[], step: number): Case[] =>
  cases.filter((_, index) => inject("ring") === "second" || index % step === 0);

/** The browser of each ring. */
export const BROWSER_OF_RING = { first: "chromium", second: "firefox" } as const satisfies Record<
  Ring,
  string
>;
