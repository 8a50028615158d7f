/**
 * Handles a request of image delivery from top to bottom: the flood ceiling, the parameters, the answer (through the
 * edge's cache if there is one), the headers of this request, the log line.
 */
import type { Env } from "../config.ts";
import { checkEnvOnce } from "../http/context.ts";
import { allowOrigins } from "../http/answers/cors.ts";
import { errorResponse } from "../http/answers/errors.ts";
import { recordRequest, spaceOfPath } from "../http/answers/log.ts";
import { ownHosts } from "../remote/own-addresses.ts";
import { answer } from "./answer.ts";
import type { Call } from "./call.ts";
import { checkFlood } from "./flood.ts";
import { askedOf, type Asked, type Target, type TargetKind } from "./target.ts";
import { askThroughCache, type CachedEntrypoint } from "./through-cache.ts";

export interface GatewayContext {
  waitUntil(work: Promise<unknown>): void;
  readonly exports: unknown;
}

/** The routes in the API document, as the log names them. */
export const ROUTES = {
  redirect: "/api/v1/:spaceName/pictures/:mediaId",
  direct: "/api/v1/:spaceName/pictures/:mediaId/file",
  remote: "/api/v1/:spaceName/remote",
  master: "/cdn/m/:spaceId/:mediaId/:version/:file",
  variant: "/cdn/v/:spaceId/:mediaId/:version/:file",
} as const satisfies Record<TargetKind, string>;

interface Ending {
  response: Response;
  state: string | null;
  /** "replay" if the edge's cache answered, "run" if it did not have the answer, null if it was not asked. */
  edge: "run" | "replay" | null;
}

/** Answers GET or HEAD of a path of image delivery. It throws nothing: errors become answers. */
export async function handleDelivery(
  request: Request,
  url: URL,
  target: Target,
  env: Env,
  context: GatewayContext,
): Promise<Response> {
  const requestId = crypto.randomUUID();
  const arrivedAt = Date.now();
  const queryCount = { queries: 0 };
  const waitUntil = (work: Promise<unknown>): void => context.waitUntil(work);
  let ending: Ending;
  try {
    checkEnvOnce(env);
    const client = await checkFlood(env, target.kind, request.headers);
    const hosts = target.kind === "remote" ? ownHosts(env, url.host) : [];
    const asked = askedOf(target, url.search, request.headers.get("Accept"), hosts);
    const call = {
      env,
      waitUntil,
      requestId,
      arrivedAt,
      client,
      ofPrimary: false,
      ownHosts: hosts,
      queryCount,
    };
    ending = await end(request, asked, call, context);
  } catch (error) {
    const failed = errorResponse(error, requestId, url.pathname);
    const response = request.method === "HEAD" ? new Response(null, failed) : failed;
    ending = { response, state: null, edge: null };
  }
  const { response, state, edge } = ending;
  response.headers.set("X-Request-Id", requestId);
  allowOrigins(response.headers);
  recordRequest(env, waitUntil, {
    requestId,
    method: request.method,
    space: spaceOfPath(url.pathname),
    route: ROUTES[target.kind],
    status: response.status,
    ms: Date.now() - arrivedAt,
    queries: queryCount.queries,
    transform: state,
    ...(edge && { edge }),
  });
  return response;
}

async function end(request: Request, asked: Asked, call: Call, context: GatewayContext): Promise<Ending> {
  if (call.env.EDGE_CACHE === "on") {
    const { Cached } = context.exports as { Cached: CachedEntrypoint };
    try {
      return await askThroughCache(Cached, request, asked, call);
    } catch (error) {
      // If the platform's cache fails, the request is answered here, so that visitors do not notice.
      console.error(
        JSON.stringify({ event: "edge-cache-failed", requestId: call.requestId, reason: String(error) }),
      );
    }
  }
  const { response, state } = await answer(request, asked, call);
  return { response, state, edge: null };
}
