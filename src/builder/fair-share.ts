/**
 * Shares one isolate fairly between spaces. Each of their queues comes again at once when a build ends: those that have
 * just built would always be first. So a space that was served while another one waited lets that one go first.
 */
import { BUILDER } from "../limits.ts";

interface Claim {
  space: string;
  /** The turn during which it first asked in vain. */
  since: number;
  /** It is expected to ask again until then. */
  until: number;
}

interface Served {
  space: string;
  turn: number;
}

export class FairShare {
  #claims: Claim[] = [];
  /** The last turn of each space, the latest at the end. */
  #served: Served[] = [];
  #turn = 0;

  /**
   * Returns whether `space` may have the room that there is: no other space has waited since before its last turn
   * ended.
   */
  mayGo(space: string, now: number): boolean {
    this.#claims = this.#claims.filter(({ until }) => until > now);
    const turn = this.#served.find((served) => served.space === space)?.turn;
    return turn === undefined || this.#claims.every((claim) => claim.space === space || claim.since > turn);
  }

  /**
   * Records that `space` was refused. It has waited `waitedMs`. The longer a space has waited, the less often it asks,
   * so its claim is kept for longer.
   */
  refused(space: string, waitedMs: number, now: number): void {
    const until = now + Math.min(Math.max(waitedMs / 2, BUILDER.claimMinMs), BUILDER.claimMaxMs);
    const earlier = this.#claims.find((claim) => claim.space === space && claim.until > now);
    const others = this.#claims.filter((claim) => claim.space !== space);
    const since = earlier?.since ?? this.#turn;
    this.#claims = [...others.slice(-(BUILDER.claimsMax - 1)), { space, since, until }];
  }

  served(space: string): void {
    const others = this.#served.filter((served) => served.space !== space);
    this.#served = [...others.slice(-(BUILDER.claimsMax - 1)), { space, turn: ++this.#turn }];
    this.#claims = this.#claims.filter((claim) => claim.space !== space);
  }
}
