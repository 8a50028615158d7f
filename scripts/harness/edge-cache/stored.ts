/** A stored answer of the modelled cache: how long it is fresh, and how requests are answered from it. */
import CachePolicy from "http-cache-semantics";

/** Headers that state how long the edge keeps an answer, the most specific first. The first is for the edge alone. */
const CONTROLS = ["cloudflare-cdn-cache-control", "cdn-cache-control", "cache-control"];
/** Headers that the edge removes, so that no client sees them. */
const CONSUMED = ["cloudflare-cdn-cache-control", "cache-tag"];
/** Seconds for which the platform keeps answers that do not state their own caching. */
const HEURISTIC_SECONDS: Record<number, number> = { 200: 7200, 301: 1200, 404: 180, 405: 60, 410: 180 };

type Fields = Record<string, string>;

const fieldsOf = (headers: Headers): Fields => Object.fromEntries(headers);

/** The library's policy with a settable clock, and with members that its types lack. */
class Policy extends CachePolicy {
  static clock: () => number = Date.now;
  declare useStaleWhileRevalidate: () => boolean;

  now(): number {
    return Policy.clock();
  }
}

function controlOf({ status, headers }: Response): string {
  for (const name of CONTROLS) {
    const control = headers.get(name);
    if (control !== null) return control;
  }
  const seconds = HEURISTIC_SECONDS[status];
  return seconds === undefined ? "no-store" : `max-age=${seconds}`;
}

export function withoutConsumed(response: Response): Response {
  const open = new Response(response.body, response);
  for (const name of CONSUMED) open.headers.delete(name);
  return open;
}

export class StoredAnswer {
  readonly storedAt: number;
  readonly tags: string[];
  readonly #policy: Policy;
  readonly #status: number;
  readonly #fields: Fields;
  readonly #body: Uint8Array<ArrayBuffer> | null;

  private constructor(
    policy: Policy,
    response: Response,
    body: Uint8Array<ArrayBuffer> | null,
    tags: string[],
    now: number,
  ) {
    this.storedAt = now;
    this.tags = tags;
    this.#policy = policy;
    this.#status = response.status;
    this.#fields = fieldsOf(response.headers);
    this.#body = body;
  }

  /** Stores an answer, whose body is read to the end. Null when it must not be stored. */
  static async of(request: Request, answered: Response, now: number): Promise<StoredAnswer | null> {
    const { status, headers } = answered;
    if (status === 206 || headers.get("vary") === "*" || headers.has("set-cookie")) return null;
    const policy = StoredAnswer.policyOf(request, answered);
    if (!policy.storable()) return null;
    const tags = (headers.get("cache-tag") ?? "").split(",").map((tag) => tag.trim().toLowerCase());
    const body = answered.body && new Uint8Array(await answered.arrayBuffer());
    const shown = withoutConsumed(new Response(null, answered));
    return new StoredAnswer(policy, shown, body, tags.filter(Boolean), now);
  }

  static policyOf(request: Request, answered: Response): Policy {
    const headers = { ...fieldsOf(answered.headers), "cache-control": controlOf(answered) };
    const asked = { method: "GET", url: request.url, headers: fieldsOf(request.headers) };
    return new Policy(asked, { status: answered.status, headers }, { shared: true, cacheHeuristic: 0 });
  }

  /** Returns whether the request has the same values of the headers by which the answer varies. */
  fits(request: Request): boolean {
    const names = (this.#fields["vary"] ?? "").toLowerCase().split(",");
    return names
      .map((name) => name.trim())
      .filter(Boolean)
      .every((name) => request.headers.get(name) === this.#variedBy(name));
  }

  #variedBy(name: string): string | null {
    const { reqh } = this.#policy.toObject() as { reqh?: Fields };
    return reqh?.[name] ?? null;
  }

  state(): "fresh" | "updating" | "stale" {
    if (!this.#policy.stale()) return "fresh";
    return this.#policy.useStaleWhileRevalidate() ? "updating" : "stale";
  }

  /** Returns the conditions under which an unchanged answer is confirmed with 304. */
  validators(): Fields {
    const etag = this.#fields["etag"];
    return etag === undefined ? {} : { "If-None-Match": etag };
  }

  /** Returns the same answer after a confirmation. */
  confirmed(request: Request, answered: Response, now: number): StoredAnswer {
    const response = new Response(null, { status: this.#status, headers: this.#fields });
    for (const [name, value] of answered.headers) response.headers.set(name, value);
    const policy = StoredAnswer.policyOf(request, response);
    return new StoredAnswer(policy, withoutConsumed(response), this.#body, this.tags, now);
  }

  /** Answers a request: with the whole file, a range, only the headers, or 304. */
  answer(request: Request, cacheStatus: string): Response {
    const headers = new Headers(this.#fields);
    headers.set("Cf-Cache-Status", cacheStatus);
    headers.set("Age", String(Math.floor(this.#policy.age())));
    const etag = headers.get("etag");
    const known = request.headers.get("If-None-Match");
    if (etag !== null && known?.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag)) {
      return new Response(null, { status: 304, headers });
    }
    const part = this.#partFor(request);
    if (part === "unsatisfiable") {
      headers.set("Content-Range", `bytes */${this.#body?.length ?? 0}`);
      return new Response(null, { status: 416, headers });
    }
    const body = part ? this.#body?.subarray(part[0], part[1]) : this.#body;
    if (part) headers.set("Content-Range", `bytes ${part[0]}-${part[1] - 1}/${this.#body?.length ?? 0}`);
    if (part) headers.set("Content-Length", String(part[1] - part[0]));
    const status = part ? 206 : this.#status;
    return new Response(request.method === "HEAD" ? null : (body ?? null), { status, headers });
  }

  /** Returns the requested range of a stored 200: from its first byte to before its end. */
  #partFor({ headers }: Request): [from: number, to: number] | "unsatisfiable" | null {
    const range = /^bytes=(\d*)-(\d*)$/.exec(headers.get("Range") ?? "");
    const ifRange = headers.get("If-Range");
    if (!range || this.#status !== 200 || !this.#body) return null;
    if (ifRange !== null && ifRange !== this.#fields["etag"]) return null;
    const { length } = this.#body;
    const [, first = "", last = ""] = range;
    if (first === "") return last === "" ? null : [Math.max(0, length - Number(last)), length];
    if (Number(first) >= length) return "unsatisfiable";
    return [Number(first), last === "" ? length : Math.min(length, Number(last) + 1)];
  }
}

/** Sets the clock of all stored answers, in milliseconds. */
export function setClock(clock: () => number): void {
  Policy.clock = clock;
}
