/**
 * What an isolate has promised, and what a build really takes. One isolate runs one build at a time (it is one
 * thread) and may be shared by several rooms: so there is one ledger an isolate.
 */
import { ISOLATE } from "../../limits.ts";

/** A build under way. */
export interface Booking {
  /** What the isolate has for it: all but the variants of earlier builds that nobody has taken away yet. */
  readonly budgetBytes: number;
  /** The build is over; `heldBytes` stay booked until `release`. */
  finish(heldBytes: number): void;
  /** Nothing of it is held any more. */
  release(): void;
}

export class Ledger {
  #booked = 0;
  #building = false;

  get bookedBytes(): number {
    return this.#booked;
  }

  /** Books a build of `bytes`; null when one is running or the bytes do not fit. */
  book(bytes: number): Booking | null {
    const budgetBytes = ISOLATE.buildBytes - this.#booked;
    if (this.#building || bytes > budgetBytes) return null;
    this.#building = true;
    this.#booked += bytes;
    let [held, isBuilding] = [bytes, true];
    const settle = (heldBytes: number): void => {
      if (isBuilding) this.#building = false;
      isBuilding = false;
      this.#booked += heldBytes - held;
      held = heldBytes;
    };
    return { budgetBytes, finish: settle, release: () => settle(0) };
  }
}

/** Counts what one build takes, by name, and the most that it took at once. */
export class Tally {
  readonly #memories = new Map<string, number>();
  readonly #buffers = new Map<string, number>();
  /** The most of each buffer. */
  readonly #most = new Map<string, number>();
  #peak = 0;

  /** The buffer `name` takes `bytes` now; 0 gives them back. */
  set(name: string, bytes: number): void {
    this.#buffers.set(name, bytes);
    this.#most.set(name, Math.max(bytes, this.mostOf(name)));
    this.#peak = Math.max(this.#peak, this.heldBytes);
  }

  /** `bytes` of the WebAssembly memory `name` were used: memory never shrinks, the most counts. */
  raise(name: string, bytes: number): void {
    this.#memories.set(name, Math.max(bytes, this.#memories.get(name) ?? 0));
    this.#peak = Math.max(this.#peak, this.heldBytes);
  }

  clear(): void {
    this.#memories.clear();
    this.#buffers.clear();
    this.#most.clear();
    this.#peak = 0;
  }

  /** What the buffer `name` takes now. */
  of(name: string): number {
    return this.#buffers.get(name) ?? 0;
  }

  /** The most that the buffer `name` took. */
  mostOf(name: string): number {
    return this.#most.get(name) ?? 0;
  }

  /** Outside of WebAssembly memory. */
  get bufferBytes(): number {
    return sumOf(this.#buffers);
  }

  get heldBytes(): number {
    return sumOf(this.#memories) + this.bufferBytes;
  }

  get peakBytes(): number {
    return this.#peak;
  }
}

function sumOf(counts: ReadonlyMap<string, number>): number {
  let sum = 0;
  for (const bytes of counts.values()) sum += bytes;
  return sum;
}
