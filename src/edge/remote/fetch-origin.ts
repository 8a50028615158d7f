/**
 * Fetches a file from an origin (RULES 13.4): by https alone, through at most three redirects, each of which must lead
 * to an allowed address, without cookies or credentials, within one time limit and one limit of bytes.
 */
import { megabytes, REMOTE } from "../../limits.ts";
import { isDisguised } from "./address.ts";
import { freshMsOf } from "./freshness.ts";

/** The kind of a failure, which decides how long it is remembered. */
export type FailureKind =
  /** The origin has no file at the address: 404, 410. */
  | "gone"
  /** The file cannot be served: it is no picture, or too large. */
  | "refused"
  /** The origin fails, is slow, breaks off, or leads elsewhere. */
  | "origin";

export class FetchFailure extends Error {
  readonly kind: FailureKind;

  constructor(kind: FailureKind, message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}

/** The identity of a version of the file at its origin. */
export interface Validators {
  etag: string | null;
  lastModified: string | null;
}

export interface FetchedFile extends Validators {
  kind: "file";
  freshMs: number;
  /** Throws FetchFailure. A caller that does not read it to its end calls `return`. */
  body: AsyncGenerator<Uint8Array, undefined>;
}

export interface Unchanged {
  kind: "unchanged";
  freshMs: number;
}

export interface FetchTools {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Whether the space may fetch this address. */
  isAllowed: (address: URL) => boolean;
  /** Ends the fetch. */
  signal: AbortSignal;
}

/** The first `Accept`, without AVIF and WebP: variants are better made from the file that those were made from. */
const PREFERRED = "image/jpeg,image/png,image/gif,image/svg+xml,*/*;q=0.1";
/** The second `Accept`, for an origin that has no other format. */
const ANY = "image/avif,image/webp,image/*,*/*;q=0.1";
const NOT_ACCEPTABLE = 406;
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];
const GONE: readonly number[] = [404, 410];

/**
 * Fetches the file at an address, or learns that it is still the one of the validators.
 * @throws FetchFailure
 */
export async function fetchOrigin(
  address: URL,
  known: Validators | null,
  tools: FetchTools,
): Promise<FetchedFile | Unchanged> {
  const response = await follow(address, known, PREFERRED, tools);
  if (response.status !== NOT_ACCEPTABLE) return read(response, known, tools);
  await drop(response);
  return read(await follow(address, known, ANY, tools), known, tools);
}

async function follow(
  address: URL,
  known: Validators | null,
  accept: string,
  { fetch, isAllowed, signal }: FetchTools,
): Promise<Response> {
  const headers = {
    Accept: accept,
    "User-Agent": "Silverprint",
    ...(known?.etag && { "If-None-Match": known.etag }),
    ...(known?.lastModified && { "If-Modified-Since": known.lastModified }),
  };
  let at = address;
  for (let redirects = 0; ; redirects++) {
    if (!isAllowed(at)) {
      const led = redirects === 0 ? "" : ", to which the origin leads,";
      throw new FetchFailure("origin", `${at.origin}${led} is not among the origins of the space`);
    }
    const response = await fetch(at.href, { headers, redirect: "manual", signal }).catch((cause: unknown) => {
      throw failed(signal, cause);
    });
    const location = REDIRECTS.includes(response.status) ? response.headers.get("Location") : null;
    if (location === null) return response;
    await drop(response);
    if (redirects === REMOTE.redirectsMax)
      throw new FetchFailure("origin", `the origin redirects more than ${REMOTE.redirectsMax} times`);
    if (!URL.canParse(location, at.href))
      throw new FetchFailure("origin", "the origin redirects to what is no address");
    at = new URL(location, at.href);
    if (isDisguised(location, at))
      throw new FetchFailure("origin", "the origin redirects to an IP address in an unusual form");
  }
}

async function read(
  response: Response,
  known: Validators | null,
  { signal }: FetchTools,
): Promise<FetchedFile | Unchanged> {
  const { status, headers } = response;
  const body = response.body as ReadableStream<Uint8Array> | null;
  const freshMs = freshMsOf(headers.get("Cache-Control"));
  if (status === 304 && known !== null) {
    await drop(response);
    return { kind: "unchanged", freshMs };
  }
  if (status !== 200 || body === null) {
    await drop(response);
    const kind = GONE.includes(status) ? "gone" : "origin";
    throw new FetchFailure(kind, `the origin answers ${status}`);
  }
  if (Number(headers.get("Content-Length") ?? 0) > REMOTE.fetchMaxBytes) {
    await drop(response);
    throw tooLarge();
  }
  const etag = validator(headers.get("ETag"));
  const lastModified = validator(headers.get("Last-Modified"));
  return { kind: "file", freshMs, etag, lastModified, body: bounded(body, signal) };
}

/** Reads a body up to the limit, counted as it comes out of its content encoding. */
async function* bounded(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, undefined> {
  const reader = body.getReader();
  // A body may hang although its fetch was aborted.
  const ended = new Promise<never>((_, reject) => {
    const end = (): void => reject(failed(signal, signal.reason));
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
  ended.catch(() => undefined);
  let bytes = 0;
  try {
    for (;;) {
      const step = await Promise.race([reader.read(), ended]).catch((cause: unknown) => {
        throw cause instanceof FetchFailure ? cause : failed(signal, cause);
      });
      if (step.done) return undefined;
      bytes += step.value.byteLength;
      if (bytes > REMOTE.fetchMaxBytes) throw tooLarge();
      yield step.value;
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

const failed = (signal: AbortSignal, cause: unknown): FetchFailure =>
  signal.aborted
    ? new FetchFailure("origin", "the origin did not give the file in its time", cause)
    : new FetchFailure("origin", "the connection to the origin failed, or broke off", cause);

const tooLarge = (): FetchFailure =>
  new FetchFailure("refused", `the file has more than ${megabytes(REMOTE.fetchMaxBytes)}`);

const validator = (value: string | null): string | null =>
  value !== null && value.length <= REMOTE.validatorMaxCharacters ? value : null;

/** Cancels a body: one that no code reads holds a connection (RULES 10.4). */
const drop = async (response: Response): Promise<void> => response.body?.cancel().catch(() => undefined);
