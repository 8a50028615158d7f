/** Callers that wait for a key. They are in memory only: a restart loses them, and they time out. */
import { QUEUE } from "../../../limits.ts";
import type { Settlement } from "../../messages.ts";

type Tell = (settlement: Settlement) => void;

export class Waiters {
  readonly #waiting = new Map<string, Tell[]>();

  /** Resolves at once to "unknown" when too many wait for the key: those are answered with the master. */
  wait(key: string): Promise<Settlement> {
    return new Promise((tell) => {
      const waiting = this.#waiting.get(key);
      if (waiting && waiting.length >= QUEUE.waitersPerKeyMax) {
        tell({ state: "unknown" });
        return;
      }
      if (waiting) waiting.push(tell);
      else this.#waiting.set(key, [tell]);
    });
  }

  settle(key: string, settlement: Settlement): void {
    const waiting = this.#waiting.get(key) ?? [];
    this.#waiting.delete(key);
    for (const tell of waiting) tell(settlement);
  }

  settleAll(settlement: Settlement): void {
    for (const key of [...this.#waiting.keys()]) this.settle(key, settlement);
  }
}
