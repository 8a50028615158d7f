/** The actors of changes, as events, histories, records and media name them (RULES 14.2). */

export const ACTOR_KINDS = ["key", "member", "root", "system"] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

/** The author of a change, named as at the time of the change: a key may be gone when its name is read. */
export interface Actor {
  kind: ActorKind;
  /** The id of a key or a member. The root token and the service itself are named by their kinds. */
  id: string;
  name: string;
}

/** The root token. */
export const ROOT: Actor = { kind: "root", id: "root", name: "root" };

/** The service itself: the sweep, and changes of models that it works on. */
export const SYSTEM: Actor = { kind: "system", id: "system", name: "system" };

/** The origin of a change: its actor, and the request that asked for it. */
export interface Origin {
  actor: Actor;
  /** Null for the sweep. */
  requestId: string | null;
  /** The change is a part of an import: the audit has it as such, and webhooks are told nothing. */
  isImport?: boolean;
}

/** The origin and the time of a change, in milliseconds. */
export interface By {
  origin: Origin;
  now: number;
}

/** The origin of changes that no request asks for. */
export const OF_SYSTEM: Origin = { actor: SYSTEM, requestId: null };

/** Returns an actor as the columns `created_by` and `updated_by` hold it. */
export const actorColumn = ({ kind, id, name }: Actor): string => JSON.stringify([kind, id, name]);

/** Returns the actor of such a column; null where a row is older than the column. */
export function actorIn(column: string | null): Actor | null {
  if (column === null) return null;
  const [kind, id, name] = JSON.parse(column) as [ActorKind, string, string];
  return { kind, id, name };
}
