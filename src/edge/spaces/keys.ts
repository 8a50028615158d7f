/** Creates, lists and revokes API keys (RULES 1.4, 2.3). */
import { ulid } from "ulid";
import { notFound } from "../../errors.ts";
import type { Database } from "../storage/database/database.ts";
import { deleteKey, insertKey, listKeyRows, type KeyRow } from "../storage/spaces/keys.ts";
import { findCaller, type AuthorizingReads, type Credential, type Space } from "./authorize.ts";
import type { Role } from "./roles.ts";
import { hashKey, newKey } from "./secrets.ts";

export const keyView = (key: KeyRow): Record<string, unknown> => ({
  id: key.id,
  name: key.name,
  role: key.role,
  createdAt: new Date(key.createdAt).toISOString(),
});

/** Creates a key. @returns the stored row, and the key itself, which cannot be read again */
export async function createKey(
  db: Database,
  space: Space,
  input: { name: string; role: Role },
  now: number,
): Promise<{ row: KeyRow; key: string }> {
  const key = newKey();
  const row: KeyRow = {
    id: ulid(now),
    spaceId: space.id,
    ...input,
    hash: await hashKey(key),
    createdAt: now,
  };
  await insertKey(db, row);
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
export async function revokeKey(db: Database, space: Space, id: string): Promise<void> {
  if (!(await deleteKey(db, space.id, id))) throw notFound("The key");
}

/** The caller's key, as the caller sees it. The root token has no id, and a name of its own. */
export interface CallerKey {
  id: string | null;
  name: string;
  role: Role | "root";
  space: string;
}

/** @throws ApiError UNAUTHENTICATED (unknown key), NOT_FOUND (no such space, or another's key) */
export async function readCaller(
  reads: AuthorizingReads,
  credential: Credential,
  spaceName: string,
): Promise<CallerKey> {
  const { space, role, key } = await findCaller(reads, credential, spaceName);
  return { id: key?.id ?? null, name: key?.name ?? "root", role, space: space.name };
}
