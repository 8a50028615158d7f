/** Simulates R2 in this process. Each object is a few bytes, of any size in its row. Calls are counted by class. */

export interface R2Calls {
  /** Calls of get and head, which R2 bills as class B. */
  reads: number;
  /** Calls of put and list, which R2 bills as class A. */
  writes: number;
}

const BODY = new TextEncoder().encode("bytes of a picture");

export class SimulatedR2 {
  readonly #keys = new Set<string>();
  readonly #calls: R2Calls;

  constructor(calls: R2Calls) {
    this.#calls = calls;
  }

  /** The size of every object according to its row. */
  static readonly sizeBytes = BODY.length;

  /** Stores an object without counting a call, for the initial state. */
  hold(key: string): void {
    this.#keys.add(key);
  }

  head(key: string): Promise<unknown> {
    this.#calls.reads += 1;
    return Promise.resolve(this.#keys.has(key) ? { key, size: BODY.length } : null);
  }

  get(key: string): Promise<unknown> {
    this.#calls.reads += 1;
    const isThere = this.#keys.has(key);
    return Promise.resolve(isThere ? { key, size: BODY.length, body: new Response(BODY).body } : null);
  }

  put(key: string): Promise<unknown> {
    this.#calls.writes += 1;
    this.#keys.add(key);
    return Promise.resolve({ key, size: BODY.length });
  }

  /** Deletes, which R2 does free of charge. */
  delete(keys: string | string[]): Promise<void> {
    for (const key of [keys].flat()) this.#keys.delete(key);
    return Promise.resolve();
  }

  list(): Promise<unknown> {
    this.#calls.writes += 1;
    return Promise.resolve({ objects: [], truncated: false });
  }
}
