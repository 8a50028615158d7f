/** Calls a tool: its route answers the request inside the Worker, with the caller's own key (RULES 19.2). */
import type * as z from "zod";
import { faultMessage } from "../../../content/faults/fault-message.ts";
import { ApiError, errorBody, type ErrorBody } from "../../../errors.ts";
import { detailsOf } from "../../http/answers/faults.ts";
import { LIST } from "../../../limits.ts";
import type { AppContext } from "../../http/context.ts";
import type { App } from "../../http/endpoint.ts";
import { errorResult, fittingPage, shortResult, wholeResult, type Page, type ToolResult } from "./answer.ts";
import type { RouteRequest, Tool } from "./tool.ts";

type One = Record<string, unknown>;
type Answered = { data: unknown; meta?: Page["meta"]; etag: string | null } | { error: ErrorBody["error"] };

/** Sends a request to a route. */
export type AskRoute = (request: RouteRequest) => Promise<Answered>;

/** Headers of the caller that routes authorise and charge by. */
const PASSED_ON = ["Authorization", "CF-Connecting-IP"] as const;

/** Refuses numbers that a double does not hold, which have been read as NaN: JSON would make null of them. */
const exactly = (name: string, value: unknown): unknown => {
  if (typeof value !== "number" || Number.isFinite(value)) return value;
  const details = [{ path: name, message: "must be a number that a double holds exactly" }];
  throw new ApiError("VALIDATION_FAILED", "The arguments do not fit; see details.", { details });
};

const ifMatchOf = (version: string | number): string =>
  /^\d+$/.test(String(version)) ? `"${version}"` : String(version);

/** Returns the function that asks routes of a space as the caller of `c`. */
export const routesOf =
  (app: App, c: AppContext, spaceName: string): AskRoute =>
  async ({ method, path, query = [], body, ifMatch, idempotencyKey }) => {
    const url = new URL(`/api/v1/${spaceName}${path}`, c.req.url);
    url.search = new URLSearchParams(query.map(([name, value]) => [name, value])).toString();
    const headers = new Headers();
    for (const name of PASSED_ON) {
      const value = c.req.header(name);
      if (value !== undefined) headers.set(name, value);
    }
    if (body !== undefined) headers.set("Content-Type", "application/json");
    if (ifMatch !== undefined) headers.set("If-Match", ifMatchOf(ifMatch));
    if (idempotencyKey !== undefined) headers.set("Idempotency-Key", idempotencyKey);
    const sent = body === undefined ? {} : { body: JSON.stringify(body, exactly) };
    const response = await app.fetch(new Request(url, { method, headers, ...sent }), c.env, c.executionCtx);
    const answer = await response.json<object>();
    return { ...answer, etag: response.headers.get("ETag") } as Answered;
  };

const failed = (error: ApiError, requestId: string): ToolResult =>
  errorResult(errorBody(error, requestId).error);

/** Asks for a page, and again for fewer items until they fit. Each time it asks for fewer, so it ends. */
async function askPage(request: RouteRequest, first: Answered, ask: AskRoute): Promise<ToolResult> {
  const { query = [], view = (item: One) => item } = request;
  let answered = first;
  for (;;) {
    if ("error" in answered) return errorResult(answered.error);
    const { data, meta = { nextCursor: null } } = answered;
    const fitting = fittingPage({ data: (data as One[]).map(view), meta });
    if (typeof fitting !== "number") return fitting;
    const others = query.filter(([name]) => name !== "limit");
    answered = await ask({
      ...request,
      query: [...others, ["limit", String(Math.min(fitting, LIST.limitMax))]],
    });
  }
}

const staleCursor = (): ApiError =>
  new ApiError(
    "INVALID_CURSOR",
    "The object has changed since this cursor was answered. Call again without a cursor.",
  );

async function answerOf(
  request: RouteRequest,
  cursor: string | undefined,
  ask: AskRoute,
): Promise<ToolResult> {
  const answered = await ask(request);
  if ("error" in answered) return errorResult(answered.error);
  const { view = (item: One) => item, answers } = request;
  const more = answered.etag === null ? {} : { etag: answered.etag };
  switch (answers) {
    case "page":
      return askPage(request, answered, ask);
    case "short":
      return shortResult(view(answered.data as One), more);
    case "whole": {
      const result = await wholeResult(view(answered.data as One), cursor, more);
      if (!result) throw staleCursor();
      return result;
    }
    default:
      return answers satisfies never;
  }
}

const misfit = (error: z.ZodError): ApiError =>
  new ApiError("VALIDATION_FAILED", "The arguments do not fit; see details.", { details: detailsOf(error) });

/** Calls a tool. Whatever the arguments or the route refuse is an error of the tool, which the agent reads. */
export async function callTool(
  tool: Tool,
  given: unknown,
  ask: AskRoute,
  requestId: string,
): Promise<ToolResult> {
  const parsed = tool.takes.safeParse(given ?? {}, { error: faultMessage });
  if (!parsed.success) return failed(misfit(parsed.error), requestId);
  const { cursor } = parsed.data as { cursor?: string };
  try {
    return await answerOf(tool.asks(parsed.data), cursor, ask);
  } catch (error) {
    if (error instanceof ApiError) return failed(error, requestId);
    throw error;
  }
}
