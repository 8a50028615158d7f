/**
 * The work of a space's queue while no visitor's build is to be done: placeholders, one master after the other, then
 * builds ahead (the lane "idle"), and when none is left, the presets of the next master are ordered. The lists of
 * masters are in D1 (storage/pictures/placeholders.ts, storage/pictures/prebuilds.ts); here is only when to look, in
 * SQLite, so that an eviction or a crash does not end it.
 */
import { PLACEHOLDER } from "../../../limits.ts";
import { logNoLook } from "../log.ts";
import { GAVE_WAY, type PlaceholderTry } from "./make-placeholder.ts";
import type { PlaceholderOutcome } from "./outcome.ts";
import type { Statements } from "../store/sql.ts";

export interface IdleTools {
  /** Makes one placeholder of a space; null when there is none to be made. */
  makePlaceholder(attempt: PlaceholderTry): Promise<PlaceholderOutcome | null>;
  /** Orders the presets of the next master; false when there is none. */
  orderPresets(spaceId: string): Promise<boolean>;
  /** Starts the next build of the lane "idle"; false when none can run now. Calls `buildEnded` at its end. */
  startBuild(now: number): boolean;
  /** Called when a try has ended, for the next thing to begin. */
  ended(): void;
}

export class IdleWork {
  readonly #q: Statements;
  readonly #tools: IdleTools;
  #run: AbortController | null = null;
  /** Whether the try that runs has its turn: visitors' builds wait for it. */
  #hasTurn = false;
  /** When placeholders, which have given way so far, have a turn of their own; null while none had to give way. */
  #turnAt: number | null = null;
  /** Something was announced since the list was last looked at. */
  #isAnnounced = false;
  /** No master is without a placeholder: builds are next. */
  #isBuilding = false;

  constructor(q: Statements, tools: IdleTools) {
    this.#q = q;
    this.#tools = tools;
  }

  /** Announces that there may be masters without a placeholder: looks for them once it is quiet. */
  announce(spaceId: string, now: number): void {
    this.#isAnnounced = true;
    this.#isBuilding = false;
    this.plan(spaceId, now);
  }

  /** Plans work for the time when it is quiet. */
  plan(spaceId: string, now: number): void {
    this.#q.planIdleWork(spaceId, now + PLACEHOLDER.quietMs);
  }

  /**
   * Gives way to a visitor's build that begins or ends, or to a visitor's fetch that was admitted: work that runs here
   * stops at once, and work that waits does so for longer.
   */
  giveWay(now: number): void {
    const quietAt = now + PLACEHOLDER.quietMs;
    // While a try runs, the time that is written down is that of its end; otherwise it may be that of a pause.
    if (this.#q.idleWork()) this.#turnAt ??= now + PLACEHOLDER.postponedMaxMs;
    if (this.#run) this.#q.setIdleWorkDue(quietAt);
    else this.#q.delayIdleWork(quietAt);
    this.stop(GAVE_WAY);
  }

  stop(reason: string): void {
    this.#run?.abort(reason);
    this.#run = null;
    this.#hasTurn = false;
  }

  /**
   * Returns whether a placeholder comes before the visitors' builds that wait, and begins it. Must be called while no
   * build runs. Without this, a stream of visitors would postpone placeholders for as long as it lasts.
   */
  takesTurn(now: number): boolean {
    const work = this.#q.idleWork();
    if (!work) return false;
    if (!this.#hasTurn && this.#isOverdue(now)) this.#begin(work.spaceId, now);
    else if (this.#hasTurn && now >= work.dueAt) {
      this.stop("overdue");
      this.#turnAt = now + PLACEHOLDER.pauseMs;
    }
    return this.#hasTurn;
  }

  #isOverdue(now: number): boolean {
    return !this.#isBuilding && this.#turnAt !== null && now >= this.#turnAt;
  }

  get hasTurn(): boolean {
    return this.#hasTurn;
  }

  /** Returns when `next` must be called; null when no work is known. */
  dueAt(): number | null {
    return this.#q.idleWork()?.dueAt ?? null;
  }

  /** Begins the next try if it is time. To be called while nothing else is to be done, as often as one likes. */
  next(now: number): void {
    const work = this.#q.idleWork();
    if (!work || now < work.dueAt) return;
    if (this.#isBuilding) {
      this.#nextBuild(now);
      return;
    }
    const isTooLong = this.#run !== null;
    this.stop("overdue");
    if (isTooLong) this.#q.setIdleWorkDue(now + PLACEHOLDER.pauseMs);
    else this.#begin(work.spaceId, now);
  }

  #begin(spaceId: string, now: number): void {
    this.stop(GAVE_WAY);
    const run = new AbortController();
    this.#run = run;
    this.#hasTurn = this.#isOverdue(now);
    this.#q.setIdleWorkDue(now + (this.#hasTurn ? PLACEHOLDER.turnMaxMs : PLACEHOLDER.tryMaxMs));
    // Not awaited: admissions go on meanwhile.
    void this.#try({ spaceId, signal: run.signal, isOverdue: this.#hasTurn })
      .catch((error: unknown) => {
        logNoLook(spaceId, error);
        return PLACEHOLDER.pauseMs;
      })
      .then((then) => this.#end(run, then));
  }

  /** Notes that a build that was started here is over: settled, or back in its lane. */
  buildEnded(isSettled: boolean, now: number): void {
    this.#q.setIdleWorkDue(isSettled ? now : now + PLACEHOLDER.pauseMs);
  }

  #nextBuild(now: number): void {
    if (this.#tools.startBuild(now)) return;
    // One that was lost waits for a while; when there is none, masters are looked for again, and it may be the end.
    this.#isBuilding = this.#q.hasIdleJobs();
    this.#q.setIdleWorkDue(this.#isBuilding ? now + PLACEHOLDER.pauseMs : now);
    if (!this.#isBuilding) this.next(now);
  }

  /**
   * Tries, and returns how long to pause before the next try; null when there is nothing left to be tried, "build" when
   * builds are next.
   */
  async #try(attempt: PlaceholderTry): Promise<number | "build" | null> {
    this.#isAnnounced = false;
    const outcome = await this.#tools.makePlaceholder(attempt);
    if (!outcome) {
      if (this.#q.hasIdleJobs()) return "build";
      return (await this.#tools.orderPresets(attempt.spaceId)) || this.#hasNews() ? 0 : null;
    }
    if (outcome.state === "made" || outcome.state === "failed") return 0;
    if (outcome.state === "lost" || !outcome.isFull) return PLACEHOLDER.pauseMs;
    return attempt.isOverdue ? PLACEHOLDER.turnPauseMs : PLACEHOLDER.postponedMaxMs;
  }

  /** Returns whether masters were announced after the list was looked at, which may not have been on it. */
  #hasNews(): boolean {
    return this.#isAnnounced;
  }

  #end(run: AbortController, then: number | "build" | null): void {
    if (this.#run !== run) return;
    this.#run = null;
    this.#hasTurn = false;
    this.#isBuilding = then === "build";
    // One that was made ends the wait. One that was not has its turn when it is due.
    this.#turnAt = typeof then === "number" && then > 0 ? Date.now() + then : null;
    if (then === null) this.#q.endIdleWork();
    else this.#q.setIdleWorkDue(Date.now() + (then === "build" ? 0 : then));
    this.#tools.ended();
  }
}
