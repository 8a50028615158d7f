/** Rows that were changed after their copy, as triggers have noted them: each is copied once more, in their order. */
import { sql } from "drizzle-orm";
import { MOVE } from "../../../limits.ts";
import { prepareSql, type Database } from "../database/database.ts";
import type { Unit } from "./walk-rows.ts";

export interface Touch {
  /** Grows with each change. */
  no: number;
  /** The name of the table. */
  name: string;
  unit: Unit;
}

/** Returns the first changes after `after`, of one table if it is given: as many as a slice looks at. */
export async function readTouches(
  db: Database,
  spaceId: string,
  after: number,
  table: string | null = null,
): Promise<Touch[]> {
  const ofTable = table === null ? sql`1` : sql`table_name = ${table}`;
  const rows = await db.all<{ no: number; name: string; unit: string }>(sql`
    SELECT no, table_name AS name, unit FROM move_touches
    WHERE space_id = ${spaceId} AND no > ${after} AND ${ofTable} ORDER BY no LIMIT ${MOVE.touchesPerSlice}`);
  return rows.map((row) => ({ ...row, unit: JSON.parse(row.unit) as Unit }));
}

/** Returns the number of the last change of a space; 0 if none is noted. */
export async function lastTouch(db: Database, spaceId: string): Promise<number> {
  const [row] = await db.all<{ no: number }>(sql`SELECT no FROM move_touches WHERE space_id = ${spaceId}
    ORDER BY no DESC LIMIT 1`);
  return row?.no ?? 0;
}

/** Counts the changes after `after`, up to `max`. */
export async function countTouches(
  db: Database,
  spaceId: string,
  after: number,
  max: number,
): Promise<number> {
  const [row] = await db.all<{ n: number }>(sql`SELECT count(*) AS n FROM (SELECT 1 FROM move_touches
    WHERE space_id = ${spaceId} AND no > ${after} LIMIT ${max})`);
  return row?.n ?? 0;
}

/** Counts the changes after `after` by the name of their table. */
export async function countTouchesByTable(
  db: Database,
  spaceId: string,
  after: number,
): Promise<Map<string, number>> {
  const rows = await db.all<{ name: string; n: number }>(sql`SELECT table_name AS name, count(*) AS n
    FROM move_touches WHERE space_id = ${spaceId} AND no > ${after} GROUP BY table_name`);
  return new Map(rows.map(({ name, n }) => [name, n]));
}

/** Forgets changes that were copied, at most as many as one statement should delete. */
export async function forgetTouches(db: Database, spaceId: string, copied: number): Promise<void> {
  await db.run(sql`DELETE FROM move_touches WHERE no IN (SELECT no FROM move_touches
    WHERE space_id = ${spaceId} AND no <= ${copied} LIMIT ${MOVE.rowsPerStatement})`);
}

/**
 * Forgets changes that a move has noted which was withdrawn, or which is over: no copy asks for them any more.
 * @returns whether there may be more
 */
export async function forgetEndedTouches(db: Database): Promise<boolean> {
  const { meta } = await prepareSql(
    db,
    sql`DELETE FROM move_touches WHERE no IN (SELECT t.no FROM space_moves m CROSS JOIN move_touches t
      ON t.space_id = m.space_id WHERE m.state <> 'leaving' LIMIT ${MOVE.rowsPerStatement})`,
  ).run();
  return meta.changes >= MOVE.rowsPerStatement;
}
