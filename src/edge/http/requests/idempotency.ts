/**
 * `Idempotency-Key` (RULES 1.9): the first answer to a POST is stored and repeated, so that a client that got no answer
 * can send the request again. A route claims the key once it knows that the caller may make the request. A run without
 * an answer after a minute counts as crashed. Records that it created are not created twice, because ids are derived
 * from the seed of the key.
 */
import { createMiddleware } from "hono/factory";
import { ulid } from "ulid";
import { ApiError } from "../../../errors.ts";
import { IDEMPOTENCY, MEGABYTE_BYTES, MOVE } from "../../../limits.ts";
import type { Credential } from "../../spaces/authorize.ts";
import {
  claimKey,
  endRun,
  keepAnswer,
  type KeyedRequest,
  type StoredAnswer,
} from "../../storage/spaces/idempotency.ts";
import { shardOfSpace } from "../../shards/where.ts";
import type { Database } from "../../storage/database/database.ts";
import { isSpaceClosed } from "../../storage/shards/space-rows.ts";
import { publicBaseOf } from "../addresses.ts";
import { openShard, type AppContext, type AppEnv } from "../context.ts";
import { takesIdempotencyKey } from "./idempotency-routes.ts";
import { readBounded } from "./json-body.ts";
import { Replay } from "./replay.ts";

const KEY = /^[\x21-\x7e]+$/;
/** The headers that are stored with an answer. */
const KEPT = ["Content-Type", "Cache-Control", "ETag", "Location"];

function checkedKey(key: string): string {
  if (key.length <= IDEMPOTENCY.keyMaxCharacters && KEY.test(key)) return key;
  const message = `must be 1 to ${IDEMPOTENCY.keyMaxCharacters} visible characters of ASCII`;
  throw new ApiError("INVALID_PARAMETER", `The header Idempotency-Key ${message}.`, {
    details: [{ path: "Idempotency-Key", message }],
  });
}

/** Returns a digest of the request: method, address and body. The body remains readable for the handler. */
async function digestOf(c: AppContext): Promise<string> {
  const { method, url, body } = c.req.raw;
  const bytes = await readBounded(body);
  // A request without a body stays without one.
  if (bytes.byteLength > 0) c.req.raw = new Request(c.req.raw, { body: bytes });
  const { pathname, search } = new URL(url);
  const head = new TextEncoder().encode(`${method} ${pathname}${search}\n`);
  const asked = new Uint8Array(head.byteLength + bytes.byteLength);
  asked.set(head);
  asked.set(bytes, head.byteLength);
  const digest = await crypto.subtle.digest("SHA-256", asked);
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Reads an answer for the store. `Location` is kept as a path, because the host may be the caller's (RULES 1.7). */
async function storedAnswer(c: AppContext, response: Response): Promise<StoredAnswer> {
  const base = publicBaseOf(c);
  const headers = KEPT.flatMap((name) => {
    const value = response.headers.get(name);
    if (value === null) return [];
    return [[name, name === "Location" && value.startsWith(`${base}/`) ? value.slice(base.length) : value]];
  });
  return {
    status: response.status,
    headers: Object.fromEntries(headers) as Record<string, string>,
    body: await response.clone().text(),
  };
}

/**
 * Writes the end of a run. A move of the space may refuse writes since the key was claimed: the answer waits until they are
 * taken again, here or where the space has come (RULES 12.7). Otherwise the request, sent again, would be held for one that
 * is still running.
 */
async function writeEnd(
  c: AppContext,
  { spaceId }: KeyedRequest,
  write: (db: Database) => Promise<void>,
): Promise<void> {
  const until = Date.now() + MOVE.closedMaxMs + MOVE.settleMs;
  for (let db = c.get("db"); ;) {
    try {
      await write(db);
      return;
    } catch (error) {
      if (spaceId === null || !isSpaceClosed(error) || Date.now() >= until) throw error;
      await new Promise((resolve) => setTimeout(resolve, IDEMPOTENCY.closedLookMs));
      db = openShard(c, await shardOfSpace(c.env, spaceId));
    }
  }
}

/** Stores the answer of a run, or lets the request run again after an error of the service. */
async function endClaim(c: AppContext, asked: KeyedRequest): Promise<void> {
  try {
    const answer = c.res.status >= 500 ? null : await storedAnswer(c, c.res);
    await writeEnd(c, asked, (db) => (answer === null ? endRun(db, asked) : keepAnswer(db, asked, answer)));
  } catch (error) {
    // The request has succeeded and is answered. Only a repeated one gets 409 until this run counts as crashed.
    const event = { event: "idempotency-failed", requestId: c.get("requestId"), reason: String(error) };
    console.error(JSON.stringify(event));
  }
}

/** Takes the key of a request, and stores the answer once a route has claimed the key. */
export const idempotency = createMiddleware<AppEnv>(async (c, next) => {
  const key = c.req.header("Idempotency-Key");
  if (key === undefined || !takesIdempotencyKey(c.req.method, c.req.path)) return next();
  c.set("idempotencyKey", checkedKey(key));
  await next();
  const claimed = c.get("claimed");
  if (claimed) await endClaim(c, claimed);
  return undefined;
});

const tooMany = (): ApiError => {
  const { keysPerCallerMax, bytesPerCallerMax, retryAfterSeconds } = IDEMPOTENCY;
  const most = `${keysPerCallerMax} keys and ${bytesPerCallerMax / MEGABYTE_BYTES} MB of answers`;
  const message =
    `No more Idempotency-Keys of this caller are kept: in 24 hours, ${most} are the most. ` +
    "Send the request without one, or when the first of them have expired.";
  return new ApiError("RATE_LIMITED", message, { headers: { "Retry-After": String(retryAfterSeconds) } });
};

/**
 * Claims the Idempotency-Key of a request, if it has one. Routes call it once they know that the caller may make the
 * request: before that, nothing is stored.
 * @param spaceId the space of the request; null outside any space
 * @throws Replay with the first answer; ApiError REQUEST_IN_PROGRESS, IDEMPOTENCY_KEY_REUSED, RATE_LIMITED
 */
export async function claimOnce(
  c: AppContext,
  credential: Credential,
  spaceId: string | null,
): Promise<void> {
  const key = c.get("idempotencyKey");
  if (key === undefined) return;
  const now = Date.now();
  const request = await digestOf(c);
  const run = crypto.randomUUID();
  const asked: KeyedRequest = { credential, spaceId, key, request, run, seed: ulid(now), now };
  const claim = await claimKey(c.get("db"), asked);
  switch (claim.state) {
    case "run":
      c.set("idSeed", claim.seed);
      c.set("claimed", asked);
      return;
    case "too many":
      throw tooMany();
    case "running": {
      const headers = { "Retry-After": "1" };
      throw new ApiError("REQUEST_IN_PROGRESS", "A request with this Idempotency-Key is still running.", {
        headers,
      });
    }
    case "another request": {
      const message = "This Idempotency-Key came with another request. Use a new key for each request.";
      throw new ApiError("IDEMPOTENCY_KEY_REUSED", message);
    }
    case "answered": {
      const { status, headers, body } = claim.answer;
      const { Location } = headers;
      throw new Replay(
        new Response(body, {
          status,
          headers: {
            ...headers,
            ...(Location?.startsWith("/") && { Location: publicBaseOf(c) + Location }),
            "Idempotent-Replayed": "true",
          },
        }),
      );
    }
    default:
      return claim satisfies never;
  }
}
