/** Calls that go on until they are answered: the service is killed and moved under them. */
import { randomUUID } from "node:crypto";
import { bearer } from "../harness/api.ts";

/** Statuses after which the same request is sent again. 409 is the answer while a first run of the same key goes on. */
const AGAIN = new Set([408, 409, 429, 500, 502, 503, 504, 507]);
const CONFLICTS_MAX = 20;
const PAUSE_MS = 300;
/** A request without an answer for so long is given up, and sent again. */
const ANSWER_MS = 30_000;

export interface Answer {
  status: number;
  data: Record<string, unknown>;
}

export interface Counts {
  answered: Map<string, number>;
  retried: number;
  slowestMs: number;
}

export class Caller {
  readonly counts: Counts = { answered: new Map(), retried: 0, slowestMs: 0 };
  readonly #base: string;
  readonly #until: () => number;

  /** @param until when calls are given up, in milliseconds */
  constructor(base: string, until: () => number) {
    this.#base = base;
    this.#until = until;
  }

  /**
   * Sends a request until it is answered by anything but a fault of the moment; null when that does not happen in time.
   * @param isRepeatable false for a request that takes no Idempotency-Key: it is not sent again once its answer is lost
   */
  async call(
    kind: string,
    key: string,
    method: string,
    path: string,
    body?: unknown,
    more: Record<string, string> = {},
    isRepeatable = true,
  ): Promise<Answer | null> {
    const idempotent = method === "POST" ? { "Idempotency-Key": randomUUID() } : {};
    const isBytes = body instanceof Uint8Array;
    const headers = {
      ...bearer(key),
      ...idempotent,
      ...(body !== undefined && !isBytes && { "Content-Type": "application/json" }),
      ...more,
    };
    let conflicts = 0;
    while (Date.now() < this.#until()) {
      const began = Date.now();
      try {
        const response = await fetch(`${this.#base}/api/v1${path}`, {
          method,
          headers,
          signal: AbortSignal.timeout(ANSWER_MS),
          redirect: "manual",
          ...(body !== undefined && { body: isBytes ? new Uint8Array(body) : JSON.stringify(body) }),
        });
        const text = await response.text();
        if (response.status === 409) conflicts += 1;
        if (!AGAIN.has(response.status) || conflicts > CONFLICTS_MAX) {
          this.counts.answered.set(kind, (this.counts.answered.get(kind) ?? 0) + 1);
          this.counts.slowestMs = Math.max(this.counts.slowestMs, Date.now() - began);
          const data = text.startsWith("{")
            ? (JSON.parse(text) as { data?: Record<string, unknown> }).data
            : undefined;
          return { status: response.status, data: data ?? {} };
        }
      } catch {
        // The service was killed, or the line broke. What cannot be repeated may have been done.
        if (!isRepeatable) return null;
      }
      this.counts.retried += 1;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    return null;
  }
}
