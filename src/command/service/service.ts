/** Requests of a command to its space. Each failure becomes words that say the next step. */
import type { ErrorDetail } from "../../errors.ts";
import { Failure } from "../base/failure.ts";
import type { World } from "../base/world.ts";

export interface Place {
  base: string;
  space: string;
  key: string;
}

export interface Asked {
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** A value that is sent as JSON. */
  json?: unknown;
  /** Bytes, text or a stream that are sent as they are. A stream is sent once, and not again after a failure. */
  body?: BodyInit;
  headers?: Readonly<Record<string, string>>;
  /** Says of a POST that it has the same effect when it is sent twice. */
  isRepeatable?: boolean;
}

interface ErrorBody {
  error?: { code?: string; message?: string; details?: ErrorDetail[] };
}

/** Tries of a request that the service was too busy for, or that the network has lost, and the pauses between them. */
const TRIES_MAX = 5;
const FIRST_PAUSE_MS = 500;
const PAUSE_MAX_MS = 30_000;
const SECOND_MS = 1000;

/** The answers after which the same request may succeed a moment later. */
const BUSY: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Methods that may be sent again when nobody knows whether the first request arrived. */
const REPEATABLE: ReadonlySet<string> = new Set(["GET", "HEAD", "PUT", "DELETE"]);

/** Returns how long to wait before the next try: as long as the service says, else longer each time. */
function pauseOf(answer: Response | null, tries: number): number {
  const said = Number(answer?.headers.get("Retry-After") ?? Number.NaN);
  const ms = Number.isFinite(said) ? said * SECOND_MS : FIRST_PAUSE_MS * 2 ** tries;
  return Math.min(Math.max(ms, FIRST_PAUSE_MS), PAUSE_MAX_MS);
}

/** Returns the next step after an answer of the service. */
function nextOf(status: number, { space }: Place): string | undefined {
  switch (status) {
    case 401:
      return "Check --key or SILVERPRINT_KEY. Keys are made in the console under Keys.";
    case 403:
      return "Use a key with the role admin. Keys are made in the console under Keys.";
    case 404:
      return `Check the space "${space}" and --url.`;
    case 412:
      return "Something has changed meanwhile: run the command again.";
    default:
      return BUSY.has(status) ? "Try again in a minute." : undefined;
  }
}

export class Service {
  readonly place: Place;
  readonly #world: Pick<World, "fetch" | "sleep">;

  constructor(place: Place, world: Pick<World, "fetch" | "sleep">) {
    this.place = place;
    this.#world = world;
  }

  /** Returns the address of a path of the space: `/models`, or "" for the space itself. */
  urlOf(path: string, query: Asked["query"] = {}): URL {
    const url = new URL(`${this.place.base}/api/v1/${encodeURIComponent(this.place.space)}${path}`);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    return url;
  }

  /**
   * Sends a request, and again where the service was busy. @param path below the space
   * @throws Failure for an answer of 400 and above, and when no service answers
   */
  request(method: string, path: string, asked: Asked = {}): Promise<Response> {
    return this.#sendPatiently(method, path, asked, (answer) => Promise.resolve(answer));
  }

  /** Sends a request and returns the JSON of its answer. @throws Failure as `request` does */
  async json<T>(method: string, path: string, asked: Asked = {}): Promise<T> {
    const text = await this.#sendPatiently(method, path, asked, (answer) => answer.text());
    const json = parsed(text);
    if (typeof json === "object" && json !== null) return json as T;
    throw new Failure(`The answer of ${this.place.base} is no JSON.`, {
      next: "Check --url: it is the address of the service, without a path of the API.",
    });
  }

  /** Reads all pages of a list. @throws Failure as `request` does */
  async *list<T>(path: string, query: Asked["query"] = {}): AsyncGenerator<T> {
    let cursor: string | null | undefined;
    do {
      const page: { data: T[]; meta: { nextCursor: string | null } } = await this.json("GET", path, {
        query: { limit: 100, ...query, ...(cursor != null && { cursor }) },
      });
      yield* page.data;
      cursor = page.meta.nextCursor;
    } while (cursor !== null);
  }

  /** @param read takes what is wanted of the answer. An answer that breaks off meanwhile is asked for again. */
  async #sendPatiently<T>(
    method: string,
    path: string,
    asked: Asked,
    read: (answer: Response) => Promise<T>,
  ): Promise<T> {
    const isStream = asked.body instanceof ReadableStream;
    const mayRepeat = REPEATABLE.has(method) || asked.isRepeatable === true;
    for (let tries = 0; ; tries++) {
      const isLast = tries + 1 >= TRIES_MAX || isStream;
      let answer: Response | null = null;
      try {
        answer = await this.#send(method, path, asked);
        if (answer.ok) return await read(answer);
        if (isLast || !BUSY.has(answer.status)) throw await this.#failureOf(answer);
        await answer.body?.cancel();
      } catch (error) {
        if (error instanceof Failure) throw error;
        if (isLast || !mayRepeat || isRefused(error))
          throw answer ? this.#brokenOff(error) : this.#unreachable(error);
      }
      await this.#world.sleep(pauseOf(answer, tries));
    }
  }

  #send(method: string, path: string, { query, json, body, headers }: Asked): Promise<Response> {
    const isJson = json !== undefined;
    const init: RequestInit & { duplex?: "half" } = {
      method,
      headers: {
        Authorization: `Bearer ${this.place.key}`,
        ...(isJson && { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(isJson ? { body: JSON.stringify(json) } : body !== undefined && { body }),
      ...(body instanceof ReadableStream && { duplex: "half" }),
    };
    return this.#world.fetch(new Request(this.urlOf(path, query), init));
  }

  async #failureOf(answer: Response): Promise<Failure> {
    const { status } = answer;
    const { error } = ((await answer.json().catch(() => null)) as ErrorBody | null) ?? {};
    const message = error?.message ?? `${this.place.base} answered ${status}, and not as the service does.`;
    const next = error ? nextOf(status, this.place) : "Check --url: it is the address of the service.";
    return new Failure(message, {
      status,
      details: error?.details ?? [],
      ...(next !== undefined && { next }),
    });
  }

  #brokenOff(cause: unknown): Failure {
    return new Failure(`The answer of ${this.place.base} broke off (${reasonOf(cause)}).`, {
      next: "Run the command again: it goes on where it stopped.",
      cause,
    });
  }

  #unreachable(cause: unknown): Failure {
    return new Failure(`No service answers at ${this.place.base} (${reasonOf(cause)}).`, {
      next: "Check --url or SILVERPRINT_URL, and whether the service runs.",
      cause,
    });
  }
}

/** Returns the value of a text of JSON; null for any other text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Returns the code or message behind an error of `fetch`, which itself says "fetch failed" only. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (!(cause instanceof Error)) return String(cause);
  return "code" in cause && typeof cause.code === "string" ? cause.code : cause.message;
}

/** Returns whether nothing listens at an address, so that another try is no use. */
const isRefused = (error: unknown): boolean => ["ECONNREFUSED", "ENOTFOUND"].includes(reasonOf(error));
