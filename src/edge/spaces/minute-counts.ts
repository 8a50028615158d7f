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

  /** Adds what has happened already, whatever the window has. */
  add(name: string, now: number, amount = 1): void {
    this.#window(name, now).count += amount;
  }

  /** Takes back `amount` from the window that runs at `now`. */
  giveBack(name: string, now: number, amount = 1): void {
    const window = this.#windows.get(name, now);
    if (window) window.count = Math.max(0, window.count - amount);
  }

  #window(name: string, now: number): Window {
    const known = this.#windows.get(name, now);
    if (known) return known;
    const window = { startedAt: now, count: 0 };
    this.#windows.set(name, window, now);
    return window;
  }
}
