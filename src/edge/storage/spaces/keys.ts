/** API keys in D1, and the spaces that they open. Nothing is cached, so that a revoked key is refused at once. */
import { and, desc, eq, lt, sql, type SQL } from "drizzle-orm";
import { apiKeys } from "../../../../schema/tables.ts";
import { batchSql, type Database } from "../database/database.ts";
import { ROOT, type By } from "../events/actor.ts";
import { eventStatement } from "../events/events.ts";
import { endPreviewTokens } from "./preview-tokens.ts";

export type KeyRow = typeof apiKeys.$inferSelect;

export type KeyRole = KeyRow["role"];

/** The role of a caller. */
export type CallerRole = KeyRole | "root";

/** The kinds of bearer tokens whose hashes are stored. The beginning of a token tells its kind. */
export type TokenKind = "key" | "preview" | "session";

/** A root member, who has signed in. */
export interface RootMember {
  email: string;
  /** The hash of its session. */
  hash: string;
}

/** A bearer token: the root token or a root member's session, or the hash of a text that may be another one. */
export type Credential =
  | { kind: "root"; member?: RootMember }
  | {
      kind: "key";
      of: TokenKind;
      hash: string;
      /** The root members at present, whose preview tokens hold; absent where no preview token is looked up. */
      rootMembers?: ReadonlySet<string>;
    };

/** A reader: one with a credential, or anybody, who may read only public models. */
export type Reader = Credential | { kind: "anybody" };

const keyEvent = (
  { id, spaceId }: Pick<KeyRow, "id" | "spaceId">,
  action: "key.created" | "key.removed",
  { origin, now }: By,
  facts: Record<string, unknown>,
  condition?: SQL,
): SQL => eventStatement(spaceId, origin, now, { action, target: { kind: "key", id }, facts }, condition);

export async function insertKey(db: Database, key: KeyRow, by: By): Promise<void> {
  await batchSql(db, [
    db.insert(apiKeys).values(key).getSQL(),
    keyEvent(key, "key.created", by, { name: key.name, role: key.role }),
  ]);
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

/** Deletes a key and its preview tokens. False when the space has no such key. */
export async function deleteKey(db: Database, spaceId: string, id: string, by: By): Promise<boolean> {
  const isIt = sql`space_id = ${spaceId} AND id = ${id}`;
  const isThere = sql`EXISTS (SELECT 1 FROM api_keys WHERE ${isIt})`;
  const [, , deleted = []] = await batchSql(db, [
    keyEvent({ id, spaceId }, "key.removed", by, {}, isThere),
    endPreviewTokens(spaceId, id),
    sql`DELETE FROM api_keys WHERE ${isIt} RETURNING 1`,
  ]);
  return deleted.length > 0;
}

/** Returns whether a preview token was made by a person who is no root member any more: it has ended then. */
export const isOfFormerRoot = (
  { of, rootMembers }: Pick<Credential & { kind: "key" }, "of" | "rootMembers">,
  { kind, id }: { kind: string; id: string },
): boolean => of === "preview" && kind === "root" && id !== ROOT.id && rootMembers?.has(id) !== true;

/**
 * Returns the role of a key, preview token or session of any space; null for an unknown or ended one. A session has no
 * role of its own: memberships do.
 */
export async function readRole(
  db: Database,
  credential: Credential & { kind: "key" },
  now: number,
): Promise<KeyRole | null> {
  const { of, hash } = credential;
  const lasts = sql`(expires_at IS NULL OR expires_at > ${now})`;
  const tables = {
    key: sql`SELECT role FROM api_keys WHERE hash = ${hash} AND ${lasts}`,
    preview: sql`SELECT 'preview' AS role, maker_kind AS makerKind, maker_id AS makerId
      FROM preview_tokens WHERE hash = ${hash} AND ${lasts}`,
    session: sql`SELECT 'read' AS role FROM sessions WHERE hash = ${hash} AND ${lasts}`,
  };
  const [row] = await db.all<{ role: KeyRole; makerKind?: string; makerId?: string }>(tables[of]);
  if (!row || isOfFormerRoot(credential, { kind: row.makerKind ?? "", id: row.makerId ?? "" })) return null;
  return row.role;
}
