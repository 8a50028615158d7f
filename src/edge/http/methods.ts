/** 405 with `Allow` for a path that exists under other methods (RFC 9110 §15.5.6). */
import { ApiError } from "../../errors.ts";
import type { AppContext } from "./context.ts";
import type { App } from "./endpoint.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
const ALL_METHODS = "ALL";

/** Returns the 405 error; null if the path exists under no method. */
export function methodNotAllowed(app: App, c: AppContext): ApiError | null {
  const allowed: string[] = METHODS.filter((method) =>
    app.router.match(method, c.req.path)[0].some(([[, route]]) => route.method !== ALL_METHODS),
  );
  if (allowed.length === 0) return null;
  if (allowed.includes("GET")) allowed.push("HEAD");
  allowed.push("OPTIONS");
  const allow = allowed.join(", ");
  return new ApiError("METHOD_NOT_ALLOWED", `This path takes ${allow}.`, { headers: { Allow: allow } });
}
