/** Calls of writers and readers: each is timed, and a write that the move refuses is sent again until it is taken. */
import { randomUUID } from "node:crypto";
import { bearer } from "../../harness/api.ts";

const RETRY_MS = 50;
/** A write that is refused for longer than this is given up as a fault. */
const REFUSED_MAX_MS = 60_000;
const ANSWER_MS = 120_000;

export interface Answer {
  status: number;
  headers: Headers;
  bytes: Uint8Array;
  /** The member `data` of a JSON answer, or an empty object. */
  data: Record<string, unknown>;
  /** The whole JSON of the answer. */
  body: unknown;
}

/** A write that was refused before it was taken. */
export interface Refusal {
  /** When it was first sent, when it was first refused, and when it was taken, in milliseconds. */
  sentAt: number;
  refusedAt: number;
  lastRefusedAt: number;
  takenAt: number;
  retryAfter: string | null;
}

export interface Call {
  method?: string;
  key?: string;
  body?: object | Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
}

export class Caller {
  readonly refusals: Refusal[] = [];
  readonly faults: string[] = [];
  readonly writeMs: number[] = [];
  readonly readMs: number[] = [];
  writes = 0;
  reads = 0;

  /** Sends a request once. */
  async send(url: string, { method = "GET", key, body, headers }: Call = {}): Promise<Answer> {
    const isBytes = body instanceof Uint8Array;
    const response = await fetch(url, {
      method,
      redirect: "manual",
      signal: AbortSignal.timeout(ANSWER_MS),
      headers: {
        ...(key !== undefined && bearer(key)),
        ...(body !== undefined && !isBytes && { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: isBytes ? body : JSON.stringify(body) }),
    });
    const bytes = new Uint8Array(await response.arrayBuffer());
    const isJson = (response.headers.get("Content-Type") ?? "").includes("json");
    const parsed: unknown = isJson ? JSON.parse(new TextDecoder().decode(bytes)) : null;
    const data = (parsed as { data?: Record<string, unknown> } | null)?.data ?? {};
    return { status: response.status, headers: response.headers, bytes, data, body: parsed };
  }

  /** Sends a write until it is taken. A refusal says that nothing was written, so the same request is sent again. */
  async write(url: string, { headers, ...options }: Call): Promise<Answer> {
    const idempotent = options.method === "POST" && !(options.body instanceof Uint8Array);
    const call = {
      ...options,
      headers: { ...(idempotent && { "Idempotency-Key": randomUUID() }), ...headers },
    };
    const sentAt = performance.now();
    let refusal = null as Refusal | null;
    for (;;) {
      const began = performance.now();
      const answer = await this.send(url, call);
      const now = performance.now();
      if (answer.status !== 503 || now > sentAt + REFUSED_MAX_MS) {
        if (refusal) this.refusals.push({ ...refusal, takenAt: now });
        this.writes += 1;
        this.writeMs.push(now - began);
        return answer;
      }
      refusal = {
        sentAt,
        refusedAt: refusal?.refusedAt ?? now,
        lastRefusedAt: now,
        takenAt: now,
        retryAfter: answer.headers.get("Retry-After"),
      };
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }

  /** Sends a read, which must be answered with one of `statuses`. */
  async read(url: string, options: Call = {}, statuses = [200]): Promise<Answer | null> {
    const began = performance.now();
    this.reads += 1;
    try {
      const answer = await this.send(url, options);
      this.readMs.push(performance.now() - began);
      if (statuses.includes(answer.status)) return answer;
      this.faults.push(`the read ${pathOf(url)} was ${answer.status}: ${textOfError(answer)}`);
    } catch (error) {
      this.faults.push(`the read ${pathOf(url)} failed: ${String(error)}`);
    }
    return null;
  }
}

export const pathOf = (url: string): string => new URL(url).pathname + new URL(url).search;
export const textOfError = ({ body }: Answer): string => JSON.stringify(body).slice(0, 200);
