/** Simulated Durable Objects for the edge Worker. Each call is counted. A build takes no time. */
import type { AdmitRequest, Admission } from "../../../src/edge/messages.ts";
import type { Clock } from "./clock.ts";

export interface ObjectCalls {
  queue: number;
  metrics: number;
  /** Rows that the objects write to their own storage. */
  writes: number;
  /** Milliseconds in which the object Metrics worked. Between calls it sleeps, and is not billed. */
  metricsActiveMs: number;
  builds: number;
}

/** A heavy build. No request waits for it. */
const HEAVY_MS = 5000;
/** An order is written, charged, leased, counted and forgotten. */
const ROWS_PER_BUILD = 6;
/** The interval at which Metrics stores its totals (limits.ts). */
const WRITE_EVERY_MS = 5000;
/** The time of a call, or of an alarm: a write to the object's own storage, which takes some milliseconds. */
const CALL_MS = 5;

type Build = (request: AdmitRequest) => Promise<void>;

/** The queue of one space. It builds everything that is ordered. */
export class SimulatedQueue {
  readonly #waiting = new Map<string, AdmitRequest>();
  readonly #built = new Set<string>();

  readonly #clock: Clock;
  readonly #calls: ObjectCalls;
  readonly #build: Build;

  constructor(clock: Clock, calls: ObjectCalls, build: Build) {
    this.#clock = clock;
    this.#calls = calls;
    this.#build = build;
  }

  admit(request: AdmitRequest): Promise<Admission> {
    this.#calls.queue += 1;
    const { key, lane } = request;
    if (this.#built.has(key)) return Promise.resolve({ state: "hit" });
    const isWaiting = this.#waiting.has(key);
    this.#waiting.set(key, request);
    if (lane === "heavy" && !isWaiting) this.#clock.setTimeout(() => void this.#finish(key), HEAVY_MS);
    return Promise.resolve({ state: isWaiting ? "coalesced" : "accepted", lane });
  }

  async settled(key: string): Promise<{ state: "built" }> {
    this.#calls.queue += 1;
    await this.#finish(key);
    return { state: "built" };
  }

  async buildWhenIdle(request: AdmitRequest): Promise<boolean> {
    this.#calls.queue += 1;
    this.#waiting.set(request.key, request);
    await this.#finish(request.key);
    return true;
  }

  makePlaceholders(): Promise<void> {
    this.#calls.queue += 1;
    return Promise.resolve();
  }

  async #finish(key: string): Promise<void> {
    const request = this.#waiting.get(key);
    this.#waiting.delete(key);
    if (!request) return;
    this.#built.add(key);
    this.#calls.builds += 1;
    this.#calls.writes += ROWS_PER_BUILD;
    await this.#build(request);
  }
}

/** The object that receives the isolates' counts. */
export class SimulatedMetrics {
  #writtenAt = 0;
  readonly #runs = new Map<number, number>();

  readonly #clock: Clock;
  readonly #calls: ObjectCalls;

  constructor(clock: Clock, calls: ObjectCalls) {
    this.#clock = clock;
    this.#calls = calls;
  }

  /** Notes the number of a sweep of a database. @returns the highest number that was noted before */
  noteRuns(database: number, runs: number): Promise<number> {
    const known = this.#runs.get(database) ?? 0;
    this.#calls.metrics += 1;
    this.#calls.metricsActiveMs += CALL_MS;
    if (runs > known) {
      this.#calls.writes += 1;
      this.#runs.set(database, runs);
    }
    return Promise.resolve(known);
  }

  add(): Promise<void> {
    const now = this.#clock.now();
    this.#calls.metrics += 1;
    this.#calls.metricsActiveMs += CALL_MS;
    const isPlanned = this.#writtenAt > now;
    if (!isPlanned) {
      // Reports that come too soon are stored by an alarm, whose setting is a row written too.
      const isSoon = this.#writtenAt + WRITE_EVERY_MS > now;
      this.#writtenAt = Math.max(now, this.#writtenAt + WRITE_EVERY_MS);
      this.#calls.writes += isSoon ? 2 : 1;
      if (isSoon) this.#calls.metricsActiveMs += CALL_MS;
    }
    return Promise.resolve();
  }
}

/** Returns a namespace with one object. */
export const namespaceOf = (object: unknown) => ({ idFromName: (name: string) => name, get: () => object });
