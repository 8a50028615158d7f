/** A bounded map whose entries are good for a fixed time. The oldest entry goes first when it is full. */
export class ExpiringMap<Value> {
  readonly #entries = new Map<string, { value: Value; until: number }>();
  readonly #lifetimeMs: number;
  readonly #maxEntries: number;

  constructor(lifetimeMs: number, maxEntries: number) {
    this.#lifetimeMs = lifetimeMs;
    this.#maxEntries = maxEntries;
  }

  get(key: string, now: number): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    if (entry.until > now) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }

  /** `now` is when the value was asked for, so that a slow answer is not kept longer than a quick one. */
  set(key: string, value: Value, now: number): void {
    this.#entries.delete(key);
    if (this.#entries.size >= this.#maxEntries) {
      const oldest = this.#entries.keys().next();
      if (!oldest.done) this.#entries.delete(oldest.value);
    }
    this.#entries.set(key, { value, until: now + this.#lifetimeMs });
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  deleteWhere(matches: (value: Value) => boolean): void {
    for (const [key, { value }] of this.#entries) if (matches(value)) this.#entries.delete(key);
  }
}
