/**
 * Rests of long work on databases, such as moves and sweeps, which leave them to requests. A rest is a timer: a local
 * workerd, whose databases answer in the same process, takes no request while one call follows the other. Its clock stands
 * still meanwhile, so steps are counted, too.
 */

/** How often work rests, and for how long. */
export interface RestLimits {
  restEveryMs: number;
  restEverySteps: number;
  /** The part of the time of the work for which it rests. */
  restShare: number;
  restMinMs: number;
  restMaxMs: number;
  /** The time of all rests together; no bound if absent. */
  restsMaxMs?: number;
}

export class Rests {
  readonly #limits: RestLimits;
  #since = performance.now();
  #steps = 0;
  #restedMs = 0;

  constructor(limits: RestLimits) {
    this.#limits = limits;
  }

  /** Rests for a part of the time of the work since the last rest, if there was enough of it. */
  async afterStep(): Promise<void> {
    const {
      restEveryMs,
      restEverySteps,
      restShare,
      restMinMs,
      restMaxMs,
      restsMaxMs = Infinity,
    } = this.#limits;
    const worked = performance.now() - this.#since;
    this.#steps += 1;
    if (worked < restEveryMs && this.#steps < restEverySteps) return;
    const restMs = Math.min(restMaxMs, Math.max(restMinMs, worked * restShare));
    if (this.#restedMs + restMs > restsMaxMs) return;
    this.#restedMs += restMs;
    await new Promise((resolve) => setTimeout(resolve, restMs));
    this.#since = performance.now();
    this.#steps = 0;
  }
}
