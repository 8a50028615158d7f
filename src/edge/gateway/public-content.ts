/**
 * Content as visitors without a key read it, top to bottom: the flood ceiling, the answer through the edge's cache, the
 * addresses and headers that are this request's own, the log line (RULES 3.17).
 */
import type { Env } from "../config.ts";
import { matchesEtag } from "../delivery/range.ts";
import { publicBaseFor } from "../http/addresses.ts";
import { checkEnvOnce } from "../http/context.ts";
import { allowOrigins } from "../http/answers/cors.ts";
import { errorResponse } from "../http/answers/errors.ts";
import { recordRequest } from "../http/answers/log.ts";
import type { ContentTarget } from "./content-target.ts";
import { checkFlood } from "./flood.ts";
import type { GatewayContext } from "./gateway.ts";
import { readAnswer, writeCall } from "./messages.ts";
import { CACHED_BASE, type CachedEntrypoint } from "./through-cache.ts";

/**
 * The beginning of absolute addresses in an answer that is kept: no host. In JSON nothing but our own addresses begins
 * with it, for no text that is stored holds a NUL (RULES 1.8).
 */
export const BASE_MARK = "\0";
const MARKED = /"\\u0000/g;

interface Ending {
  response: Response;
  queries: number;
  /** "replay" when the edge's cache answered; null where it did not come to that. */
  edge: "run" | "replay" | null;
}

/** Answers the conditions of a request here, from the whole: the copy may be anybody's. */
async function asAsked(response: Response, { method, headers }: Request): Promise<Response> {
  const etag = response.headers.get("ETag");
  const isKnown = response.status === 200 && etag !== null && matchesEtag(headers.get("If-None-Match"), etag);
  if (!isKnown && method !== "HEAD") return response;
  await response.body?.cancel();
  if (!isKnown) return new Response(null, response);
  for (const name of ["Content-Length", "Content-Type"]) response.headers.delete(name);
  return new Response(null, { status: 304, headers: response.headers });
}

async function withAddresses(response: Response, base: string): Promise<Response> {
  const begin = JSON.stringify(base).slice(0, -1);
  const text = (await response.text()).replaceAll(MARKED, () => begin);
  response.headers.delete("Content-Length");
  return new Response(text, response);
}

/**
 * Answers GET or HEAD of content without a key. Errors are answers: nothing is thrown.
 * @param inPlace answers as without a cache, and counts and logs by itself
 */
export async function handlePublicContent(
  request: Request,
  url: URL,
  target: ContentTarget,
  env: Env,
  context: GatewayContext,
  inPlace: () => Response | Promise<Response>,
): Promise<Response> {
  const requestId = crypto.randomUUID();
  const arrivedAt = Date.now();
  let ending: Ending;
  try {
    checkEnvOnce(env);
    const client = await checkFlood(env, "redirect", request.headers);
    const headers = writeCall({ requestId, client, arrivedAt, ofPrimary: false, ownHosts: [] });
    const { Cached } = context.exports as { Cached: CachedEntrypoint };
    let kept: Response;
    try {
      kept = await Cached.fetch(CACHED_BASE + target.path, { method: "GET", headers, redirect: "manual" });
    } catch (error) {
      // The platform's trouble is no visitor's.
      console.error(JSON.stringify({ event: "edge-cache-failed", requestId, reason: String(error) }));
      return await inPlace();
    }
    const { response, isReplay, queries } = readAnswer(kept, requestId);
    const whole = target.isExpanded ? await withAddresses(response, publicBaseFor(env, url)) : response;
    ending = { response: await asAsked(whole, request), queries, edge: isReplay ? "replay" : "run" };
  } catch (error) {
    const failed = errorResponse(error, requestId, url.pathname);
    ending = { response: await asAsked(failed, request), queries: 0, edge: null };
  }
  const { response, queries, edge } = ending;
  response.headers.set("X-Request-Id", requestId);
  allowOrigins(response.headers);
  recordRequest(env, (work) => context.waitUntil(work), {
    requestId,
    method: request.method,
    space: target.spaceName,
    route: target.route,
    status: response.status,
    ms: Date.now() - arrivedAt,
    queries,
    transform: null,
    ...(edge && { edge }),
  });
  return response;
}
