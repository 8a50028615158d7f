/**
 * Background work, for which no visitor waits: it gives way to the first order that comes to its isolate, of any space.
 *
 * The rooms of an isolate are objects of their own, and none may settle a promise or touch a stream of another. So
 * they only leave word here, and each looks for it in its own turns.
 */
import { BUILDER } from "../limits.ts";

const LOOK_EVERY_MS = 5;
/** A decoder that gives no turn for longer, or a room that is no more: the order is answered `busy` then. */
const LOOKS_MAX = 400;

export interface BackgroundWork {
  /** True once an order wants the isolate. */
  readonly isUnwanted: boolean;
  /** Sends a heartbeat: without any, an order would wait for the work of a room that is no more. */
  beat(): void;
  end(): void;
}

interface Work {
  isUnwanted: boolean;
  beats: number;
  /**
   * The heartbeat count at the last check, and when that count was first seen. An order that finds the isolate busy
   * does the check.
   */
  seen: { beats: number; at: number } | null;
}

export class Background {
  #work: Work | null = null;
  #waitingOrders = 0;

  get isRunning(): boolean {
    return this.#work !== null;
  }

  /**
   * Begins a piece of work in the background. Null when another one runs and sends heartbeats, or an order waits for it
   * to end.
   */
  begin(now: number = Date.now()): BackgroundWork | null {
    if (this.#waitingOrders > 0 || (this.#work && !isSilent(this.#work, now))) return null;
    const work: Work = { isUnwanted: false, beats: 0, seen: null };
    this.#work = work;
    return {
      get isUnwanted() {
        return work.isUnwanted;
      },
      beat: () => void (work.beats += 1),
      end: () => {
        if (this.#work === work) this.#work = null;
      },
    };
  }

  /** Tells what runs to end. Resolves once it has, or when it has not for too long. */
  async giveWay(): Promise<void> {
    this.#waitingOrders += 1;
    try {
      for (let looks = 0; looks < LOOKS_MAX && this.#tellToEnd(); looks++) {
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
      }
      this.#work = null;
    } finally {
      this.#waitingOrders -= 1;
    }
  }

  /** Tells the work in the background to end; false when there is none. */
  #tellToEnd(): boolean {
    if (this.#work) this.#work.isUnwanted = true;
    return this.#work !== null;
  }
}

function isSilent(work: Work, now: number): boolean {
  if (work.seen?.beats === work.beats) return now - work.seen.at >= BUILDER.silentMs;
  work.seen = { beats: work.beats, at: now };
  return false;
}

/** Calls `close` when the work is unwanted: it may be waiting for its master. Returns a function that ends the watch. */
export function watchWanted(work: BackgroundWork, close: () => Promise<void>): () => void {
  const timer = setInterval(() => {
    work.beat();
    if (!work.isUnwanted) return;
    clearInterval(timer);
    void close();
  }, LOOK_EVERY_MS);
  return () => clearInterval(timer);
}
