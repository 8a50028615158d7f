/** Yields to the event loop after a bounded amount of work, so that other requests of the isolate are answered. */

/** About 8 ms on a fast machine. A yield costs 0.8 ms in workerd, and a machine may be six times slower. */
const UNITS_PER_YIELD = 8_000_000;
const DONE = Promise.resolve();

/**
 * Yields, which in workerd costs as much as `setTimeout(0)`, about 0.8 ms, and others are served meanwhile. A message
 * of a MessageChannel would be handled before them. In Node it does not wait for the next millisecond, as timers do.
 */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Counts the work of one build, whose decoder, resampler and encoder share it. A unit is about a nanosecond of
 * computing. Work is never read from a clock, because the clock of a deployed Worker stands still while it computes.
 */
export class WorkMeter {
  readonly #yield: () => Promise<void>;
  #units = 0;

  /** @param yieldOnce lets others run; what it throws ends the build */
  constructor(yieldOnce: () => Promise<void> = yieldToEventLoop) {
    this.#yield = yieldOnce;
  }

  /** Counts work that was just done. The promise is to be awaited. */
  spend(units: number): Promise<void> {
    this.#units += units;
    return this.#units < UNITS_PER_YIELD ? DONE : this.yield();
  }

  /** Yields now: before or after a call that takes long in one piece. */
  yield(): Promise<void> {
    this.#units = 0;
    return this.#yield();
  }
}
