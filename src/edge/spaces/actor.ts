/** Names the callers of requests as actors. This is the only place that derives an actor from a caller. */
import { ROOT, type Actor } from "../storage/events/actor.ts";
import type { TokenOwner } from "../storage/spaces/entry-query.ts";
import type { Credential } from "../storage/spaces/keys.ts";

export const actorOf = ({ actor }: { actor: Actor }): Actor => actor;

/** Returns the actor of a credential: the key, the member, the maker of a preview token, or root. */
export function actorBehind(credential: Credential | { kind: "anybody" }, owner: TokenOwner | null): Actor {
  if (owner) return { kind: owner.kind, id: owner.id, name: owner.name };
  if (credential.kind !== "root" || !credential.member) return ROOT;
  const { email } = credential.member;
  return { kind: "root", id: email, name: email };
}
