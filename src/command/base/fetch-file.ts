/**
 * Fetches a file from an address that an export names. An export may come from anybody, and this machine reaches more than
 * its author does: itself, its network, and the keys that a cloud gives out at 169.254.169.254. So the address to which a
 * connection goes is looked at, after the name was resolved and after each redirect.
 */
import { lookup, type LookupAddress, type LookupOptions } from "node:dns";
import { request as requestHttp, type IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { Readable, type Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { isPublicAddress } from "./public-addresses.ts";

const REDIRECTS_MAX = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export interface FileRequest {
  signal: AbortSignal;
  /** Whether addresses of this machine and of private networks are fetched too. */
  isPrivateAllowed: boolean;
}

type IsAllowed = (address: string) => boolean;

/** The error of an address to which no request goes. */
export class PrivateAddress extends Error {
  override readonly name = "PrivateAddress";

  constructor(host: string, address: string) {
    const of = host === address ? host : `${host} (${address})`;
    super(`${of} is an address of this machine or of a private network; --allow-private fetches it`);
  }
}

/**
 * Returns a function that resolves a name, and gives an error in place of an address that is not allowed. Node connects to
 * what it gives, and to nothing else.
 */
const lookupOnly =
  (isAllowed: IsAllowed): LookupFunction =>
  (host, options: LookupOptions, done) => {
    lookup(host, { ...options, all: true }, (error: Error | null, found?: LookupAddress[]) => {
      const hidden = found?.find(({ address }) => !isAllowed(address));
      const fault = error ?? (hidden && new PrivateAddress(host, hidden.address));
      const [first = { address: "", family: 4 }] = found ?? [];
      if (fault) done(fault, "", 4);
      else if (options.all === true) done(null, found ?? []);
      else done(null, first.address, first.family);
    });
  };

/** Sends one request. @throws PrivateAddress; Error of the network */
function send(url: URL, signal: AbortSignal, isAllowed: IsAllowed): Promise<IncomingMessage> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0 && !isAllowed(host)) return Promise.reject(new PrivateAddress(host, host));
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  const headers = { "User-Agent": "silverprint", Accept: "*/*", "Accept-Encoding": "identity" };
  return new Promise((resolve, reject) => {
    request(url, { headers, signal, lookup: lookupOnly(isAllowed) })
      .on("response", resolve)
      .on("error", reject)
      .end();
  });
}

/** Returns the bytes of a file, decompressed if the server has compressed them unasked. */
function bytesOf(answer: IncomingMessage): Readable {
  switch (answer.headers["content-encoding"]?.toLowerCase()) {
    case "gzip":
    case "x-gzip":
      return piped(answer, createGunzip());
    case "deflate":
      return piped(answer, createInflate());
    case "br":
      return piped(answer, createBrotliDecompress());
    default:
      return answer;
  }
}

function piped(from: IncomingMessage, to: Transform): Readable {
  from.on("error", (error) => to.destroy(error));
  to.on("close", () => from.destroy());
  return from.pipe(to);
}

/** Statuses whose answers have no body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** Returns whether a Response may have this status. Some servers answer with others, such as 999. */
const isStatus = (status: number): boolean => status >= 200 && status <= 599;

/**
 * Fetches a file of http or https, with at most five redirects. @param isPublic tells addresses of the internet
 * @throws PrivateAddress; Error of the network, or of an address that is none of the web
 */
export async function fetchFile(
  address: string,
  { signal, isPrivateAllowed }: FileRequest,
  isPublic: IsAllowed = isPublicAddress,
): Promise<Response> {
  const isAllowed = isPrivateAllowed ? (): boolean => true : isPublic;
  let url = new URL(address);
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
    if (!/^https?:$/.test(url.protocol)) throw new Error(`"${url.href}" is no address of the web`);
    const answer = await send(url, signal, isAllowed);
    const status = answer.statusCode ?? 0;
    const { location } = answer.headers;
    if (!REDIRECTS.has(status) || location === undefined) {
      if (isStatus(status) && !WITHOUT_BODY.has(status))
        return new Response(Readable.toWeb(bytesOf(answer)) as ReadableStream, { status });
      answer.destroy();
      return new Response(null, { status: isStatus(status) ? status : 502 });
    }
    answer.destroy();
    if (!URL.canParse(location, url)) throw new Error(`its redirect leads to "${location}"`);
    url = new URL(location, url);
  }
  throw new Error(`it is redirected more than ${REDIRECTS_MAX} times`);
}
