/** A clock that only the simulation moves. As it moves, the timers of the simulated isolates fire. */

interface Timer {
  at: number;
  call: () => void;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
/** Simulated storage waits only for promises, so all pending work ends, or reaches a timer, in one turn. */
const TURNS = 3;

export class Clock {
  #now: number;
  #made = 0;
  readonly #timers = new Map<number, Timer>();

  /** @param start milliseconds */
  constructor(start: number) {
    this.#now = start;
  }

  /** Returns whole milliseconds, as every clock of the Workers runtime does: events happen between them too. */
  readonly now = (): number => Math.floor(this.#now);

  readonly setTimeout = (call: () => void, ms = 0): number => {
    this.#timers.set(++this.#made, { at: this.#now + ms, call });
    return this.#made;
  };

  readonly clearTimeout = (id: number): void => void this.#timers.delete(id);

  /** Fires all timers that are due until then, in order of time. */
  async passTo(at: number): Promise<void> {
    for (let next = this.#nextUntil(at); next !== null; next = this.#nextUntil(at)) {
      const timer = this.#timers.get(next) as Timer;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, timer.at);
      timer.call();
      await this.turns();
    }
    this.#now = Math.max(this.#now, at);
  }

  /** Lets all work proceed that does not wait for a timer. */
  async turns(): Promise<void> {
    for (let i = 0; i < TURNS; i++) await turn();
  }

  #nextUntil(at: number): number | null {
    let first: [id: number, at: number] | null = null;
    for (const [id, timer] of this.#timers)
      if (timer.at <= at && (first === null || timer.at < first[1])) first = [id, timer.at];
    return first && first[0];
  }

  /** Returns `Date` as an isolate sees it. */
  dateClass(): DateConstructor {
    const now = this.now;
    return class extends Date {
      constructor(...given: unknown[]) {
        super(...((given.length === 0 ? [now()] : given) as [number]));
      }

      static override now(): number {
        return now();
      }
    } as DateConstructor;
  }
}
