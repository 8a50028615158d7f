/** Renders every failure, in one place; nothing below the routes returns a Response. */
import { HTTPException } from "hono/http-exception";
import { ApiError, errorBody } from "../../errors.ts";
import type { AppContext } from "./context.ts";

export function renderError(error: unknown, c: AppContext): Response {
  const known = asApiError(error);
  if (known.status >= 500) {
    const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
    console.error(JSON.stringify({ event: "error", requestId: c.get("requestId"), path: c.req.path, cause }));
  }
  const body = errorBody(known, c.get("requestId"));
  return c.json(body, known.status, { "Cache-Control": "no-store", ...known.headers });
}

function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof HTTPException && error.status < 500) {
    return new ApiError("INVALID_PARAMETER", error.message || "The request is malformed.", { cause: error });
  }
  const message = "Something failed on our side. Try again; if it stays, report the requestId.";
  return new ApiError("INTERNAL", message, { cause: error });
}
