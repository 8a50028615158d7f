/** What a key may do (RULES 1.4): each role what those before it may, and more. */
export const ROLES = ["read", "preview", "write", "admin"] as const;
export type Role = (typeof ROLES)[number];
/** Everything a route can ask for; the root token has every right in every space. */
export type Requirement = Role | "root";
