/** Renders all failures. Nothing below the routes returns a Response. */
import { HTTPException } from "hono/http-exception";
import { ApiError, errorBody } from "../../../errors.ts";
import type { AppContext } from "../context.ts";
import { isDatabaseFull } from "../../storage/database/full.ts";
import { MOVE } from "../../../limits.ts";
import { databaseCount } from "../../shards/bindings.ts";
import { settleAll } from "../../shards/settle.ts";
import { isSpaceClosed } from "../../storage/shards/space-rows.ts";
import { hasLeft } from "../../storage/shards/switch.ts";
import { isReadMethod } from "../requests/read-method.ts";
import { Replay } from "../requests/replay.ts";

export function renderError(error: unknown, c: AppContext): Response {
  if (error instanceof Replay) return error.response;
  if (isSpaceClosed(error)) settleSoon(c);
  return errorResponse(error, c.get("requestId"), c.req.path);
}

/** The statuses that a write may end with because its space is hidden: the rows of `spaces` and `space_names` are. */
const HIDDEN_STATUSES: readonly number[] = [404, 409, 412];

/**
 * Renders the failure of a route. A write that was under way when its space left the database may find nothing there, and so
 * reach no statement that a trigger refuses. It is refused like one that came a moment earlier (RULES 12.7).
 */
export async function renderFailure(error: unknown, c: AppContext): Promise<Response> {
  const isHidden =
    error instanceof ApiError &&
    HIDDEN_STATUSES.includes(error.status) &&
    !isReadMethod(c.req.method) &&
    databaseCount(c.env) > 1 &&
    (await hasSpaceLeft(c));
  return renderError(isHidden ? spaceMoves(error) : error, c);
}

/** Returns whether the space that the request has found here has left. A name may be another space's by now. */
async function hasSpaceLeft(c: AppContext): Promise<boolean> {
  const spaceId = c.get("spaceId");
  if (spaceId === undefined) return false;
  // A database that does not answer says nothing against the error.
  return hasLeft(c.get("db"), spaceId).catch(() => false);
}

/** Makes the end of a move beside the answer, because a crash may have come after its switch. */
function settleSoon(c: AppContext): void {
  const settled = settleAll(c.env, c.get("shard"), MOVE.movesPerRun).catch((error: unknown) => {
    console.error(JSON.stringify({ event: "settle-failed", reason: String(error) }));
  });
  c.executionCtx.waitUntil(settled);
}

const spaceMoves = (cause: unknown): ApiError =>
  new ApiError(
    "UNAVAILABLE",
    "The space is being moved to another database and takes no writes for some seconds. Nothing was written. Send the " +
      "request again.",
    { cause, headers: { "Retry-After": "1" } },
  );

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
  if (isSpaceClosed(error)) return spaceMoves(error);
  const message = "Something failed on our side. Try again; if it stays, report the requestId.";
  return new ApiError("INTERNAL", message, { cause: error });
}
