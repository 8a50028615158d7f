/** The credential of a request. A root member's session is looked up in the directory, all others with their space. */
import { rootMembersOf } from "../../spaces/root-members.ts";
import { credentialOf, unauthenticated, type Credential, type Presented } from "../../spaces/authorize.ts";
import { readRootSession } from "../../storage/spaces/sessions.ts";
import { openShard, type AppContext } from "../context.ts";

/** Returns the credential in the header of a request. @throws ApiError UNAUTHENTICATED without a bearer token */
export async function credentialIn(c: AppContext): Promise<Presented> {
  const known = c.get("presented");
  if (known) return known;
  const presented = await credentialOf(c.req.header("Authorization"), c.env.ROOT_TOKEN);
  c.set("presented", presented);
  return presented;
}

/** @throws ApiError UNAUTHENTICATED without a bearer token, and for the session of an address that is no root member */
export async function presentedTo(c: AppContext): Promise<Credential> {
  const presented = await credentialIn(c);
  if (presented.kind === "key" && presented.of === "preview")
    return { ...presented, rootMembers: rootMembersOf(c.env) };
  if (presented.kind !== "root session") return presented;
  const session = await readRootSession(openShard(c, 0), presented.hash, c.get("arrivedAt"));
  if (!session || !rootMembersOf(c.env).has(session.email)) throw unauthenticated();
  return { kind: "root", member: { email: session.email, hash: presented.hash } };
}
