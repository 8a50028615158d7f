/** API keys in D1, and the spaces that they open. Nothing is cached, so that a revoked key is refused at once. */
import { and, desc, eq, isNull, lt } from "drizzle-orm";
import { apiKeys, spaces } from "../../../../schema/tables.ts";
import type { Database } from "../database/database.ts";
import type { SpaceRow } from "./spaces.ts";

export type KeyRow = typeof apiKeys.$inferSelect;

export type KeyRole = KeyRow["role"];

/** The role of a caller. */
export type CallerRole = KeyRole | "root";

/** A bearer token: the root token, or the hash of a text that may be a key. */
export type Credential = { kind: "root" } | { kind: "key"; hash: string };

/** A reader: one with a credential, or anybody, who may read only public models. */
export type Reader = Credential | { kind: "anybody" };

export async function insertKey(db: Database, key: KeyRow): Promise<void> {
  await db.insert(apiKeys).values(key);
}

/** Returns at most `limit` keys with ids below `beforeId`, newest first. */
export async function listKeyRows(
  db: Database,
  spaceId: string,
  limit: number,
  beforeId: string | null,
): Promise<KeyRow[]> {
  const below = beforeId === null ? undefined : lt(apiKeys.id, beforeId);
  return db
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.spaceId, spaceId), below))
    .orderBy(desc(apiKeys.id))
    .limit(limit);
}

/** Deletes a key. False when the space has no such key. */
export async function deleteKey(db: Database, spaceId: string, id: string): Promise<boolean> {
  const deleted = await db
    .delete(apiKeys)
    .where(and(eq(apiKeys.spaceId, spaceId), eq(apiKeys.id, id)))
    .returning({ id: apiKeys.id });
  return deleted.length > 0;
}

/** Returns the role of a key of any space; null for an unknown key. */
export async function readRole(db: Database, hash: string): Promise<KeyRole | null> {
  const key = await db.select({ role: apiKeys.role }).from(apiKeys).where(eq(apiKeys.hash, hash)).get();
  return key?.role ?? null;
}

/** Returns a key, and the space of the name `spaceName` if it is the key's own; null for an unknown key. */
export async function readKeyAndSpace(
  db: Database,
  hash: string,
  spaceName: string,
): Promise<{ key: KeyRow; space: SpaceRow | null } | null> {
  const isNamed = and(eq(spaces.name, spaceName), isNull(spaces.removedAt), eq(spaces.id, apiKeys.spaceId));
  const row = await db
    .select({ key: apiKeys, space: spaces })
    .from(apiKeys)
    .leftJoin(spaces, isNamed)
    .where(eq(apiKeys.hash, hash))
    .get();
  return row ?? null;
}
