/** The few calls of Cloudflare's API that a deploy makes itself. A failure is never taken for "not there". */

export interface ApiOptions {
  baseUrl: string;
  accountId: string;
  /** Headers that sign in. */
  credentials: Record<string, string>;
  /** Before the second try; it doubles for each further one. */
  retryDelayMs?: number;
}

type Method = "GET" | "PUT" | "PATCH" | "POST";

interface Envelope {
  success?: boolean;
  result?: unknown;
  errors?: { code: number; message: string }[];
}

/** A call that Cloudflare refused, or that did not get through. */
export class ApiError extends Error {
  override name = "ApiError";
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;
  readonly codes: number[];

  constructor(call: string, status: number, codes: number[], reason: string) {
    super(`${call} ${status === 0 ? "got no answer" : `answered ${status}`}: ${reason}`);
    this.status = status;
    this.codes = codes;
  }
}

const TRIES = 3;
const RETRY_DELAY_MS = 500;
/** Codes of a 404 that says the path is wrong, an account's id for example, and nothing about what was looked for. */
const NO_ROUTE_CODES = [7000, 7003];

export class CloudflareApi {
  readonly #options: ApiOptions;

  constructor(options: ApiOptions) {
    this.#options = options;
  }

  get accountId(): string {
    return this.#options.accountId;
  }

  /**
   * Returns the resource at `path`, or null when Cloudflare says that there is none.
   *
   * @throws ApiError when the look-up failed
   */
  async find(path: string): Promise<unknown> {
    try {
      return await this.get(path);
    } catch (error) {
      if (error instanceof ApiError && isMissing(error)) return null;
      throw error;
    }
  }

  get(path: string): Promise<unknown> {
    return this.#tryRepeatedly("GET", path);
  }

  /** Sets what is the same however often it is set. */
  put(path: string, body: unknown): Promise<unknown> {
    return this.#tryRepeatedly("PUT", path, body);
  }

  /** Changes what is there to what is the same however often it is set. */
  patch(path: string, body: unknown): Promise<unknown> {
    return this.#tryRepeatedly("PATCH", path, body);
  }

  /** Reads by a POST, as SQL is read. */
  ask(path: string, body: unknown): Promise<unknown> {
    return this.#tryRepeatedly("POST", path, body);
  }

  /** Makes something new, and is therefore tried once. */
  post(path: string, body: unknown): Promise<unknown> {
    return this.#call("POST", path, body);
  }

  async #tryRepeatedly(method: Method, path: string, body?: unknown): Promise<unknown> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#call(method, path, body);
      } catch (error) {
        const isPassing =
          error instanceof ApiError && (error.status === 0 || error.status >= 500 || error.status === 429);
        if (!isPassing || attempt === TRIES) throw error;
        const delayMs = (this.#options.retryDelayMs ?? RETRY_DELAY_MS) * 2 ** (attempt - 1);
        await new Promise((resolve) => setTimeout(resolve, delayMs));
      }
    }
  }

  async #call(method: Method, path: string, body?: unknown): Promise<unknown> {
    const { baseUrl, accountId, credentials } = this.#options;
    const call = `${method} ${path}`;
    // Resources of a zone have their paths beside the accounts, not below one.
    const place = path.startsWith("/zones/") ? path : `/accounts/${accountId}${path}`;
    let status = 0;
    let envelope: Envelope;
    try {
      const response = await fetch(`${baseUrl}${place}`, {
        method,
        headers: { ...credentials, "Content-Type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      ({ status } = response);
      envelope = (await response.json()) as Envelope;
    } catch (error) {
      throw new ApiError(call, status, [], error instanceof Error ? describe(error) : String(error));
    }
    const errors = envelope.errors ?? [];
    if (status < 400 && envelope.success === true) return envelope.result;
    const reason = errors.map(({ code, message }) => `${message} [${code}]`).join("; ");
    throw new ApiError(
      call,
      status,
      errors.map(({ code }) => code),
      reason || "no reason given",
    );
  }
}

const isMissing = ({ status, codes }: ApiError): boolean =>
  status === 404 && codes.length > 0 && !codes.some((code) => NO_ROUTE_CODES.includes(code));

const describe = ({ message, cause }: Error): string =>
  cause instanceof Error ? `${message} (${cause.message})` : message;
