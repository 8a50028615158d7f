/**
 * Where the time of a build goes, for the log. A deployed clock stands still while something computes, so that what it
 * shows there is what was waited for.
 */

/** Milliseconds of each phase; they follow each other, but for `master`. */
export interface BuildTimes {
  /** Until a room has place and asks for the master. */
  room: number;
  /** Until the builder has taken the last byte of the master, from when it was asked for. */
  master: number;
  /** Until the first part of the variant is there, or all of it, from when the master was asked for. */
  build: number;
  /** Until its bytes are in R2. */
  put: number;
  /** Until its row is in D1. */
  row: number;
}

export class BuildClock {
  readonly #times: BuildTimes = { room: 0, master: 0, build: 0, put: 0, row: 0 };
  #last = Date.now();

  /** The phase `name` is over. */
  ended(name: Exclude<keyof BuildTimes, "master">): void {
    const now = Date.now();
    this.#times[name] += now - this.#last;
    this.#last = now;
  }

  /** To be called when the master is opened: the one before it ends, and its bytes are waited for. */
  masterIsRead(reading: Promise<unknown>): void {
    const from = Date.now();
    const note = (): void => void (this.#times.master = Date.now() - from);
    reading.then(note, note);
  }

  get times(): BuildTimes {
    return { ...this.#times };
  }
}
