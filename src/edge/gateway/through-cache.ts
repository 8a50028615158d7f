/** Gets an answer through the edge's cache, which runs the entrypoint `Cached` if it has none (RULES 7.8). */
import { notFound } from "../../errors.ts";
import { CACHE } from "../../limits.ts";
import { matchesEtag } from "../delivery/range.ts";
import { errorResponse } from "../http/answers/errors.ts";
import { ExpiringMap } from "../storage/database/expiring-map.ts";
import type { Call } from "./call.ts";
import { readAnswer, writeCall } from "./messages.ts";
import { normalAcceptOf, normalPath, type Asked } from "./target.ts";

export interface CachedEntrypoint {
  fetch(url: string, init: RequestInit): Promise<Response>;
}

/**
 * Part of the cache's key. Change it so that answers of older versions of the Worker are not replayed after a deploy.
 */
const GENERATION = "/1";
/** The host is not part of the cache's key; only path and query are. */
export const CACHED_BASE = `https://cached${GENERATION}`;

/** Returns the path of a request to `Cached`, in the form that `targetOf` reads. */
export const pathOfCached = ({ pathname }: URL): string => pathname.slice(GENERATION.length);

/** Headers that the cache itself evaluates for a stored file, or else forwards. */
const FORWARDED = ["If-None-Match", "If-Range", "Range"];

export async function askThroughCache(
  cached: CachedEntrypoint,
  request: Request,
  asked: Asked,
  call: Call,
): Promise<{ response: Response; state: string | null; edge: "run" | "replay" }> {
  const url = CACHED_BASE + normalPath(asked);
  const accept = normalAcceptOf(asked);
  const headers: Record<string, string> = { ...writeCall(call), ...(accept !== null && { Accept: accept }) };
  for (const name of FORWARDED) {
    const value = request.headers.get(name);
    if (value !== null) headers[name] = value;
  }
  const init = { method: request.method, headers, redirect: "manual" } as const;
  const read = readAnswer(await cached.fetch(url, init), call.requestId);
  call.queryCount.queries += read.queries;
  if (read.isReplay && read.response.status === 404) {
    const response = await missingAgain(read.response, request, asked, call);
    return { response, state: null, edge: "replay" };
  }
  if (read.isWorthAsking && !read.isReplay) askToKeep(cached, url, accept, call);
  const response = await ifModified(read.response, request);
  return { response, state: read.state, edge: read.isReplay ? "replay" : "run" };
}

/** Returns a stored 404 with a body of its own, because the stored one names the request for which it was made. */
async function missingAgain(
  { body, headers, status }: Response,
  { method, url }: Request,
  asked: Asked,
  { requestId }: Call,
): Promise<Response> {
  await body?.cancel();
  headers.delete("Content-Length");
  const error = notFound("file" in asked ? "The file" : "The picture");
  const own = errorResponse(error, requestId, new URL(url).pathname);
  return new Response(method === "HEAD" ? null : own.body, { status, headers });
}

/** Evaluates conditions on an answer that the cache did not store, because it requests such an answer without them. */
async function ifModified(response: Response, request: Request): Promise<Response> {
  const etag = response.headers.get("ETag");
  if (response.status !== 200 || etag === null) return response;
  if (!matchesEtag(request.headers.get("If-None-Match"), etag)) return response;
  await response.body?.cancel();
  const { headers } = response;
  headers.delete("Content-Length");
  return new Response(null, { status: 304, headers });
}

/** Answers that this isolate has lately asked the edge to keep. */
const askedToKeep = new ExpiringMap<true>(CACHE.edgeAskMs, CACHE.factsMaxEntries);

/**
 * Asks for an answer once more, from the primary, so that the edge keeps it: the visitor has got one that may be older,
 * which the edge did not keep. A HEAD request makes the cache fetch the whole file.
 */
function askToKeep(cached: CachedEntrypoint, url: string, accept: string | null, call: Call): void {
  const now = Date.now();
  const key = `${url} ${accept}`;
  if (askedToKeep.get(key, now)) return;
  askedToKeep.set(key, true, now);
  const own = { ...call, requestId: crypto.randomUUID(), ofPrimary: true };
  const headers = { ...writeCall(own), ...(accept !== null && { Accept: accept }) };
  const kept = cached
    .fetch(url, { method: "HEAD", headers, redirect: "manual" })
    .then((response) => response.body?.cancel());
  call.waitUntil(kept.catch(() => undefined));
}
