/** A space's API keys (completion §1, §2). */
import { and, desc, eq, lt } from "drizzle-orm";
import { ulid } from "ulid";
import { apiKeys } from "../../../schema/tables.ts";
import { notFound } from "../../errors.ts";
import type { Database } from "../storage/database.ts";
import type { Role, Space } from "./authorize.ts";
import { hashKey, newKey } from "./secrets.ts";

export type ApiKey = typeof apiKeys.$inferSelect;

export const keyView = (key: ApiKey): Record<string, unknown> => ({
  id: key.id,
  name: key.name,
  role: key.role,
  createdAt: new Date(key.createdAt).toISOString(),
});

/** The stored row and, this once, the key itself. */
export async function createKey(
  db: Database,
  space: Space,
  input: { name: string; role: Role },
  now: number,
): Promise<{ row: ApiKey; key: string }> {
  const key = newKey();
  const row: ApiKey = {
    id: ulid(now),
    spaceId: space.id,
    ...input,
    hash: await hashKey(key),
    createdAt: now,
  };
  await db.insert(apiKeys).values(row);
  return { row, key };
}

export async function listKeys(
  db: Database,
  space: Space,
  limit: number,
  beforeId: string | null,
): Promise<ApiKey[]> {
  const below = beforeId === null ? undefined : lt(apiKeys.id, beforeId);
  return db
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.spaceId, space.id), below))
    .orderBy(desc(apiKeys.id))
    .limit(limit);
}

/** @throws ApiError NOT_FOUND */
export async function revokeKey(db: Database, space: Space, id: string): Promise<void> {
  const revoked = await db
    .delete(apiKeys)
    .where(and(eq(apiKeys.spaceId, space.id), eq(apiKeys.id, id)))
    .returning({ id: apiKeys.id });
  if (revoked.length === 0) throw notFound("The key");
}
