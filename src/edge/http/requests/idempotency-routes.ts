/** Which routes accept an Idempotency-Key (RULES 1.9). */

/**
 * The routes that do not: answers with new keys, tokens and secrets are not stored, an upload is not read twice, and a
 * repeated import changes nothing anyway. A message of an agent calls a route, which takes a key of its own.
 */
const LEFT_OUT =
  /^\/api\/v1\/[^/]+\/(?:(?:keys|media|import|preview-tokens|sessions)(?:\/|$)|webhooks$|mcp$)/;

/** @param path the path of a request, or of a route in Hono's form */
export const takesIdempotencyKey = (method: string, path: string): boolean =>
  method.toUpperCase() === "POST" && !LEFT_OUT.test(path);
