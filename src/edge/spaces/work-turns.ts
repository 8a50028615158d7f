/**
 * Lets an isolate answer others between pieces of long computing (RULES 1.11). A piece cannot be interrupted, so after
 * each one the next waits for as long as the isolate needs to serve the requests that have come meanwhile. The first
 * piece of a space that has caused little computing lately does not wait: the small drawing of an editor is checked at
 * once, whatever others upload.
 */
import { SECOND_MS, SPACE_WORK } from "../../limits.ts";
import { MinuteCounts } from "./minute-counts.ts";
import { rateLimited } from "./rate-limited.ts";

interface Waiter {
  spaceId: string;
  /** Milliseconds. */
  lastLook: number;
}

const MS_PER_UNIT = SPACE_WORK.unitNs / 1_000_000;

export class WorkTurns {
  readonly #recent = new MinuteCounts();
  readonly #waiting = new Set<Waiter>();
  readonly #now: () => number;
  readonly #sleep: (ms: number) => Promise<void>;
  /** Milliseconds. */
  #pausedUntil = 0;
  /** When the computing was noted after which the pause is made, in milliseconds. */
  #notedAt = 0;

  constructor(now: () => number, sleep: (ms: number) => Promise<void>) {
    this.#now = now;
    this.#sleep = sleep;
  }

  /**
   * Waits until the space may begin a piece of computing. It has to begin at once then, and to be noted. A waiter looks
   * by a timer of its own, because a request must not wait for another one to wake it.
   * @throws ApiError RATE_LIMITED when the turn does not come in time
   */
  async take(spaceId: string): Promise<void> {
    if (this.#isBusy(spaceId, this.#now())) await this.takeNext(spaceId);
  }

  /**
   * Does the same for a piece that continues another one. It always waits, however little its space has caused: the
   * requests that have come during the piece before it are served first.
   */
  async takeNext(spaceId: string): Promise<void> {
    const began = this.#now();
    const waiter = { spaceId, lastLook: began };
    this.#waiting.add(waiter);
    try {
      for (let now = began; this.#isPaused(now) || !this.#isNext(waiter, now); now = this.#now()) {
        if (now - began >= SPACE_WORK.turnWaitMaxMs) throw rateLimited(TOO_MUCH, SPACE_WORK.turnWaitMaxMs);
        waiter.lastLook = now;
        await this.#sleep(Math.max(SPACE_WORK.turnPollMs, Math.min(this.#pausedUntil - now, SECOND_MS)));
      }
    } finally {
      this.#waiting.delete(waiter);
    }
  }

  /**
   * Counts computing that was just done, in units of SPACE_WORK. The clock of a Worker stands still while it computes,
   * so the pause begins after the time that the units stand for. The
   * pauses of a busy space follow one another.
   */
  note(spaceId: string, units: number): void {
    const now = this.#now();
    this.#recent.add(spaceId, now, units);
    const ms = units * MS_PER_UNIT * (1 + SPACE_WORK.pausePerWork);
    const pausedUntil = this.#isPaused(now) ? this.#pausedUntil : now;
    this.#pausedUntil = this.#isBusy(spaceId, now) ? pausedUntil + ms : Math.max(pausedUntil, now + ms);
    this.#notedAt = now;
  }

  /** Returns whether a pause is under way. One that began later than now is of a clock that was set back. */
  #isPaused(now: number): boolean {
    return now >= this.#notedAt && now < this.#pausedUntil;
  }

  #isBusy(spaceId: string, now: number): boolean {
    return this.#recent.of(spaceId, now) > SPACE_WORK.freeUnitsPerMinute;
  }

  /** Returns whether no other waiter is before this one. Spaces that caused less go first. */
  #isNext(waiter: Waiter, now: number): boolean {
    const units = this.#recent.of(waiter.spaceId, now);
    for (const other of this.#waiting) {
      if (other === waiter) continue;
      // The platform may end a request without running its `finally`.
      if (now - other.lastLook > 2 * SECOND_MS) this.#waiting.delete(other);
      else if (this.#recent.of(other.spaceId, now) < units) return false;
    }
    return true;
  }
}

const TOO_MUCH = "This space has more computing under way here than it may.";

/** The turns of this isolate. */
export const workTurns = new WorkTurns(Date.now, (ms) => new Promise((resolve) => setTimeout(resolve, ms)));
