import type { RowSource } from "./row-source.ts";

/** Samples a pixel of each layout. */
export const CHANNELS_OF: Record<RowSource["layout"], number> = {
  gray: 1,
  "gray-alpha": 2,
  rgb: 3,
  rgba: 4,
  cmyk: 4,
};

/** Bytes a row codec gathers before it hands rows or chunks on. */
export const BATCH_BYTES = 16_384;

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

/** Whole rows that fit a batch; at least one. */
export function rowsPerBatch(rowBytes: number, height: number): number {
  return Math.max(1, Math.min(height, Math.floor(BATCH_BYTES / rowBytes)));
}

/** Bytes of WebAssembly memory that hold `bytes`: whole pages of 64 KiB. */
export function wholePages(bytes: number): number {
  return Math.ceil(bytes / 65_536) * 65_536;
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

/** About 8 ms on a fast machine, which leaves room for one six times slower. */
const UNITS_PER_TURN = 8_000_000;
