/** Preview tokens in D1 (RULES 2.5). Only the hash of a token is stored. */
import { sql, type SQL } from "drizzle-orm";
import { previewTokens } from "../../../../schema/tables.ts";
import { batchSql, type Database } from "../database/database.ts";
import type { Origin } from "../events/actor.ts";
import { eventStatement } from "../events/events.ts";
import { int } from "../records/record-index.ts";

/** A token to insert. Its scopes are those that its maker has at that time. */
export type NewPreviewToken = Omit<typeof previewTokens.$inferSelect, "scopes">;

/**
 * Returns the rows that a maker has at present: one with its scopes, or none if it may make no token any more. A request
 * is let in by the role and scopes of an earlier time, and a member may be changed or signed out before it is here.
 */
function presentMaker({ spaceId, makerKind, makerId, createdAt }: NewPreviewToken): SQL {
  switch (makerKind) {
    case "root":
      return sql`(SELECT NULL AS scopes)`;
    case "key":
      return sql`(SELECT scopes FROM api_keys WHERE id = ${makerId} AND space_id = ${spaceId})`;
    case "member":
      return sql`(SELECT scopes FROM members WHERE id = ${makerId} AND space_id = ${spaceId}
        AND role IN ('write', 'admin') AND iss IS NOT NULL AND sessions_since <= ${createdAt})`;
    default:
      return makerKind satisfies never;
  }
}

/**
 * Inserts a token with the present scopes of its maker, unless its maker is gone, may make none, or was signed out
 * since `createdAt`, or its space has `max` of them. Its event names the maker: a token has no id.
 * @returns whether it was inserted
 */
export async function insertPreviewToken(
  db: Database,
  row: NewPreviewToken,
  { max, origin }: { max: number; origin: Origin },
): Promise<boolean> {
  const { hash, spaceId, makerKind, makerId, makerName, createdAt, expiresAt } = row;
  const insert = sql`
    INSERT INTO preview_tokens (hash, space_id, scopes, maker_kind, maker_id, maker_name, created_at, expires_at)
    SELECT ${hash}, ${spaceId}, maker.scopes, ${makerKind}, ${makerId}, ${makerName}, ${createdAt}, ${expiresAt}
    FROM ${presentMaker(row)} maker
    WHERE (SELECT count(*) FROM preview_tokens WHERE space_id = ${spaceId}) < ${int(max)}
    RETURNING 1`;
  const event = { action: "token.created", target: { kind: "token", id: makerId } } as const;
  const isInserted = sql`EXISTS (SELECT 1 FROM preview_tokens WHERE hash = ${hash})`;
  const [inserted] = await batchSql(db, [
    insert,
    eventStatement(spaceId, origin, createdAt, event, isInserted),
  ]);
  return (inserted ?? []).length > 0;
}

/** Removes the tokens that a key or member has made, in the batch of its removal, change or sign-out. */
export const endPreviewTokens = (spaceId: string, makerId: string): SQL =>
  sql`DELETE FROM preview_tokens WHERE space_id = ${spaceId} AND maker_id = ${makerId}`;
