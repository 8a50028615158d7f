/** Sessions of people in D1 (RULES 2.7). Only the hash of a token is stored. */
import { and, eq, gt, sql, type SQL } from "drizzle-orm";
import { members, rootSessions, sessions } from "../../../../schema/tables.ts";
import { batchSql, type Database } from "../database/database.ts";
import type { Origin } from "../events/actor.ts";
import { ALWAYS, eventStatement } from "../events/events.ts";

export type RootSessionRow = typeof rootSessions.$inferSelect;
export type SessionRow = typeof sessions.$inferSelect;
export type MemberRow = typeof members.$inferSelect;

/** Reads the session of a root member from the directory; null for an unknown or ended one. */
export async function readRootSession(
  directory: Database,
  hash: string,
  now: number,
): Promise<RootSessionRow | null> {
  const row = await directory
    .select()
    .from(rootSessions)
    .where(and(eq(rootSessions.hash, hash), gt(rootSessions.expiresAt, now)))
    .get();
  return row ?? null;
}

export async function insertRootSession(directory: Database, row: RootSessionRow): Promise<void> {
  await directory.insert(rootSessions).values(row);
}

export async function deleteRootSession(directory: Database, hash: string): Promise<void> {
  await directory.delete(rootSessions).where(eq(rootSessions.hash, hash));
}

/** Finds the member that a person is: the one that is bound to it, else the one with its address. */
export async function findMember(
  db: Database,
  spaceId: string,
  { iss, sub, email }: { iss: string; sub: string; email: string },
): Promise<MemberRow | null> {
  const isBound = sql`${members.iss} = ${iss} AND ${members.sub} = ${sub}`;
  const row = await db
    .select()
    .from(members)
    .where(and(eq(members.spaceId, spaceId), sql`(${isBound} OR ${members.email} = ${email})`))
    .orderBy(sql`(${isBound}) IS NOT TRUE`)
    .limit(1)
    .get();
  return row ?? null;
}

/** Writes the line of the audit about a session that has begun elsewhere. */
export async function noteSession(
  db: Database,
  spaceId: string,
  origin: Origin,
  now: number,
  action: "session.created" | "session.ended" = "session.created",
): Promise<void> {
  await batchSql(db, [sessionEvent(spaceId, origin, now, action, ALWAYS)]);
}

const sessionEvent = (
  spaceId: string,
  origin: Origin,
  now: number,
  action: "session.created" | "session.ended",
  condition: SQL,
) =>
  eventStatement(
    spaceId,
    origin,
    now,
    { action, target: { kind: "session", id: origin.actor.id } },
    condition,
  );

/** Returns the condition that a session is there. */
const isThere = (hash: string): SQL => sql`EXISTS (SELECT 1 FROM sessions WHERE hash = ${hash})`;

/**
 * Begins the session of a member, and binds the member to the person at the first one.
 * @returns whether it began: false if the member was removed, or bound to another person, meanwhile
 */
export async function beginSession(
  db: Database,
  { id }: Pick<MemberRow, "id">,
  { hash, spaceId, iss, sub, createdAt, expiresAt }: SessionRow,
  origin: Origin,
): Promise<boolean> {
  const isPerson = sql`id = ${id} AND space_id = ${spaceId} AND (iss IS NULL OR (iss = ${iss} AND sub = ${sub}))`;
  const [, inserted] = await batchSql(db, [
    sql`UPDATE members SET iss = ${iss}, sub = ${sub}, last_seen_at = ${createdAt} WHERE ${isPerson}`,
    sql`INSERT INTO sessions (hash, space_id, iss, sub, created_at, expires_at)
      SELECT ${hash}, ${spaceId}, ${iss}, ${sub}, ${createdAt}, ${expiresAt}
      WHERE EXISTS (SELECT 1 FROM members WHERE ${isPerson}) RETURNING 1`,
    sessionEvent(spaceId, origin, createdAt, "session.created", isThere(hash)),
  ]);
  return (inserted ?? []).length > 0;
}

/** Ends a session. False if it was not there. */
export async function endSession(
  db: Database,
  spaceId: string,
  hash: string,
  { origin, now }: { origin: Origin; now: number },
): Promise<boolean> {
  const [, ended] = await batchSql(db, [
    sessionEvent(spaceId, origin, now, "session.ended", isThere(hash)),
    sql`DELETE FROM sessions WHERE hash = ${hash} RETURNING 1`,
  ]);
  return (ended ?? []).length > 0;
}
