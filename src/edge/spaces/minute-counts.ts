/** Counts events by name in windows of a minute. A window starts with the first event that it counts. */
import { KEYED } from "../../limits.ts";
import { ExpiringMap } from "../storage/expiring-map.ts";

interface Window {
  startedAt: number;
  count: number;
}

export class MinuteCounts {
  /** If it is full, the window that started first is forgotten. */
  readonly #windows = new ExpiringMap<Window>(KEYED.windowMs, KEYED.callersMax);

  /** Counts an event unless the window has `max`. @returns null if it was counted, else the milliseconds to wait */
  take(name: string, max: number, now: number): number | null {
    const window = this.#window(name, now);
    if (window.count >= max) return window.startedAt + KEYED.windowMs - now;
    window.count += 1;
    return null;
  }

  /** Counts an event that has happened already. */
  add(name: string, now: number): void {
    this.#window(name, now).count += 1;
  }

  /** Takes back an event of the window that runs at `now`. */
  giveBack(name: string, now: number): void {
    const window = this.#windows.get(name, now);
    if (window && window.count > 0) window.count -= 1;
  }

  #window(name: string, now: number): Window {
    const known = this.#windows.get(name, now);
    if (known) return known;
    const window = { startedAt: now, count: 0 };
    this.#windows.set(name, window, now);
    return window;
  }
}
