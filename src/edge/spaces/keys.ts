/** Creates, lists and revokes API keys (RULES 1.4, 2.3). */
import { ulid } from "ulid";
import { notFound } from "../../errors.ts";
import type { Database } from "../storage/database/database.ts";
import { ROOT, type By } from "../storage/events/actor.ts";
import { deleteKey, insertKey, listKeyRows, type KeyRow } from "../storage/spaces/keys.ts";
import { givenScopesIn, type GivenScopes, type Scopes } from "../storage/spaces/scopes.ts";
import { makerKindOf, type Caller, type Space } from "./authorize.ts";
import { forbidden, reachesAll } from "./gate.ts";
import type { Role } from "./roles.ts";
import { hashKey, newToken } from "./secrets.ts";

export const keyView = (key: KeyRow): Record<string, unknown> => ({
  id: key.id,
  name: key.name,
  role: key.role,
  scopes: givenScopesIn(key.scopes),
  expiresAt: key.expiresAt === null ? null : new Date(key.expiresAt).toISOString(),
  createdAt: new Date(key.createdAt).toISOString(),
  maker: key.makerKind === null ? null : { kind: key.makerKind, id: key.makerId ?? ROOT.id },
});

export interface NewKey {
  name: string;
  role: Role;
  scopes: GivenScopes | null;
  /** The end of the key, in milliseconds; null if it has none. */
  expiresAt: number | null;
}

/** Checks that a key does not outlive the key that makes it. @throws ApiError FORBIDDEN */
function checkEnd(maker: Caller, expiresAt: number | null): void {
  const { kind, expiresAt: makersEnd } = maker;
  // A session ends, and its member does not.
  if (kind !== "key" || makersEnd === null || (expiresAt !== null && expiresAt <= makersEnd)) return;
  const end = new Date(makersEnd).toISOString();
  throw forbidden(
    `Your key ends at ${end}, and so must the keys that it makes: give an "expiresAt" up to then.`,
  );
}

/**
 * Creates a key. Only the role admin makes keys, and admins have no scopes, so no key reaches further than its maker.
 * @returns the stored row, and the key itself, which cannot be read again
 * @throws ApiError FORBIDDEN when it would outlive its maker
 */
export async function createKey(
  db: Database,
  maker: Caller,
  input: NewKey,
  by: By,
): Promise<{ row: KeyRow; key: string }> {
  checkEnd(maker, input.expiresAt);
  const key = newToken("key");
  const row: KeyRow = {
    id: ulid(by.now),
    spaceId: maker.space.id,
    ...input,
    scopes: input.scopes && JSON.stringify(input.scopes),
    hash: await hashKey(key),
    createdAt: by.now,
    makerKind: makerKindOf(maker),
    makerId: maker.actor.id,
  };
  await insertKey(db, row, by);
  return { row, key };
}

/** Returns at most `limit` keys with ids below `beforeId`, newest first. */
export const listKeys = (
  db: Database,
  space: Space,
  limit: number,
  beforeId: string | null,
): Promise<KeyRow[]> => listKeyRows(db, space.id, limit, beforeId);

/** @throws ApiError NOT_FOUND */
export async function revokeKey(db: Database, space: Space, id: string, by: By): Promise<void> {
  if (!(await deleteKey(db, space.id, id, by))) throw notFound("The key");
}

/** The caller, in the answer to its own request. The root token and sessions have no id; the root token has a name of its own. */
export interface CallerView {
  id: string | null;
  name: string;
  role: Role | "root";
  space: string;
  /** Absent for the whole space. */
  scopes?: GivenScopes;
  /** Absent for a key without an end. */
  expiresAt?: string;
  /** The person of a session. */
  member?: { id: string | null; email: string };
}

/** Returns the scopes as they are given: without those that limit nothing. Null for the whole space. */
export function shownScopes(scopes: Scopes): GivenScopes | null {
  if (reachesAll(scopes)) return null;
  const { models, locales, media, publish } = scopes;
  return {
    ...(models && { models }),
    ...(locales && { locales }),
    ...(media !== "write" && { media }),
    ...(!publish && { publish }),
  };
}

export function callerView({ space, role, key, member, scopes, expiresAt }: Caller): CallerView {
  const shown = shownScopes(scopes);
  return {
    id: key?.id || null,
    name: key?.name ?? member?.email ?? "root",
    role,
    space: space.name,
    ...(shown && { scopes: shown }),
    ...(expiresAt !== null && { expiresAt: new Date(expiresAt).toISOString() }),
    ...(member && { member }),
  };
}
