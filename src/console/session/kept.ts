/**
 * The signed-in session: a space, a key and its role. Kept in this tab's session storage alone, and gone with the tab
 * (RULES 11.2).
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
  /**
   * The id of the member who has signed in, of a root member the address; null for a key. An earlier console has kept
   * sessions of members without it.
   */
  member: string | null | undefined;
}

/**
 * Returns whether two sessions are of one person with the same role in one space. A member is known by its id, so neither a
 * key of its name nor a later member of its address is the same; a root member is known by the address. Keys that follow
 * each other have a name in common. A session of a member that was kept without the id goes on by the name, but not with
 * a key.
 */
export const isOfSamePerson = (one: Session, other: Session): boolean =>
  one.space === other.space &&
  one.role === other.role &&
  (one.member === undefined
    ? other.member !== null && one.name === other.name
    : one.member === other.member && (one.member !== null || one.name === other.name));

const SESSION_TOKEN = /^sp[sr]_/;

/** Returns whether a session is of a person who has signed in at the provider, and not of a key. */
export const isOfMember = ({ key }: Pick<Session, "key">): boolean => SESSION_TOKEN.test(key);

const STORED = "silverprint.session";

const isSession = (value: unknown): value is Session =>
  typeof value === "object" &&
  value !== null &&
  ["space", "key", "name", "role"].every(
    (name) => typeof (value as Record<string, unknown>)[name] === "string",
  );

/** Sessions that an earlier console has kept name no member: those of keys never had one. */
const whole = (session: Session): Session => ({
  ...session,
  member: session.member ?? (isOfMember(session) ? undefined : null),
});

export function readSession(): Session | null {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(STORED) ?? "null");
    return isSession(stored) ? whole(stored) : null;
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
