/** The roles of keys (RULES 1.4). Each role includes the ones before it. */
export const ROLES = ["read", "preview", "write", "admin"] as const;
export type Role = (typeof ROLES)[number];
/** The role that a route can require. The root token has all rights in all spaces. */
export type Requirement = Role | "root";
