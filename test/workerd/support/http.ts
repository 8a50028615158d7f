/** The Worker as its clients reach it, from inside workerd. */
import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { exports } from "cloudflare:workers";
import handlers from "../../../src/edge/worker.ts";
import { bindings } from "./rows.ts";

const HOST = "https://images.test";
export const ROOT = { Authorization: `Bearer ${bindings.ROOT_TOKEN}` };

const worker = exports as unknown as { default: Fetcher };

export const request = (path: string, init: RequestInit = {}): Promise<Response> =>
  worker.default.fetch(`${HOST}${path}`, { redirect: "manual", ...init });

/** Calls the Worker's own handler with bindings or variables in place of the deployment's. */
export async function requestWith(
  overrides: Record<string, unknown>,
  path: string,
  init: RequestInit = {},
): Promise<Response> {
  const context = createExecutionContext();
  const request = new Request(`${HOST}${path}`, { redirect: "manual", ...init });
  const response = await handlers.fetch(request, { ...bindings, ...overrides }, context);
  await waitOnExecutionContext(context);
  return response;
}

/** Returns a body of pieces. Each is taken out of `unsent` when the Worker asks for more. */
export function sentInPieces(unsent: string[]): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const piece = unsent.shift();
        if (piece === undefined) controller.close();
        else controller.enqueue(new TextEncoder().encode(piece));
      },
    },
    { highWaterMark: 0 },
  );
}

export interface PictureAnswer {
  status: number;
  /** Path of the Location. */
  path: string;
  state: string | null;
  /** X-Service-File: "master" or "variant". */
  file: string | null;
  width: number;
  cacheControl: string | null;
}

export async function picture(
  space: string,
  id: string,
  query = "",
  init: RequestInit = {},
): Promise<PictureAnswer> {
  const response = await request(`/api/v1/${space}/pictures/${id}?${query}`, init);
  await response.body?.cancel();
  const location = response.headers.get("Location");
  return {
    status: response.status,
    path: location === null ? "" : new URL(location, HOST).pathname,
    state: response.headers.get("X-Service-Transform"),
    file: response.headers.get("X-Service-File"),
    width: Number(response.headers.get("X-Service-Width")),
    cacheControl: response.headers.get("Cache-Control"),
  };
}
