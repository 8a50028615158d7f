/** R2 in this process: each object is a few bytes, whatever size its row states. Calls are counted by class. */

export interface R2Calls {
  /** get and head: what R2 bills as class B. */
  reads: number;
  /** put and list: class A. */
  writes: number;
}

const BODY = new TextEncoder().encode("bytes of a picture");

export class SimulatedR2 {
  readonly #keys = new Set<string>();
  readonly #calls: R2Calls;

  constructor(calls: R2Calls) {
    this.#calls = calls;
  }

  /** What the rows state as the size of every object. */
  static readonly sizeBytes = BODY.length;

  /** Without a call, for what is there at the start. */
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

  /** Free of charge. */
  delete(keys: string | string[]): Promise<void> {
    for (const key of [keys].flat()) this.#keys.delete(key);
    return Promise.resolve();
  }

  list(): Promise<unknown> {
    this.#calls.writes += 1;
    return Promise.resolve({ objects: [], truncated: false });
  }
}
