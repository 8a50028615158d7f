/**
 * The directory: which database each space stands on (RULES 12.1). A space without a row in `space_places` stands on
 * shard 0, which is the directory's own database. Only the directory's `space_names` decides who has a name; a further
 * shard has a copy of the names of its spaces, so that a picture is found with one query there.
 */
import { sql, type SQL } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import type { ReadDatabase } from "../database/read-database.ts";
import { readRow, readRowOfPrimary } from "../database/read-database.ts";

/** The name of a space, present or earlier, or its id. */
export type SpaceReference = { name: string } | { id: string };

export interface PlaceRow {
  spaceId: string;
  shard: number;
}

const placeQuery = (space: SpaceReference): SQL =>
  "name" in space
    ? sql`SELECT n.space_id AS spaceId, coalesce(p.shard, 0) AS shard
        FROM space_names n LEFT JOIN space_places p ON p.space_id = n.space_id WHERE n.name = ${space.name}`
    : sql`SELECT i.id AS spaceId, coalesce(p.shard, 0) AS shard
        FROM (SELECT ${space.id} AS id) i LEFT JOIN space_places p ON p.space_id = i.id
        WHERE p.space_id IS NOT NULL OR EXISTS (SELECT 1 FROM space_names n WHERE n.space_id = i.id)`;

/** Returns where a space stands, from the nearest replica that knows it; null when the primary does not know it. */
export const readPlace = async (directory: ReadDatabase, space: SpaceReference): Promise<PlaceRow | null> =>
  (await readRow<PlaceRow>(directory, placeQuery(space))).row;

/** Returns the same from the primary. */
export const readPlaceOfPrimary = (
  directory: ReadDatabase,
  space: SpaceReference,
): Promise<PlaceRow | null> => readRowOfPrimary<PlaceRow>(directory, placeQuery(space));

export interface NamedPlace extends PlaceRow {
  name: string;
}

/** Returns where spaces stand, at most `limit`, from the nearest replica: they may have moved since. */
export const readPlaces = (directory: ReadDatabase, limit: number): Promise<NamedPlace[]> =>
  directory.nearest.all<NamedPlace>(sql`SELECT n.name, n.space_id AS spaceId, coalesce(p.shard, 0) AS shard
    FROM space_names n LEFT JOIN space_places p ON p.space_id = n.space_id LIMIT ${limit}`);

/** Returns those of the spaces that stand on another shard than this one. A space that is gone stands nowhere. */
export async function spacesElsewhere(
  directory: Database,
  spaceIds: readonly string[],
  shard: number,
): Promise<Set<string>> {
  const rows = await directory.all<{ id: string }>(sql`
    SELECT i.value AS id FROM json_each(${JSON.stringify(spaceIds)}) i
    LEFT JOIN space_places p ON p.space_id = i.value
    WHERE coalesce(p.shard, CASE WHEN EXISTS (SELECT 1 FROM space_names n WHERE n.space_id = i.value) THEN 0 END)
      <> ${shard}`);
  return new Set(rows.map(({ id }) => id));
}

/** Returns the number of the last move of a space that the directory knows; 0 for none. */
export async function placeMove(directory: Database, spaceId: string): Promise<number> {
  const [row] = await directory.all<{ move: number }>(
    sql`SELECT move FROM space_places WHERE space_id = ${spaceId}`,
  );
  return row?.move ?? 0;
}
