/** Signs people in to a space (RULES 2.7): by the membership of the person, or as a root member. */
import { ApiError, notFound } from "../../errors.ts";
import { HOUR_MS, SIGN_IN } from "../../limits.ts";
import type { Space } from "../spaces/authorize.ts";
import { rootMembersOf } from "../spaces/root-members.ts";
import { hashKey, newToken } from "../spaces/secrets.ts";
import type { Database } from "../storage/database/database.ts";
import type { Origin } from "../storage/events/actor.ts";
import {
  beginSession,
  findMember,
  insertRootSession,
  noteSession,
  type MemberRow,
} from "../storage/spaces/sessions.ts";
import type { Person } from "./provider.ts";

export interface NewSession {
  token: string;
  /** In milliseconds. */
  expiresAt: number;
}

export interface SignInTools {
  /** Finds the space of the path, and its database; null if there is none. */
  space: () => Promise<{ space: Space; db: Database } | null>;
  directory: Database;
  env: { ROOT_MEMBERS?: string };
  requestId: string;
  now: number;
}

const refusal = (message: string): ApiError => new ApiError("FORBIDDEN", message);

const notMember = (email: string): ApiError =>
  refusal(`${email} is no member of this space. Ask an admin of the space to invite this address.`);

/** @throws ApiError FORBIDDEN */
function checkBinding(member: MemberRow, { iss, sub, email }: Person): void {
  if (member.iss === null || (member.iss === iss && member.sub === sub)) return;
  throw refusal(
    `${email} signed in before as another person of the provider. An admin of the space can allow the new one.`,
  );
}

/** Begins a session. @throws ApiError FORBIDDEN (no member, or bound to another person), NOT_FOUND */
export async function signIn(tools: SignInTools, person: Person): Promise<NewSession> {
  const { now, requestId } = tools;
  const createdAt = now;
  const expiresAt = now + SIGN_IN.sessionHours * HOUR_MS;
  const found = await tools.space();
  if (rootMembersOf(tools.env).has(person.email)) {
    if (!found) throw notFound("The space");
    const token = newToken("root session");
    const { email } = person;
    const origin: Origin = { actor: { kind: "root", id: email, name: email }, requestId };
    const row = { hash: await hashKey(token), email, createdAt, expiresAt };
    await insertRootSession(tools.directory, row);
    await noteSession(found.db, found.space.id, origin, now);
    return { token, expiresAt };
  }
  const member = found && (await findMember(found.db, found.space.id, person));
  if (!found || !member) throw notMember(person.email);
  checkBinding(member, person);
  const token = newToken("session");
  const { iss, sub } = person;
  const row = { hash: await hashKey(token), spaceId: found.space.id, iss, sub, createdAt, expiresAt };
  const origin: Origin = { actor: { kind: "member", id: member.id, name: member.email }, requestId };
  if (!(await beginSession(found.db, member, row, origin))) throw notMember(person.email);
  return { token, expiresAt };
}
