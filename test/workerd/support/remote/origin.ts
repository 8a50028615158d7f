/** An origin in place of the network: what the Worker's own `fetch` answers in a test. */
import { vi } from "vitest";

export const ORIGIN = "https://img.example.com";

export type Answering = (request: Request) => Response | Promise<Response>;

/** Answers of an origin by path. What it does not know is 404. */
export class FakeOrigin {
  readonly requests: Request[] = [];
  running = 0;
  runningMax = 0;
  readonly #answers = new Map<string, Answering>();
  #otherwise: Answering = () => new Response(null, { status: 404 });

  constructor() {
    vi.spyOn(globalThis, "fetch").mockImplementation((input, init) => this.#answer(new Request(input, init)));
  }

  on(path: string, answering: Answering): this {
    this.#answers.set(path, answering);
    return this;
  }

  /** Answers every other path, in the place of 404. */
  otherwise(answering: Answering): this {
    this.#otherwise = answering;
    return this;
  }

  /** Serves a file with an ETag, and 304 to a request that names it. */
  file(path: string, bytes: Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}): this {
    const etag = `"${bytes.length}-${bytes.at(-1) ?? 0}"`;
    return this.on(path, (request) =>
      request.headers.get("If-None-Match") === etag
        ? new Response(null, { status: 304, headers: { ETag: etag, ...headers } })
        : new Response(bytes, { headers: { ETag: etag, ...headers } }),
    );
  }

  countOf(path: string): number {
    return this.requests.filter(({ url }) => url === ORIGIN + path).length;
  }

  async #answer(request: Request): Promise<Response> {
    this.requests.push(request);
    this.running += 1;
    this.runningMax = Math.max(this.runningMax, this.running);
    const { origin, pathname, search } = new URL(request.url);
    const known = origin === ORIGIN ? this.#answers.get(pathname + search) : undefined;
    const isOver = new Promise<never>((_, reject) =>
      request.signal.addEventListener("abort", () => reject(new Error("aborted"))),
    );
    isOver.catch(() => undefined);
    try {
      return await Promise.race([(known ?? this.#otherwise)(request), isOver]);
    } finally {
      this.running -= 1;
    }
  }
}

/** Answers never. */
export const hangs: Answering = () => new Promise<never>(() => undefined);
