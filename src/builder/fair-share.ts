/**
 * Whose turn it is in an isolate. Spaces share it, and each of their queues comes again at once when a build ends: the
 * one that has just built would always be first. So it lets another go first that has asked in vain and comes again.
 */
import { BUILDER } from "../limits.ts";

interface Claim {
  space: string;
  /** It is expected to ask again until then. */
  until: number;
}

export class FairShare {
  #claims: Claim[] = [];
  #lastServed: string | null = null;

  /** Whether `space` may have the room that there is: not the one that was served last while others wait. */
  mayGo(space: string, now: number): boolean {
    this.#claims = this.#claims.filter(({ until }) => until > now);
    return space !== this.#lastServed || this.#claims.every((claim) => claim.space === space);
  }

  /** `space` found no room, as often in the last `waitedMs`: the longer that is, the later it asks again. */
  refused(space: string, waitedMs: number, now: number): void {
    const until = now + Math.min(Math.max(waitedMs / 2, BUILDER.claimMinMs), BUILDER.claimMaxMs);
    const others = this.#claims.filter((claim) => claim.space !== space);
    this.#claims = [...others.slice(-(BUILDER.claimsMax - 1)), { space, until }];
  }

  served(space: string): void {
    this.#lastServed = space;
    this.#claims = this.#claims.filter((claim) => claim.space !== space);
  }
}
