/** Compares the numbers of moves, which differ after a restore of a database to an earlier time (RULES 12.7). */
import { sql } from "drizzle-orm";
import { MOVE } from "../../../limits.ts";
import { batchSql, type Database } from "../database/database.ts";

export interface KnownMove {
  spaceId: string;
  shard: number;
  move: number;
}

/** Returns the moves that are over as this database knows them, with the database to which each went. */
export const knownMoves = (db: Database, shard: number): Promise<KnownMove[]> =>
  db.all<KnownMove>(sql`SELECT space_id AS spaceId, CASE state WHEN 'here' THEN ${shard} ELSE other END AS shard, move
    FROM space_moves WHERE state = 'here' OR (state = 'left' AND settled_at IS NOT NULL)
    ORDER BY ended_at DESC LIMIT ${MOVE.comparedMax}`);

/** Writes places into the directory that knows only earlier ones. */
export async function writePlaces(directory: Database, moves: readonly KnownMove[]): Promise<void> {
  if (moves.length === 0) return;
  await directory.run(sql`INSERT INTO space_places (space_id, shard, move)
    SELECT value ->> 'spaceId', value ->> 'shard', value ->> 'move' FROM json_each(${JSON.stringify(moves)}) WHERE true
    ON CONFLICT (space_id) DO UPDATE SET shard = excluded.shard, move = excluded.move WHERE move < excluded.move`);
}

/** Returns the places of spaces that this database has, and the directory has elsewhere: from a random one on. */
export async function placesOf(db: Database, directory: Database, shard: number): Promise<KnownMove[]> {
  const first = Math.random().toString(36).slice(2, 4).toUpperCase();
  const spaces = await db.all<{ id: string; move: number }>(sql`SELECT s.id, coalesce(m.move, 0) AS move
    FROM spaces s LEFT JOIN space_moves m ON m.space_id = s.id
    WHERE s.removed_at IS NULL AND (m.state IS NULL OR m.state NOT IN ('left', 'arriving'))
    ORDER BY substr(s.id, -2) >= ${first} DESC, substr(s.id, -2) LIMIT ${MOVE.comparedMax}`);
  if (spaces.length === 0) return [];
  return directory.all<KnownMove>(sql`SELECT p.space_id AS spaceId, p.shard, p.move
    FROM json_each(${JSON.stringify(spaces)}) j JOIN space_places p ON p.space_id = j.value ->> 'id'
    WHERE p.shard <> ${shard} AND p.move > j.value ->> 'move'`);
}

/** Lets spaces go that stand elsewhere by a later move: their rows here are swept, but nothing that they name. */
export async function leaveNewer(
  db: Database,
  moves: readonly KnownMove[],
  isDirectory: boolean,
  now: number,
): Promise<number> {
  if (moves.length === 0) return 0;
  const list = JSON.stringify(moves);
  const ids = sql`(SELECT value ->> 'spaceId' FROM json_each(${list}))`;
  await batchSql(db, [
    sql`INSERT INTO space_moves (space_id, move, state, other, started_at, ended_at, settled_at, bypass)
      SELECT value ->> 'spaceId', value ->> 'move', 'left', value ->> 'shard', ${now}, ${now}, ${now}, 1
      FROM json_each(${list}) WHERE true
      ON CONFLICT (space_id) DO UPDATE SET move = excluded.move, state = 'left', other = excluded.other,
        ended_at = excluded.ended_at, settled_at = excluded.settled_at, swept_at = NULL, closed_until = 0, bypass = 1`,
    sql`UPDATE spaces SET removed_at = ${now} WHERE id IN ${ids}`,
    ...(isDirectory ? [] : [sql`DELETE FROM space_names WHERE space_id IN ${ids}`]),
    sql`UPDATE space_moves SET bypass = 0 WHERE space_id IN ${ids}`,
  ]);
  return moves.length;
}
