/** Which routes take an Idempotency-Key (RULES 1.9). */

/** Keys are shown once, and files are streamed: neither is kept to be answered again. */
const LEFT_OUT = /^\/api\/v1\/[^/]+\/(?:keys|media)(?:\/|$)/;

/** @param path of a request, or of a route in Hono's form */
export const takesIdempotencyKey = (method: string, path: string): boolean =>
  method.toUpperCase() === "POST" && !LEFT_OUT.test(path);
