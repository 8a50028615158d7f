/**
 * The directory's side of what touches it and a further shard (RULES 12.3). A name is claimed here first, then written
 * on the shard; a removal frees it on the shard first. Each claim is marked until the sweep has found the name on the
 * shard, so that a crash in between leaves no name taken.
 */
import { sql } from "drizzle-orm";
import { batchSql, isUniqueViolation, type Database } from "../database/database.ts";

interface NewPlace {
  spaceId: string;
  shard: number;
  names: readonly string[];
}

const listOf = (values: readonly unknown[]) => sql`(SELECT value FROM json_each(${JSON.stringify(values)}))`;

/** Claims the names of a new space, and its place. False, with nothing claimed, if one is or was another space's. */
export async function claimPlace(
  directory: Database,
  { spaceId, shard, names }: NewPlace,
  now: number,
): Promise<boolean> {
  try {
    await batchSql(directory, [
      sql`INSERT INTO space_places (space_id, shard) VALUES (${spaceId}, ${shard})`,
      sql`INSERT INTO space_names (name, space_id, claimed_at)
        SELECT value, ${spaceId}, ${now} FROM json_each(${JSON.stringify(names)})`,
    ]);
    return true;
  } catch (error) {
    if (isUniqueViolation(error)) return false;
    throw error;
  }
}

/** Claims a further name for a space. False when it is or was another space's. */
export async function claimName(
  directory: Database,
  spaceId: string,
  name: string,
  now: number,
): Promise<boolean> {
  const [, owner] = await batchSql(directory, [
    sql`INSERT INTO space_names (name, space_id, claimed_at) VALUES (${name}, ${spaceId}, ${now})
      ON CONFLICT (name) DO NOTHING`,
    sql`SELECT 1 FROM space_names WHERE name = ${name} AND space_id = ${spaceId}`,
  ]);
  return owner?.length === 1;
}

/** Frees the names of a removed space. Its place stays until its rows are gone. */
export async function freeNames(directory: Database, spaceId: string): Promise<void> {
  await directory.run(sql`DELETE FROM space_names WHERE space_id = ${spaceId}`);
}

/** Removes the place of a space that has no rows left but its own. */
export async function freePlace(directory: Database, spaceId: string): Promise<void> {
  await directory.run(sql`DELETE FROM space_places WHERE space_id = ${spaceId}`);
}

export interface Claim {
  name: string;
  spaceId: string;
  shard: number;
  claimedAt: number;
}

/** Returns at most `limit` claims that were made at `before` or earlier, and are not settled. */
export const listClaims = (directory: Database, before: number, limit: number): Promise<Claim[]> =>
  directory.all<Claim>(sql`
    SELECT n.name, n.space_id AS spaceId, coalesce(p.shard, 0) AS shard, n.claimed_at AS claimedAt
    FROM space_names n LEFT JOIN space_places p ON p.space_id = n.space_id
    WHERE n.claimed_at <= ${before} ORDER BY n.claimed_at LIMIT ${limit}`);

export interface FoundOnShard {
  /** The claimed names that the shard has, too. */
  names: Set<string>;
  /** The spaces of claims of which the shard has a row, removed ones included. */
  spaces: Set<string>;
}

/** Looks on a shard for what was claimed. */
export async function findClaimed(shard: Database, claims: readonly Claim[]): Promise<FoundOnShard> {
  const [names, spaces] = (await batchSql(shard, [
    sql`SELECT n.name FROM json_each(${JSON.stringify(claims)}) c
      JOIN space_names n ON n.name = c.value ->> 'name' AND n.space_id = c.value ->> 'spaceId'`,
    sql`SELECT id FROM spaces WHERE id IN ${listOf(claims.map(({ spaceId }) => spaceId))}`,
  ])) as [{ name: string }[], { id: string }[]];
  return { names: new Set(names.map(({ name }) => name)), spaces: new Set(spaces.map(({ id }) => id)) };
}

/** Settles the claims that were found on their shard, frees the other names, and the places of spaces without a row. */
export async function settleClaims(
  directory: Database,
  claims: readonly Claim[],
  { names, spaces }: FoundOnShard,
): Promise<void> {
  const found = claims.filter(({ name }) => names.has(name));
  const lost = claims.filter(({ name }) => !names.has(name));
  const isOneOf = (some: readonly Claim[]) =>
    sql`(name, space_id, claimed_at) IN (SELECT value ->> 'name', value ->> 'spaceId', value ->> 'claimedAt'
      FROM json_each(${JSON.stringify(some)}))`;
  const without = lost.map(({ spaceId }) => spaceId).filter((id) => !spaces.has(id));
  await batchSql(directory, [
    sql`UPDATE space_names SET claimed_at = NULL WHERE ${isOneOf(found)}`,
    sql`DELETE FROM space_names WHERE ${isOneOf(lost)}`,
    sql`DELETE FROM space_places WHERE space_id IN ${listOf(without)}
      AND NOT EXISTS (SELECT 1 FROM space_names n WHERE n.space_id = space_places.space_id)`,
  ]);
}
