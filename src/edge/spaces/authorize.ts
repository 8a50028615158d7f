/** Authorises requests in a space (RULES 1.4). Keys are never cached, so that revoking one takes effect at once. */
import { ApiError, notFound } from "../../errors.ts";
import type { Database } from "../storage/database/database.ts";
import type { Actor } from "../storage/events/actor.ts";
import { readEntry, type Entry } from "../storage/spaces/entries.ts";
import { readRole, type Credential, type KeyRole, type Reader } from "../storage/spaces/keys.ts";
import { WHOLE_SPACE } from "../storage/spaces/scopes.ts";
import { readSpace, type SpaceRow } from "../storage/spaces/spaces.ts";
import { actorBehind } from "./actor.ts";
import { checkRole, type ScopedCaller } from "./gate.ts";
import { hex, isDigestOf, kindOfToken, sha256 } from "./secrets.ts";

export type { Credential } from "../storage/spaces/keys.ts";

export type Space = SpaceRow;

export const unauthenticated = (): ApiError =>
  new ApiError("UNAUTHENTICATED", "Send a valid key as Authorization: Bearer <key>.", {
    headers: { "WWW-Authenticate": "Bearer" },
  });

const BEARER = /^Bearer +([\x21-\x7e]+) *$/i;

/** Returns whether a request carries a bearer token. */
export const hasCredential = (authorization: string | undefined): boolean => BEARER.test(authorization ?? "");

/** A credential as a request carries it. A root member's session is looked up before anything else is. */
export type Presented = Credential | { kind: "root session"; hash: string };

/** Returns the credential of a request. @throws ApiError UNAUTHENTICATED without a bearer token */
export async function credentialOf(authorization: string | undefined, rootToken: string): Promise<Presented> {
  const token = BEARER.exec(authorization ?? "")?.[1];
  if (!token) throw unauthenticated();
  const digest = await sha256(token);
  if (await isDigestOf(digest, rootToken)) return { kind: "root" };
  const hash = hex(digest);
  const of = kindOfToken(token);
  return of === "root session" ? { kind: of, hash } : { kind: "key", of, hash };
}

/** The caller of a request in a space. */
export interface Caller extends ScopedCaller {
  space: Space;
  /** The caller's key, or the key or member that made its preview token; null for others. */
  key: { id: string; name: string } | null;
  /** The person of a session. The id of a root member is null; callers without a session have null for all of it. */
  member: { id: string | null; email: string } | null;
  /** The name of the caller in histories and events: a preview token is named by its maker. */
  actor: Actor;
  /** When its key, session or token ends, in milliseconds; null for never. */
  expiresAt: number | null;
}

/** Returns the kind of the caller as a maker of keys, members and preview tokens. */
export const makerKindOf = ({ actor }: Pick<Caller, "actor">): "key" | "member" | "root" =>
  actor.kind === "system" ? "root" : actor.kind;

/** Returns the caller without its space. */
export function callerOf(
  { kind, role, scopes, owner, expiresAt }: Pick<Entry, "kind" | "role" | "scopes" | "owner" | "expiresAt">,
  credential: Reader,
): Omit<Caller, "space"> {
  const actor = actorBehind(credential, owner);
  const known = { kind: kind === "anybody" ? "root" : kind, role, scopes, expiresAt, actor } as const;
  const key = owner && { id: owner.id, name: owner.name };
  if (credential.kind === "root" && credential.member) {
    return { ...known, key: null, member: { id: null, email: credential.member.email } };
  }
  if (kind === "member") return { ...known, key: null, member: key && { id: key.id, email: key.name } };
  return { ...known, key, member: null };
}

/** Reads of the databases, which the caller of these functions has chosen. */
export interface AuthorizingReads {
  /** Looks for the space of a name in the database where it stands. */
  inSpace<T>(
    spaceName: string,
    look: (db: Database) => Promise<T>,
    isFound: (outcome: T) => boolean,
  ): Promise<T>;
  /** Returns the role of a token that the space's database does not know; null if no database does. */
  roleElsewhere(credential: Credential & { kind: "key" }): Promise<KeyRole | null>;
}

/**
 * Finds the credential and the space in one D1 query.
 * @throws ApiError UNAUTHENTICATED (unknown or ended key), NOT_FOUND (no such space, or another's key)
 */
export async function findCaller(
  reads: AuthorizingReads,
  credential: Credential,
  spaceName: string,
): Promise<Caller> {
  if (credential.kind === "root") {
    const space = await reads.inSpace(
      spaceName,
      (db) => readSpace(db, spaceName),
      (found) => found !== null,
    );
    if (!space) throw notFound("The space");
    const root = { kind: "root", role: "root", scopes: WHOLE_SPACE, owner: null, expiresAt: null } as const;
    return { ...callerOf(root, credential), space };
  }
  const entry = await reads.inSpace(
    spaceName,
    (db) => readEntry(db, credential, { spaceName, typeModel: "", model: "" }),
    (found) => found !== null && found.space !== null,
  );
  if (!entry && (await reads.roleElsewhere(credential)) === null) throw unauthenticated();
  if (!entry?.space) throw notFound("The space");
  return { ...callerOf(entry, credential), space: entry.space };
}

/** Checks that the caller is root, for routes outside any space. @throws ApiError UNAUTHENTICATED, FORBIDDEN */
export async function requireRoot(
  db: Database,
  credential: Credential,
  { roleElsewhere }: Pick<AuthorizingReads, "roleElsewhere">,
): Promise<void> {
  if (credential.kind === "root") return;
  const role = (await readRole(db, credential, Date.now())) ?? (await roleElsewhere(credential));
  if (role === null) throw unauthenticated();
  checkRole(role, "root");
}
