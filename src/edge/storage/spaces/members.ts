/** Members of spaces in D1 (RULES 2.6). */
import { and, desc, eq, lt, sql, type SQL } from "drizzle-orm";
import { members } from "../../../../schema/tables.ts";
import { batchSql, type Database } from "../database/database.ts";
import type { Action } from "../events/actions.ts";
import type { Origin } from "../events/actor.ts";
import { eventStatement, HAS_CHANGED } from "../events/events.ts";
import { endPreviewTokens } from "./preview-tokens.ts";
import { int } from "../records/record-index.ts";
import type { MemberRow } from "./sessions.ts";

export type { MemberRow } from "./sessions.ts";

/** The origin and the time of a change. */
export interface ChangeBy {
  origin: Origin;
  now: number;
}

const memberEvent = (spaceId: string, { origin, now }: ChangeBy, action: Action, id: string): SQL =>
  eventStatement(spaceId, origin, now, { action, target: { kind: "member", id } }, HAS_CHANGED);

const isMember = (spaceId: string, id: string): SQL => sql`space_id = ${spaceId} AND id = ${id}`;

/**
 * Inserts a member. Returns "full" if the space has `max` of them.
 * @throws when the space has the address
 */
export async function insertMember(
  db: Database,
  row: MemberRow,
  max: number,
  by: ChangeBy,
): Promise<"inserted" | "full"> {
  const { id, spaceId, email, role, scopes, createdAt, makerKind, makerId } = row;
  const [inserted] = await batchSql(db, [
    sql`INSERT INTO members (id, space_id, email, role, scopes, created_at, maker_kind, maker_id)
      SELECT ${id}, ${spaceId}, ${email}, ${role}, ${scopes}, ${createdAt}, ${makerKind}, ${makerId}
      WHERE (SELECT count(*) FROM members WHERE space_id = ${spaceId}) < ${int(max)} RETURNING 1`,
    memberEvent(spaceId, by, "member.created", id),
  ]);
  return (inserted ?? []).length > 0 ? "inserted" : "full";
}

/** Returns at most `limit` members with ids below `beforeId`, newest first. */
export async function listMemberRows(
  db: Database,
  spaceId: string,
  limit: number,
  beforeId: string | null,
): Promise<MemberRow[]> {
  const below = beforeId === null ? undefined : lt(members.id, beforeId);
  return db
    .select()
    .from(members)
    .where(and(eq(members.spaceId, spaceId), below))
    .orderBy(desc(members.id))
    .limit(limit);
}

export async function readMember(db: Database, spaceId: string, id: string): Promise<MemberRow | null> {
  const isIt = and(eq(members.spaceId, spaceId), eq(members.id, id));
  return (await db.select().from(members).where(isIt).get()) ?? null;
}

/** Ends the sessions of the person that a member is bound to, which began in the space. */
const sessionsOf = (spaceId: string, id: string): SQL => sql`
  DELETE FROM sessions WHERE space_id = ${spaceId}
    AND (iss, sub) IN (SELECT iss, sub FROM members WHERE ${isMember(spaceId, id)})`;

/** Changes role and scopes of a member, if both are still as they were read, and ends its preview tokens. */
export async function updateMember(
  db: Database,
  before: MemberRow,
  after: Pick<MemberRow, "role" | "scopes" | "iss" | "sub">,
  by: ChangeBy,
): Promise<boolean> {
  const { spaceId, id } = before;
  const asRead = sql`${isMember(spaceId, id)} AND role = ${before.role} AND scopes IS ${before.scopes}
    AND iss IS ${before.iss} AND sub IS ${before.sub}`;
  const isUnbound = before.iss !== null && after.iss === null;
  const statements = [
    ...(isUnbound ? [sessionsOf(spaceId, id)] : []),
    endPreviewTokens(spaceId, id),
    sql`UPDATE members SET role = ${after.role}, scopes = ${after.scopes}, iss = ${after.iss}, sub = ${after.sub}
      WHERE ${asRead} RETURNING 1`,
  ];
  const results = await batchSql(db, [...statements, memberEvent(spaceId, by, "member.changed", id)]);
  return (results[statements.length - 1] ?? []).length > 0;
}

/**
 * Removes a member with its sessions and preview tokens.
 * @returns the ids of the keys that it has made, which stay; null if the space has no such member
 */
export async function deleteMember(
  db: Database,
  spaceId: string,
  id: string,
  by: ChangeBy,
): Promise<string[] | null> {
  const [keys, , , deleted] = await batchSql(db, [
    sql`SELECT id FROM api_keys WHERE space_id = ${spaceId} AND maker_id = ${id} ORDER BY id`,
    sessionsOf(spaceId, id),
    endPreviewTokens(spaceId, id),
    sql`DELETE FROM members WHERE ${isMember(spaceId, id)} RETURNING 1`,
    memberEvent(spaceId, by, "member.removed", id),
  ]);
  return (deleted ?? []).length > 0 ? ((keys ?? []) as { id: string }[]).map((key) => key.id) : null;
}

/**
 * Ends all sessions of a member, also those that began in other spaces, and its preview tokens.
 * @returns false if the space has no such member
 */
export async function endMemberSessions(
  db: Database,
  spaceId: string,
  id: string,
  by: ChangeBy,
): Promise<boolean> {
  const [, , changed] = await batchSql(db, [
    sessionsOf(spaceId, id),
    endPreviewTokens(spaceId, id),
    sql`UPDATE members SET sessions_since = ${by.now + 1} WHERE ${isMember(spaceId, id)} RETURNING 1`,
    memberEvent(spaceId, by, "session.ended", id),
  ]);
  return (changed ?? []).length > 0;
}
