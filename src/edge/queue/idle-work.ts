/**
 * What a space's queue does while no visitor's build is to be done: placeholders, one master after the other, and then
 * builds ahead (the lane "idle"). The list of masters is in D1 (storage/placeholders.ts); here is only when to look, in
 * SQLite, so that an eviction or a crash does not end it.
 */
import { PLACEHOLDER } from "../../limits.ts";
import { logNoLook } from "./log.ts";
import { GAVE_WAY } from "./make-placeholder.ts";
import type { PlaceholderOutcome } from "./outcome.ts";
import type { Statements } from "./sql.ts";

export interface IdleTools {
  /** Makes one placeholder of a space; null when there is none to be made. */
  makePlaceholder(spaceId: string, signal: AbortSignal): Promise<PlaceholderOutcome | null>;
  /** Starts the next build of the lane "idle"; false when none can run now. Calls `buildEnded` at its end. */
  startBuild(now: number): boolean;
  /** Called when a try has ended, for the next thing to begin. */
  ended(): void;
}

export class IdleWork {
  readonly #q: Statements;
  readonly #tools: IdleTools;
  #run: AbortController | null = null;
  /** Something was announced since the list was last looked at. */
  #isAnnounced = false;
  /** The list of masters was looked through: only builds are left. */
  #isListDone = false;

  constructor(q: Statements, tools: IdleTools) {
    this.#q = q;
    this.#tools = tools;
  }

  /** There may be masters without a placeholder: looks for them once it is quiet. */
  announce(spaceId: string, now: number): void {
    this.#isAnnounced = true;
    this.#isListDone = false;
    this.plan(spaceId, now);
  }

  /** Something is to be done once it is quiet. */
  plan(spaceId: string, now: number): void {
    this.#q.planIdleWork(spaceId, now + PLACEHOLDER.quietMs);
  }

  /** A visitor's build begins or ends: what runs here stops at once, and what waits does so for longer. */
  giveWay(now: number): void {
    const quietAt = now + PLACEHOLDER.quietMs;
    // While a try runs, the time that is written down is that of its end; otherwise it may be that of a pause.
    if (this.#run) this.#q.setIdleWorkDue(quietAt);
    else this.#q.delayIdleWork(quietAt);
    this.stop(GAVE_WAY);
  }

  stop(reason: string): void {
    this.#run?.abort(reason);
    this.#run = null;
  }

  /** When `next` is to be called; null when nothing is known to be done. */
  dueAt(): number | null {
    return this.#q.idleWork()?.dueAt ?? null;
  }

  /** Begins the next try if it is time. To be called while nothing else is to be done, as often as one likes. */
  next(now: number): void {
    const work = this.#q.idleWork();
    if (!work || now < work.dueAt) return;
    if (this.#isListDone) {
      this.#nextBuild(now);
      return;
    }
    const isOverdue = this.#run !== null;
    this.stop("overdue");
    this.#q.setIdleWorkDue(now + (isOverdue ? PLACEHOLDER.pauseMs : PLACEHOLDER.tryMaxMs));
    if (isOverdue) return;
    const run = new AbortController();
    this.#run = run;
    // Not awaited: admissions go on meanwhile.
    void this.#try(work.spaceId, run.signal)
      .catch((error: unknown) => {
        logNoLook(work.spaceId, error);
        return PLACEHOLDER.pauseMs;
      })
      .then((pauseMs) => this.#end(run, pauseMs));
  }

  /** A build that was started here is over: settled, or back in its lane. */
  buildEnded(isSettled: boolean, now: number): void {
    this.#q.setIdleWorkDue(isSettled ? now : now + PLACEHOLDER.pauseMs);
  }

  #nextBuild(now: number): void {
    if (!this.#q.hasIdleJobs()) this.#q.endIdleWork();
    else if (!this.#tools.startBuild(now)) this.#q.setIdleWorkDue(now + PLACEHOLDER.pauseMs);
  }

  /** How long to pause before the next try; null when there is nothing left to be tried. */
  async #try(spaceId: string, signal: AbortSignal): Promise<number | null> {
    this.#isAnnounced = false;
    const outcome = await this.#tools.makePlaceholder(spaceId, signal);
    if (!outcome) return this.#hasNews() ? 0 : null;
    return outcome.state === "made" || outcome.state === "failed" ? 0 : PLACEHOLDER.pauseMs;
  }

  /** What was announced after the list was looked at may not have been on it. */
  #hasNews(): boolean {
    return this.#isAnnounced;
  }

  #end(run: AbortController, pauseMs: number | null): void {
    if (this.#run !== run) return;
    this.#run = null;
    this.#isListDone = pauseMs === null;
    if (pauseMs !== null) this.#q.setIdleWorkDue(Date.now() + pauseMs);
    else if (this.#q.hasIdleJobs()) this.#q.setIdleWorkDue(Date.now());
    else this.#q.endIdleWork();
    this.#tools.ended();
  }
}
