/**
 * The switch of a move, and the steps that make it known (RULES 12.7). The row of the database that the space leaves decides:
 * once it says `left`, the space stands on the other one.
 */
import { sql } from "drizzle-orm";
import { batchSql, type Database } from "../database/database.ts";
import { readRowOfPrimary, type ReadDatabase } from "../database/read-database.ts";
import { OF_SYSTEM } from "../events/actor.ts";
import { asMover, isOf, moveEvent, NOW, type MoveRow, type Tombstone } from "./move-state.ts";

/** Returns the tombstone of a space on a database, from its primary; null when the space has not left it. */
export const readTombstone = (shard: ReadDatabase, spaceId: string): Promise<Tombstone | null> =>
  readRowOfPrimary<Tombstone>(
    shard,
    sql`SELECT space_id AS spaceId, move, other, ended_at AS endedAt, settled_at AS settledAt
      FROM space_moves WHERE space_id = ${spaceId} AND state = 'left' AND ended_at IS NOT NULL`,
  );

/** Returns whether a space, which a request has found on a database, has left it. */
export async function hasLeft(db: Database, spaceId: string): Promise<boolean> {
  const left = await db.all(sql`SELECT 1 FROM space_moves WHERE space_id = ${spaceId} AND state = 'left'`);
  return left.length > 0;
}

/** Returns the tombstones of this database of which a side of their move may not know. */
export const listUnsettled = (db: Database, limit: number): Promise<Tombstone[]> =>
  db.all<Tombstone>(sql`SELECT space_id AS spaceId, move, other, ended_at AS endedAt, settled_at AS settledAt
    FROM space_moves WHERE state = 'left' AND ended_at IS NOT NULL AND settled_at IS NULL LIMIT ${limit}`);

/** Returns the spaces that come to this database, or whose last move to it is not settled yet. */
export const listArriving = (
  db: Database,
  limit: number,
): Promise<Pick<MoveRow, "spaceId" | "move" | "other">[]> =>
  db.all(
    sql`SELECT space_id AS spaceId, move, other FROM space_moves WHERE state = 'arriving' LIMIT ${limit}`,
  );

/**
 * Makes the switch in the database that the space leaves: one statement, while writes are refused, all changes are
 * copied (`drained`) and nothing stands against it. From then on, the space stands on the other database.
 * @returns whether it was made
 */
export async function leave(
  db: Database,
  row: Pick<MoveRow, "spaceId" | "move">,
  drained: number,
): Promise<boolean> {
  const left =
    await db.all(sql`UPDATE space_moves SET state = 'left', ended_at = ${NOW}, closed_until = 0, reason = NULL
    WHERE ${isOf(row)} AND state = 'leaving' AND closed_until > ${NOW}
      AND NOT EXISTS (SELECT 1 FROM move_touches t WHERE t.space_id = ${row.spaceId} AND t.no > ${drained})
      AND EXISTS (SELECT 1 FROM spaces WHERE id = ${row.spaceId} AND removed_at IS NULL)
      AND NOT EXISTS (SELECT 1 FROM model_changes WHERE space_id = ${row.spaceId} AND state = 'working')
    RETURNING 1`);
  return left.length > 0;
}

/** Returns whether a change of a model of the space is worked on in the background, for which a switch waits. */
export async function isModelChanging(db: Database, spaceId: string): Promise<boolean> {
  const changing = await db.all(
    sql`SELECT 1 FROM model_changes WHERE space_id = ${spaceId} AND state = 'working' LIMIT 1`,
  );
  return changing.length > 0;
}

/** The steps after the switch. Any run, sweep or request that finds one missing makes it again, in this order. */
export const settling = {
  /** Lets the space be read where it has come. */
  async show(target: Database, row: Tombstone): Promise<void> {
    await batchSql(
      target,
      asMover(row, [
        sql`UPDATE spaces SET removed_at = NULL WHERE id = ${row.spaceId} AND EXISTS
          (SELECT 1 FROM space_moves WHERE ${isOf(row)} AND state = 'arriving')`,
      ]),
    );
  },
  /** Hides it where it was: reads that come here are told where it went. The directory keeps its names. */
  async hide(source: Database, row: Tombstone, isDirectory: boolean): Promise<void> {
    const isLeft = sql`EXISTS (SELECT 1 FROM space_moves WHERE ${isOf(row)} AND state = 'left')`;
    const names = sql`DELETE FROM space_names WHERE space_id = ${row.spaceId} AND ${isLeft}`;
    await batchSql(
      source,
      asMover(row, [
        sql`UPDATE spaces SET removed_at = ${row.endedAt} WHERE id = ${row.spaceId} AND removed_at IS NULL AND ${isLeft}`,
        ...(isDirectory ? [] : [names]),
      ]),
    );
  },
  /** Lets it be written where it has come. */
  async open(target: Database, row: Tombstone, now: number): Promise<void> {
    const isArriving = sql`${isOf(row)} AND state = 'arriving'`;
    const condition = sql`EXISTS (SELECT 1 FROM space_moves WHERE ${isArriving})`;
    const facts = { shard: row.other };
    const by = { origin: OF_SYSTEM, now };
    await batchSql(
      target,
      asMover(row, [
        moveEvent(row.spaceId, "moved", by, { facts, condition }),
        sql`UPDATE space_moves SET state = 'here', ended_at = ${row.endedAt}, reason = NULL WHERE ${isArriving}`,
      ]),
    );
  },
  /** Writes its place into the directory, unless a later move is there. */
  async place(directory: Database, row: Tombstone): Promise<void> {
    await directory.run(sql`INSERT INTO space_places (space_id, shard, move) VALUES (${row.spaceId}, ${row.other}, ${row.move})
      ON CONFLICT (space_id) DO UPDATE SET shard = excluded.shard, move = excluded.move WHERE move < excluded.move`);
  },
  /** Notes that all of this was done. */
  async done(source: Database, row: Tombstone, now: number): Promise<void> {
    await batchSql(source, [
      sql`UPDATE space_moves SET settled_at = ${now} WHERE ${isOf(row)} AND state = 'left'`,
      sql`DELETE FROM move_touches WHERE no IN (SELECT no FROM move_touches WHERE space_id = ${row.spaceId} LIMIT 1000)`,
    ]);
  },
};
