/**
 * A bounded map whose entries are good for a fixed time, and may be held for longer: for when there is no way to ask
 * again. The oldest entry goes first when it is full.
 */
export class ExpiringMap<Value> {
  readonly #entries = new Map<string, { value: Value; asked: number }>();
  readonly #lifetimeMs: number;
  readonly #maxEntries: number;
  readonly #heldMs: number;

  /** @param heldMs from when the value was asked for; not less than `lifetimeMs` */
  constructor(lifetimeMs: number, maxEntries: number, heldMs = lifetimeMs) {
    this.#lifetimeMs = lifetimeMs;
    this.#maxEntries = maxEntries;
    this.#heldMs = heldMs;
  }

  get(key: string, now: number): Value | undefined {
    return this.#youngerThan(this.#lifetimeMs, key, now);
  }

  /** The value even when its time is over, as long as it is held. */
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

  /** `asked` is when the value was asked for, so that a slow answer is not kept longer than a quick one. */
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

  /** What is held of every entry, whatever its age. */
  forEach(visit: (value: Value) => void): void {
    for (const { value } of this.#entries.values()) visit(value);
  }

  deleteWhere(matches: (value: Value, key: string) => boolean): void {
    for (const [key, { value }] of this.#entries) if (matches(value, key)) this.#entries.delete(key);
  }
}
