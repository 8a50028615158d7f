/**
 * Who is signed in: a space, a key and what the key may do. Kept in this tab's session storage alone, and gone with the
 * tab (RULES 11.2).
 */

/** From the least to the most that a key may do. */
export const ROLES = ["read", "preview", "write", "admin", "root"] as const;
export type Role = (typeof ROLES)[number];

export interface Session {
  space: string;
  key: string;
  /** The key's name. */
  name: string;
  role: Role;
}

const STORED = "silverprint.session";

const isSession = (value: unknown): value is Session =>
  typeof value === "object" &&
  value !== null &&
  ["space", "key", "name", "role"].every(
    (name) => typeof (value as Record<string, unknown>)[name] === "string",
  );

export function readSession(): Session | null {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(STORED) ?? "null");
    return isSession(stored) ? stored : null;
  } catch {
    return null;
  }
}

export function keepSession(session: Session | null): void {
  try {
    if (session) sessionStorage.setItem(STORED, JSON.stringify(session));
    else sessionStorage.removeItem(STORED);
  } catch {
    // No storage: the session lasts as long as the page.
  }
}

/** Returns whether the key may do what `needed` may. */
export const may = ({ role }: Pick<Session, "role">, needed: Role): boolean =>
  ROLES.indexOf(role) >= ROLES.indexOf(needed);
