/** The roles of keys (RULES 1.4). Each role includes the ones before it. */
export const ROLES = ["read", "preview", "write", "admin"] as const;
export type Role = (typeof ROLES)[number];
/** The role that a route can require. The root token has all rights in all spaces. */
export type Requirement = Role | "root";

/** Returns whether a caller sees the actors of records and media (RULES 14.6). */
export const seesActors = (role: Requirement): boolean =>
  role === "write" || role === "admin" || role === "root";
