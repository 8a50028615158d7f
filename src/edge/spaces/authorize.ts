/** Authorises requests in a space (RULES 1.4). Keys are never cached, so that revoking one takes effect at once. */
import { ApiError, notFound } from "../../errors.ts";
import type { Database } from "../storage/database/database.ts";
import { readKeyAndSpace, readRole, type Credential, type KeyRole } from "../storage/spaces/keys.ts";
import { readSpace, type SpaceRow } from "../storage/spaces/spaces.ts";
import { hashKey, sameSecret } from "./secrets.ts";
import { ROLES, type Requirement } from "./roles.ts";

export type { Credential } from "../storage/spaces/keys.ts";

export type Space = SpaceRow;

export const unauthenticated = (): ApiError =>
  new ApiError("UNAUTHENTICATED", "Send a valid key as Authorization: Bearer <key>.", {
    headers: { "WWW-Authenticate": "Bearer" },
  });

const BEARER = /^Bearer +([\x21-\x7e]+) *$/i;

/** Returns whether a request carries a bearer token. */
export const hasCredential = (authorization: string | undefined): boolean => BEARER.test(authorization ?? "");

/** Returns the credential of a request. @throws ApiError UNAUTHENTICATED without a bearer token */
export async function credentialOf(
  authorization: string | undefined,
  rootToken: string,
): Promise<Credential> {
  const token = BEARER.exec(authorization ?? "")?.[1];
  if (!token) throw unauthenticated();
  if (await sameSecret(token, rootToken)) return { kind: "root" };
  return { kind: "key", hash: await hashKey(token) };
}

/** @throws ApiError FORBIDDEN when `role` is lower than the required one */
export function checkRole(role: Requirement, required: Requirement): void {
  const order: readonly Requirement[] = [...ROLES, "root"];
  if (order.indexOf(role) >= order.indexOf(required)) return;
  const needed = required === "root" ? "the root token" : `a key with the role ${required}`;
  throw new ApiError("FORBIDDEN", `This needs ${needed}; yours has the role ${role}.`);
}

/** The caller of a request in a space. */
export interface Caller {
  space: Space;
  role: Requirement;
  /** Null for the root token. */
  key: { id: string; name: string } | null;
}

/** Reads of the databases, which the caller of these functions has chosen. */
export interface AuthorizingReads {
  /** Looks for the space of a name in the database where it stands. */
  inSpace<T>(
    spaceName: string,
    look: (db: Database) => Promise<T>,
    isFound: (outcome: T) => boolean,
  ): Promise<T>;
  /** Returns the role of a key that the space's database does not know; null if no database does. */
  roleElsewhere(hash: string): Promise<KeyRole | null>;
}

/**
 * Finds the credential and the space in one D1 query.
 * @throws ApiError UNAUTHENTICATED (unknown key), NOT_FOUND (no such space, or another's key)
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
    return { space, role: "root", key: null };
  }
  const row = await reads.inSpace(
    spaceName,
    (db) => readKeyAndSpace(db, credential.hash, spaceName),
    (found) => found !== null && found.space !== null,
  );
  if (!row && (await reads.roleElsewhere(credential.hash)) === null) throw unauthenticated();
  if (!row?.space) throw notFound("The space");
  const { id, name, role } = row.key;
  return { space: row.space, role, key: { id, name } };
}

/**
 * Finds the space and checks the credential against it.
 * @throws what `findCaller` throws; ApiError FORBIDDEN (role too low)
 */
export async function authorizeSpace(
  reads: AuthorizingReads,
  credential: Credential,
  spaceName: string,
  required: Requirement,
): Promise<Caller> {
  const caller = await findCaller(reads, credential, spaceName);
  if (caller.role !== "root") checkRole(caller.role, required);
  return caller;
}

/** Checks that the caller is root, for routes outside any space. @throws ApiError UNAUTHENTICATED, FORBIDDEN */
export async function requireRoot(
  db: Database,
  credential: Credential,
  { roleElsewhere }: Pick<AuthorizingReads, "roleElsewhere">,
): Promise<void> {
  if (credential.kind === "root") return;
  const role = (await readRole(db, credential.hash)) ?? (await roleElsewhere(credential.hash));
  if (role === null) throw unauthenticated();
  checkRole(role, "root");
}
