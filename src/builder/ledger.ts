/**
 * What an isolate has promised, and what a build really takes. One isolate runs one build at a time (it is one
 * thread) and may be shared by several rooms: so there is one ledger an isolate.
 */
import { ISOLATE } from "../limits.ts";

export class Ledger {
  #booked = 0;
  #building = false;

  get bookedBytes(): number {
    return this.#booked;
  }

  /** Books a build of `bytes`; null when one is running or the bytes do not fit. Call the answer when it ends. */
  book(bytes: number): (() => void) | null {
    if (this.#building || this.#booked + bytes > ISOLATE.buildBytes) return null;
    this.#building = true;
    this.#booked += bytes;
    let open = true;
    return () => {
      if (!open) return;
      open = false;
      this.#building = false;
      this.#booked -= bytes;
    };
  }
}

/** Counts what one build holds, by name, and the most that it held at once. */
export class Tally {
  readonly #held = new Map<string, number>();
  #peak = 0;

  /** `name` takes `bytes` now; 0 gives them back. */
  set(name: string, bytes: number): void {
    this.#held.set(name, bytes);
    this.#peak = Math.max(this.#peak, this.heldBytes);
  }

  clear(): void {
    this.#held.clear();
    this.#peak = 0;
  }

  get heldBytes(): number {
    let sum = 0;
    for (const bytes of this.#held.values()) sum += bytes;
    return sum;
  }

  get peakBytes(): number {
    return this.#peak;
  }
}
