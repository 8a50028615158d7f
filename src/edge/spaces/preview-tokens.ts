/** Makes preview tokens (RULES 2.5): they read drafts and end by themselves, and with their maker or its sessions. */
import { ApiError } from "../../errors.ts";
import { PREVIEW_TOKEN, SECOND_MS } from "../../limits.ts";
import type { Database } from "../storage/database/database.ts";
import type { By } from "../storage/events/actor.ts";
import { insertPreviewToken } from "../storage/spaces/preview-tokens.ts";
import { makerKindOf, type Caller } from "./authorize.ts";
import { hashKey, newToken } from "./secrets.ts";

/**
 * Makes a token with the scopes of its maker.
 * @throws ApiError CONFLICT when the space has too many, or the maker was removed, changed or signed out meanwhile
 */
export async function createPreviewToken(
  db: Database,
  maker: Caller,
  ttlSeconds: number,
  { origin, now }: By,
): Promise<{ token: string; expiresAt: number }> {
  const token = newToken("preview");
  const expiresAt = Math.min(now + ttlSeconds * SECOND_MS, endOfMaker(maker));
  const row = {
    hash: await hashKey(token),
    spaceId: maker.space.id,
    makerKind: makerKindOf(maker),
    makerId: maker.actor.id,
    makerName: maker.actor.name,
    createdAt: now,
    expiresAt,
  };
  if (await insertPreviewToken(db, row, { max: PREVIEW_TOKEN.perSpaceMax, origin }))
    return { token, expiresAt };
  throw new ApiError(
    "CONFLICT",
    `The token was not made: the space has ${PREVIEW_TOKEN.perSpaceMax} preview tokens, or your access has ended meanwhile. ` +
      "Use one token for all pages of a preview, or wait until some have ended.",
  );
}

/** Returns when a key ends. A member's session may end before its preview tokens do. */
const endOfMaker = ({ kind, expiresAt }: Caller): number =>
  kind === "key" ? (expiresAt ?? Infinity) : Infinity;
