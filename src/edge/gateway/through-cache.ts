/** An answer through the edge's cache: the entrypoint `Cached` runs when the cache holds nothing (RULES 7.8). */
import { CACHE } from "../../limits.ts";
import { matchesEtag } from "../delivery/range.ts";
import { ExpiringMap } from "../storage/expiring-map.ts";
import type { Call } from "./call.ts";
import { readAnswer, writeCall } from "./messages.ts";
import { normalAcceptOf, normalPath, type Asked } from "./target.ts";

export interface CachedEntrypoint {
  fetch(url: string, init: RequestInit): Promise<Response>;
}

/** Raise it when no stored answer of an older version of the Worker is to be replayed: the cache outlives deploys. */
const GENERATION = "/1";
/** The host is no part of the cache's key; only the path and the query are. */
const BASE = `https://cached${GENERATION}`;

/** The path of a request to `Cached` as `targetOf` reads it. */
export const pathOfCached = ({ pathname }: URL): string => pathname.slice(GENERATION.length);

/** What the cache itself answers from a stored file, or hands on. */
const FORWARDED = ["If-None-Match", "If-Range", "Range"];

export async function askThroughCache(
  cached: CachedEntrypoint,
  request: Request,
  asked: Asked,
  call: Call,
): Promise<{ response: Response; state: string | null; edge: "run" | "replay" }> {
  const url = BASE + normalPath(asked);
  const accept = normalAcceptOf(asked);
  const headers: Record<string, string> = { ...writeCall(call), ...(accept !== null && { Accept: accept }) };
  for (const name of FORWARDED) {
    const value = request.headers.get(name);
    if (value !== null) headers[name] = value;
  }
  const init = { method: request.method, headers, redirect: "manual" } as const;
  const read = readAnswer(await cached.fetch(url, init), call.requestId);
  call.queryCount.queries += read.queries;
  if (read.isWorthAsking && !read.isReplay) askToKeep(cached, url, accept, call);
  const response = await ifModified(read.response, request);
  return { response, state: read.state, edge: read.isReplay ? "replay" : "run" };
}

/** The cache answers conditions from what it keeps; of what it does not keep, it asks for the whole. */
async function ifModified(response: Response, request: Request): Promise<Response> {
  const etag = response.headers.get("ETag");
  if (response.status !== 200 || etag === null) return response;
  if (!matchesEtag(request.headers.get("If-None-Match"), etag)) return response;
  await response.body?.cancel();
  const { headers } = response;
  headers.delete("Content-Length");
  return new Response(null, { status: 304, headers });
}

/** Answers that were asked to be kept lately. */
const askedToKeep = new ExpiringMap<true>(CACHE.edgeAskMs, CACHE.factsMaxEntries);

/**
 * The visitor has an answer that may be older than the primary's, and that the edge did not keep: it is asked for once
 * more beside it, of the primary. A HEAD has the cache fetch the whole of a file.
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
