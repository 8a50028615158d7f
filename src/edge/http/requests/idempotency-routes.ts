/** Which routes accept an Idempotency-Key (RULES 1.9). */

/** The routes that do not: the answer with a new API key is not stored, and an upload is not read twice. */
const LEFT_OUT = /^\/api\/v1\/[^/]+\/(?:keys|media)(?:\/|$)/;

/** @param path the path of a request, or of a route in Hono's form */
export const takesIdempotencyKey = (method: string, path: string): boolean =>
  method.toUpperCase() === "POST" && !LEFT_OUT.test(path);
