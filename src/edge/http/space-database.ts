/** The database of a request: that of the space in its path, or the directory's for routes outside any space. */
import { shardsOf } from "../shards/bindings.ts";
import { lookInSpace } from "../shards/where.ts";
import type { Database } from "../storage/database/database.ts";
import type { AuthorizingReads } from "../spaces/authorize.ts";
import { readRole, type Credential, type KeyRole } from "../storage/spaces/keys.ts";
import { openShard, type AppContext } from "./context.ts";

function useShard(c: AppContext, shard: number): Database {
  if (c.get("shard") !== shard) {
    c.set("shard", shard);
    c.set("db", openShard(c, shard));
  }
  return c.get("db");
}

/** Looks for the space of the path. From then on the request has the database in which the last look was. */
export const findInSpace = <T>(
  c: AppContext,
  spaceName: string,
  look: (db: Database) => Promise<T>,
  isFound: (outcome: T) => boolean,
): Promise<T> =>
  lookInSpace(c.env, { name: spaceName }, c.get("queryCount"), (shard) => look(useShard(c, shard)), {
    isFound,
  });

/**
 * Returns the role of a token that the request's database does not know; null if no database knows it. A database that
 * does not answer is passed over: it cannot hold the token of the space that was asked for.
 */
export async function roleElsewhere(
  c: AppContext,
  credential: Credential & { kind: "key" },
): Promise<KeyRole | null> {
  const now = c.get("arrivedAt");
  const others = shardsOf(c.env).filter((shard) => shard !== c.get("shard"));
  const asked = await Promise.allSettled(
    others.map((shard) => readRole(openShard(c, shard), credential, now)),
  );
  const roles = asked.map((one) => (one.status === "fulfilled" ? one.value : null));
  return roles.find((role) => role !== null) ?? null;
}

/** Returns the reads that authorise a request. */
export const authorizingReads = (c: AppContext): AuthorizingReads => ({
  inSpace: (spaceName, look, isFound) => findInSpace(c, spaceName, look, isFound),
  roleElsewhere: (credential) => roleElsewhere(c, credential),
});
