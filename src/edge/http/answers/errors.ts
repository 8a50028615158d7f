/** Renders all failures. Nothing below the routes returns a Response. */
import { HTTPException } from "hono/http-exception";
import { ApiError, errorBody } from "../../../errors.ts";
import type { AppContext } from "../context.ts";
import { isDatabaseFull } from "../../storage/database/full.ts";
import { Replay } from "../requests/replay.ts";

export const renderError = (error: unknown, c: AppContext): Response =>
  error instanceof Replay ? error.response : errorResponse(error, c.get("requestId"), c.req.path);

/** Returns the answer to a failure, with headers that can still be set. */
export function errorResponse(error: unknown, requestId: string, path: string): Response {
  const known = asApiError(error);
  if (known.status >= 500) {
    const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
    console.error(JSON.stringify({ event: "error", requestId, path, cause }));
  }
  const headers = { "Cache-Control": "no-store", ...known.headers };
  return Response.json(errorBody(known, requestId), { status: known.status, headers });
}

const storageFull = (cause: unknown): ApiError =>
  new ApiError(
    "STORAGE_FULL",
    "The database of this space is full, so nothing more can be written; reads go on. Remove records, media or " +
      "spaces that nobody needs, or ask the operator to free some of it. New spaces can stand on another database.",
    { cause },
  );

function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof HTTPException && error.status < 500) {
    return new ApiError("INVALID_PARAMETER", error.message || "The request is malformed.", { cause: error });
  }
  if (isDatabaseFull(error)) return storageFull(error);
  const message = "Something failed on our side. Try again; if it stays, report the requestId.";
  return new ApiError("INTERNAL", message, { cause: error });
}
