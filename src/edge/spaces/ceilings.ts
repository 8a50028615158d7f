/**
 * The ceilings of keyed requests (RULES 1.10), counted in the memory of one isolate. A caller has one counter for reads
 * and one for writes; a client has one for keys that turned out to be unknown. Counting asks nothing of the database.
 *
 * A caller whose requests reach several isolates may send as many to each. The platform's rate limiters would count all
 * requests of a location, but their limits stand in the configuration, where no variable reaches them, and they know
 * nothing of keys that an isolate has seen.
 */
import { KEYED } from "../../limits.ts";
import { ExpiringMap } from "../storage/database/expiring-map.ts";
import { MinuteCounts } from "./minute-counts.ts";

export interface KeyedRequest {
  /** The hash of the key; null for the root token. */
  keyHash: string | null;
  /** The address that the request comes from. */
  client: string;
  isWrite: boolean;
}

/** Why a request is refused, and for how long. */
export interface Refusal {
  of: "reads" | "writes" | "unknown keys";
  /** The ceiling that was reached: requests, or keys, per minute. */
  max: number;
  retryAfterMs: number;
}

/** Whether the database knows the key. "unasked": the request ended before the database was asked. */
export type Verdict = "known" | "unknown" | "unasked";

/** A request that was counted. */
export interface Admitted {
  /** Tells what the request found out about its key. */
  end: (verdict: Verdict) => void;
}

function ceilingOf({ keyHash, isWrite }: KeyedRequest, readsPerMinute: number): number {
  const reads = keyHash === null ? readsPerMinute * KEYED.rootFactor : readsPerMinute;
  return isWrite ? Math.max(1, Math.floor(reads / KEYED.readsPerWrite)) : reads;
}

export class KeyedCeilings {
  readonly #reads = new MinuteCounts();
  readonly #writes = new MinuteCounts();
  readonly #unknown = new MinuteCounts();
  readonly #known = new ExpiringMap<true>(KEYED.knownMs, KEYED.callersMax);
  /** New keys that a request is asking the database about. */
  readonly #asked = new ExpiringMap<true>(KEYED.windowMs, KEYED.callersMax);

  /** Counts a request, or refuses it. */
  begin(request: KeyedRequest, readsPerMinute: number, now: number): Admitted | Refusal {
    const { keyHash, client, isWrite } = request;
    const max = ceilingOf(request, readsPerMinute);
    const wait = (isWrite ? this.#writes : this.#reads).take(keyHash ?? "root", max, now);
    if (wait !== null) return { of: isWrite ? "writes" : "reads", max, retryAfterMs: wait };
    return keyHash === null ? { end: () => undefined } : this.#beginKeyed(keyHash, client, now);
  }

  /**
   * Begins a request with a new key. It counts as unknown until a request has found out what it is, so that many new
   * keys at once are refused too. Requests with the same new key at the same time count as one if it is known.
   */
  #beginKeyed(hash: string, client: string, now: number): Admitted | Refusal {
    const isFirst = !this.#known.get(hash, now) && !this.#asked.get(hash, now);
    let giveBack: ((count: number) => void) | null = null;
    if (isFirst) {
      const max = KEYED.unknownKeysMax;
      const wait = this.#unknown.take(client, max, now);
      if (wait !== null) return { of: "unknown keys", max, retryAfterMs: wait };
      giveBack = this.#unknown.giverOf(client, now);
      this.#asked.set(hash, true, now);
    }
    return {
      end: (verdict) => {
        if (isFirst) this.#asked.delete(hash);
        if (verdict !== "unknown") giveBack?.(1);
        if (!isFirst && verdict === "unknown") this.#unknown.add(client, now);
        if (verdict === "known") this.#known.set(hash, true, now);
        if (verdict === "unknown") this.#known.delete(hash);
      },
    };
  }
}
