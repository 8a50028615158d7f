/**
 * A bounded map whose entries are valid for a fixed time. They may be held for longer, for times when the source cannot
 * be asked. When the map is full, the oldest entry is removed.
 */
export class ExpiringMap<Value> {
  readonly #entries = new Map<string, { value: Value; asked: number }>();
  readonly #lifetimeMs: number;
  readonly #maxEntries: number;
  readonly #heldMs: number;

  /** @param heldMs how long values are held, from the time when they were asked for; at least `lifetimeMs` */
  constructor(lifetimeMs: number, maxEntries: number, heldMs = lifetimeMs) {
    this.#lifetimeMs = lifetimeMs;
    this.#maxEntries = maxEntries;
    this.#heldMs = heldMs;
  }

  get(key: string, now: number): Value | undefined {
    return this.#youngerThan(this.#lifetimeMs, key, now);
  }

  /** Returns the value, even if it is not valid any more. */
  held(key: string, now: number): Value | undefined {
    return this.#youngerThan(this.#heldMs, key, now);
  }

  #youngerThan(ageMs: number, key: string, now: number): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    if (entry.asked + ageMs > now) return entry.value;
    if (entry.asked + this.#heldMs <= now) this.#entries.delete(key);
    return undefined;
  }

  /**
   * Sets a value. `asked` is the time when the value was asked for, so that a slow answer is not kept longer than a
   * quick one.
   */
  set(key: string, value: Value, asked: number): void {
    this.#entries.delete(key);
    if (this.#entries.size >= this.#maxEntries) {
      const oldest = this.#entries.keys().next();
      if (!oldest.done) this.#entries.delete(oldest.value);
    }
    this.#entries.set(key, { value, asked });
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  /** Replaces all held values, whatever their age. They keep their age. */
  replace(change: (value: Value) => Value): void {
    for (const [key, { value, asked }] of this.#entries)
      this.#entries.set(key, { value: change(value), asked });
  }

  deleteWhere(matches: (value: Value, key: string) => boolean): void {
    for (const [key, { value }] of this.#entries) if (matches(value, key)) this.#entries.delete(key);
  }
}
