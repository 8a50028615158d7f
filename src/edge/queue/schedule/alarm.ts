/** The one alarm that an object has. One that comes too early costs little, so it is only ever moved forward. */
export class Alarm {
  readonly #storage: DurableObjectStorage;
  #at: number | null = null;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /** @param due when something is to be done, in milliseconds; null for what is not */
  arm(due: (number | null)[]): void {
    const at = Math.min(...due.filter((time) => time !== null));
    if (at === Infinity || (this.#at !== null && this.#at <= at)) return;
    this.#at = at;
    void this.#storage.setAlarm(at);
  }

  /** Forgets an alarm that rang, or may not be set any more: the next `arm` sets it again. */
  forget(): void {
    this.#at = null;
  }
}
