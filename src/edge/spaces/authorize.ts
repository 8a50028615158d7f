/** Who may do what in a space (completion §1). Keys are never cached: revoking one is at once. */
import { eq, sql } from "drizzle-orm";
import { apiKeys, spaces } from "../../../schema/tables.ts";
import { ApiError, notFound } from "../../errors.ts";
import type { Database } from "../storage/database.ts";
import { hashKey, sameSecret } from "./secrets.ts";

export const ROLES = ["read", "write", "admin"] as const;
export type Role = (typeof ROLES)[number];
/** Everything a route can ask for; the root token has every right in every space. */
export type Requirement = Role | "root";

export type Space = typeof spaces.$inferSelect;

/** A bearer token, told apart: the deployment's root, or the hash of what may be a key. */
export type Credential = { kind: "root" } | { kind: "key"; hash: string };

export const unauthenticated = (): ApiError =>
  new ApiError("UNAUTHENTICATED", "Send a valid key as Authorization: Bearer <key>.", {
    headers: { "WWW-Authenticate": "Bearer" },
  });

/** @throws ApiError UNAUTHENTICATED when there is no bearer token */
export async function credentialOf(
  authorization: string | undefined,
  rootToken: string,
): Promise<Credential> {
  const token = /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? "")?.[1];
  if (!token) throw unauthenticated();
  if (await sameSecret(token, rootToken)) return { kind: "root" };
  return { kind: "key", hash: await hashKey(token) };
}

/** @throws ApiError FORBIDDEN when `role` is below what is required */
export function checkRole(role: Requirement, required: Requirement): void {
  const order: readonly Requirement[] = [...ROLES, "root"];
  if (order.indexOf(role) >= order.indexOf(required)) return;
  const needed = required === "root" ? "the root token" : `a key with the role ${required}`;
  throw new ApiError("FORBIDDEN", `This needs ${needed}; yours has the role ${role}.`);
}

/**
 * Finds the space and checks the credential against it, in one D1 query.
 * @throws ApiError UNAUTHENTICATED (unknown key), NOT_FOUND (no such space, or another's key), FORBIDDEN (role too low)
 */
export async function authorizeSpace(
  db: Database,
  credential: Credential,
  spaceName: string,
  required: Requirement,
): Promise<Space> {
  const named = sql`${spaces.name} = ${spaceName} AND ${spaces.removedAt} IS NULL`;
  if (credential.kind === "root") {
    const space = await db.select().from(spaces).where(named).get();
    if (!space) throw notFound("The space");
    return space;
  }
  const row = await db
    .select({ key: apiKeys, space: spaces })
    .from(apiKeys)
    .leftJoin(spaces, sql`${named} AND ${spaces.id} = ${apiKeys.spaceId}`)
    .where(eq(apiKeys.hash, credential.hash))
    .get();
  if (!row) throw unauthenticated();
  if (!row.space) throw notFound("The space");
  checkRole(row.key.role, required);
  return row.space;
}

/** For the routes above all spaces. @throws ApiError UNAUTHENTICATED, FORBIDDEN */
export async function requireRoot(db: Database, credential: Credential): Promise<void> {
  if (credential.kind === "root") return;
  const key = await db
    .select({ role: apiKeys.role })
    .from(apiKeys)
    .where(eq(apiKeys.hash, credential.hash))
    .get();
  if (!key) throw unauthenticated();
  checkRole(key.role, "root");
}
