/**
 * Where the time of a build goes, for the log. A deployed clock stands still while the isolate computes, so it measures
 * waiting alone.
 */

/** Milliseconds of each phase; they follow each other, but for `master` and `wait`. */
export interface BuildTimes {
  /**
   * To a room that has place, and back: the time that its build did not take by its own clock. Deployed, that clock
   * stands still while it computes, so the last stretch of computing is in here.
   */
  room: number;
  /** From when the master was asked for until its last byte was read, or no more of it was wanted. */
  master: number;
  /** Until the first part of the variant is there, or all of it, by the builder's clock. */
  build: number;
  /** The time of `build` in which the builder waited for the master's bytes. */
  wait: number;
  /** Until its bytes are in R2. */
  put: number;
  /** Until its row is in D1. */
  row: number;
}

export class BuildClock {
  readonly #times: BuildTimes = { room: 0, master: 0, build: 0, wait: 0, put: 0, row: 0 };
  #last = Date.now();

  /** Ends the phase `name`. */
  ended(name: "put" | "row"): void {
    this.#times[name] += this.#passed();
  }

  /**
   * Notes that a room has answered.
   * @param buildMs how long it took, by its own clock; a refusal does not say
   * @param waitMs for how much of that it waited for the master's bytes
   */
  answered(buildMs = 0, waitMs = 0): void {
    const passed = this.#passed();
    const build = Math.min(buildMs, passed);
    this.#times.build += build;
    this.#times.wait += Math.min(waitMs, build);
    this.#times.room += passed - build;
  }

  #passed(): number {
    const now = Date.now();
    const passed = now - this.#last;
    this.#last = now;
    return passed;
  }

  /** Measures the reading of the master's bytes. Must be called when the master is opened. */
  masterIsRead(reading: Promise<unknown>): void {
    const from = Date.now();
    const note = (): void => void (this.#times.master = Date.now() - from);
    reading.then(note, note);
  }

  get times(): BuildTimes {
    return { ...this.#times };
  }
}
