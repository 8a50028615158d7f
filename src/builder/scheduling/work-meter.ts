/** What row codecs share: their errors, and turns of the event loop. */

/** The memory a row codec was given may not grow as far as the picture needs. */
export class RowMemoryError extends Error {
  override readonly name = "RowMemoryError";
  readonly code = "OUT_OF_MEMORY";
}

/** A row source ended before its last row. */
export class RowShortageError extends Error {
  override readonly name = "RowShortageError";
  readonly code = "TRUNCATED";
}

/** Units since the event loop had its last turn, by what gives it one. */
const spentBy = new WeakMap<() => Promise<void>, { units: number }>();

/**
 * Gives the event loop a turn after a bounded amount of work. Work is counted in units of about a
 * nanosecond of computing, never read from a clock: that of a deployed Worker stands still meanwhile.
 * All meters with the same `turn` count together: decoder, resampler and encoder work between the same turns.
 */
export class WorkMeter {
  readonly #turn: () => Promise<void>;
  readonly #spent: { units: number };

  constructor(turn: () => Promise<void>) {
    this.#turn = turn;
    this.#spent = spentBy.get(turn) ?? { units: 0 };
    spentBy.set(turn, this.#spent);
  }

  /** Counts work that was just done; the promise is to be awaited. */
  spend(units: number): Promise<void> {
    this.#spent.units += units;
    if (this.#spent.units < UNITS_PER_TURN) return NO_TURN;
    this.#spent.units = 0;
    return this.#turn();
  }
}

/** One for all: batches are small and many. */
const NO_TURN = Promise.resolve();

/** About 8 ms on a fast machine: room for one six times slower, and little beside it are the 0.8 ms of a turn in workerd. */
const UNITS_PER_TURN = 8_000_000;
