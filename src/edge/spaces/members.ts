/** Invites, changes and removes the members of a space (RULES 2.6). */
import { ulid } from "ulid";
import { ApiError, notFound } from "../../errors.ts";
import { MEMBER } from "../../limits.ts";
import { isUniqueViolation, type Database } from "../storage/database/database.ts";
import { retryUntilWritten } from "../storage/database/retry.ts";
import {
  deleteMember,
  endMemberSessions,
  insertMember,
  readMember,
  updateMember,
  type ChangeBy,
  type MemberRow,
} from "../storage/spaces/members.ts";
import { givenScopesIn, type GivenScopes } from "../storage/spaces/scopes.ts";
import { makerKindOf, type Caller, type Space } from "./authorize.ts";
import { forbidden } from "./gate.ts";
import type { Role } from "./roles.ts";
import { comparedEmail } from "./root-members.ts";

const iso = (ms: number): string => new Date(ms).toISOString();

export const memberView = (member: MemberRow): Record<string, unknown> => ({
  id: member.id,
  email: member.email,
  role: member.role,
  scopes: givenScopesIn(member.scopes),
  bound: member.iss !== null,
  lastSeenAt: member.lastSeenAt === null ? null : iso(member.lastSeenAt),
  createdAt: iso(member.createdAt),
});

export interface NewMember {
  email: string;
  role: Role;
  scopes: GivenScopes | null;
}

/** @throws ApiError FORBIDDEN for a key with an end: a member that it invites would outlive it */
function refuseEndingKey(maker: Caller): void {
  if (maker.kind !== "key" || maker.expiresAt === null) return;
  throw forbidden("Your key ends by itself, and members do not. Use a key that does not end.");
}

/**
 * Invites a member. Members have no end of their own, so a key that has one invites none.
 * @throws ApiError FORBIDDEN, CONFLICT when the space has the address, or as many members as it may have
 */
export async function inviteMember(
  db: Database,
  maker: Caller,
  input: NewMember,
  by: ChangeBy,
): Promise<MemberRow> {
  refuseEndingKey(maker);
  const row: MemberRow = {
    id: ulid(by.now),
    spaceId: maker.space.id,
    email: comparedEmail(input.email),
    role: input.role,
    scopes: input.scopes && JSON.stringify(input.scopes),
    iss: null,
    sub: null,
    createdAt: by.now,
    lastSeenAt: null,
    sessionsSince: 0,
    makerKind: makerKindOf(maker),
    makerId: maker.actor.id,
  };
  try {
    if ((await insertMember(db, row, MEMBER.perSpaceMax, by)) === "inserted") return row;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new ApiError("CONFLICT", `The space has a member with the address ${row.email}.`);
  }
  throw new ApiError("CONFLICT", `A space may have at most ${MEMBER.perSpaceMax} members.`);
}

export interface MemberChange {
  role?: Role | undefined;
  scopes?: GivenScopes | null | undefined;
  /** False lets the next sign-in with the address bind another person. */
  bound?: false | undefined;
}

/** @throws ApiError FORBIDDEN, NOT_FOUND, VALIDATION_FAILED (scopes of an admin) */
export async function changeMember(
  db: Database,
  maker: Caller,
  id: string,
  change: MemberChange,
  by: ChangeBy,
): Promise<MemberRow> {
  refuseEndingKey(maker);
  return retryUntilWritten(async () => {
    const before = await readMember(db, maker.space.id, id);
    if (!before) throw notFound("The member");
    const scopes =
      change.scopes === undefined ? before.scopes : change.scopes && JSON.stringify(change.scopes);
    const after = { ...before, role: change.role ?? before.role, scopes };
    if (change.bound === false) Object.assign(after, { iss: null, sub: null });
    if (after.role === "admin" && after.scopes !== null) {
      const details = [{ path: "scopes", message: "exclude the role admin: give null with it" }];
      throw new ApiError("VALIDATION_FAILED", "The body does not fit; see details.", { details });
    }
    const isSame = after.role === before.role && after.scopes === before.scopes && after.iss === before.iss;
    if (isSame) return before;
    return (await updateMember(db, before, after, by)) ? after : null;
  });
}

/** Removes a member, whose sessions end at once. @returns the ids of keys that it made @throws ApiError NOT_FOUND */
export async function removeMember(
  db: Database,
  { id: spaceId }: Space,
  id: string,
  by: ChangeBy,
): Promise<string[]> {
  const keys = await deleteMember(db, spaceId, id, by);
  if (keys === null) throw notFound("The member");
  return keys;
}

/** Ends all sessions and preview tokens of a member. @throws ApiError NOT_FOUND */
export async function signMemberOut(
  db: Database,
  { id: spaceId }: Space,
  id: string,
  by: ChangeBy,
): Promise<void> {
  if (!(await endMemberSessions(db, spaceId, id, by))) throw notFound("The member");
}
