/** Counts events, or amounts, by name in windows of a minute. A window starts with the first event that it counts. */
import { KEYED } from "../../limits.ts";
import { ExpiringMap } from "../storage/database/expiring-map.ts";

interface Window {
  startedAt: number;
  count: number;
}

export class MinuteCounts {
  /** If it is full, the window that started first is forgotten. */
  readonly #windows = new ExpiringMap<Window>(KEYED.windowMs, KEYED.callersMax);

  /**
   * Adds `amount` unless the window would then have more than `max`.
   * @returns null if it was added, else the milliseconds until the window ends
   */
  take(name: string, max: number, now: number, amount = 1): number | null {
    const window = this.#window(name, now);
    if (window.count + amount > max) return window.startedAt + KEYED.windowMs - now;
    window.count += amount;
    return null;
  }

  /** Adds an amount that has been used already, also above the window's limit. */
  add(name: string, now: number, amount = 1): void {
    this.#window(name, now).count += amount;
  }

  /** Returns the amount in the window that runs at `now`. */
  of(name: string, now: number): number {
    return this.#running(name, now)?.count ?? 0;
  }

  /** Returns the milliseconds until a window that has reached `max` ends; null if it has not. */
  waitFor(name: string, max: number, now: number): number | null {
    const window = this.#running(name, now);
    return window && window.count >= max ? window.startedAt + KEYED.windowMs - now : null;
  }

  /**
   * Returns a function that takes an amount back from the window that runs at `now`. Once that window has ended, the
   * function changes nothing that is counted.
   */
  giverOf(name: string, now: number): (amount: number) => void {
    const window = this.#window(name, now);
    return (amount) => void (window.count = Math.max(0, window.count - amount));
  }

  /** Returns the window that runs. One that is to start in a minute or later is of a clock that was set back. */
  #running(name: string, now: number): Window | undefined {
    const known = this.#windows.get(name, now);
    return known && known.startedAt - now < KEYED.windowMs ? known : undefined;
  }

  #window(name: string, now: number): Window {
    const known = this.#running(name, now);
    if (known) return known;
    const window = { startedAt: now, count: 0 };
    this.#windows.set(name, window, now);
    return window;
  }
}
