/**
 * Removes the rows that a space has left on a database, or those of a copy that does not go on (RULES 12.7). Only rows:
 * the bytes are those of the space, wherever it stands.
 */
import { sql, type SQL } from "drizzle-orm";
import { MOVE } from "../../../limits.ts";
import { batchSql, type Database } from "../database/database.ts";
import { asMover, type MoveRow } from "./move-state.ts";
import { SPACE_TABLES, type SpaceTable } from "./tables.ts";
import { walk, type Unit } from "./walk-rows.ts";

const raw = (text: string): SQL => sql.raw(text);

const OF_RECORDS = SPACE_TABLES.filter(({ by }) => by === "record");

/**
 * The rows that are written for each row of a table: with a content in a locale, triggers write its record and the index
 * of that. Records still go last, because triggers find the space of the other rows by them.
 */
const WEIGHTS: Partial<Record<string, number>> = { record_locales: 3 };

/** Records, as many as have few enough rows together with what hangs on them, but at least one. */
async function nextRecords(db: Database, spaceId: string): Promise<number[]> {
  const weight = OF_RECORDS.map(
    ({ name }) => `${WEIGHTS[name] ?? 1} * (SELECT count(*) FROM ${name} t WHERE t.record = r.seq)`,
  ).join(" + ");
  const rows = await db.all<{ seq: number; weight: number }>(sql`
    SELECT r.seq, 1 + ${raw(weight)} AS weight FROM models m CROSS JOIN records r ON r.model_id IN (m.id, -m.id)
    WHERE m.space_id = ${spaceId} LIMIT ${MOVE.recordsPerSlice}`);
  let sum = 0;
  return rows
    .filter((row, index) => {
      sum += row.weight;
      return index === 0 || sum <= MOVE.sweptRowsPerSlice;
    })
    .map(({ seq }) => seq);
}

const drop = ({ name, unit }: SpaceTable, units: readonly Unit[]): SQL =>
  sql`DELETE FROM ${raw(name)} WHERE (${raw(unit.join(", "))}) IN (SELECT
    ${raw(unit.map((_, index) => `value ->> ${index}`).join(", "))} FROM json_each(${JSON.stringify(units)}))`;

/** The tables in an order in which a row goes before those by which it is found; records have their own step. */
const BACKWARDS = SPACE_TABLES.filter(({ by, name }) => by !== "record" && name !== "records").toReversed();

/** Removes one slice of rows. False when there were none. */
export async function sweepSlice(db: Database, row: MoveRow, isDirectory: boolean): Promise<boolean> {
  const { spaceId } = row;
  const records = await nextRecords(db, spaceId);
  if (records.length > 0) {
    const seqs = sql`(SELECT value FROM json_each(${JSON.stringify(records)}))`;
    await batchSql(
      db,
      asMover(row, [
        // Once, so that triggers do not have the content of the space invalidated with each slice.
        sql`UPDATE models SET public = 0 WHERE space_id = ${spaceId} AND public`,
        ...OF_RECORDS.map(({ name }) => sql`DELETE FROM ${raw(name)} WHERE record IN ${seqs}`),
        sql`DELETE FROM records WHERE seq IN ${seqs}`,
      ]),
    );
    return true;
  }
  for (const table of BACKWARDS) {
    if (table.isOfDirectory === true && isDirectory) continue;
    const { units } = await walk(db, table, spaceId, { leg: 0, after: null });
    if (units.length === 0) continue;
    await batchSql(db, asMover(row, [drop(table, units)]));
    return true;
  }
  return false;
}

/** Notes that nothing is left. */
export async function noteSwept(db: Database, { spaceId, move }: MoveRow, now: number): Promise<void> {
  await batchSql(db, [
    sql`UPDATE space_moves SET swept_at = ${now} WHERE space_id = ${spaceId} AND move = ${move} AND state = 'left'`,
    sql`DELETE FROM space_totals WHERE space_id = ${spaceId}
      AND EXISTS (SELECT 1 FROM space_moves WHERE space_id = ${spaceId} AND state = 'left')`,
  ]);
}

/** Removes tombstones that no database set back to an earlier time could lack. */
export async function forgetOldMoves(db: Database, endedBefore: number): Promise<void> {
  await db.run(sql`DELETE FROM space_moves WHERE ended_at <= ${endedBefore}
    AND (state IN ('here', 'stayed') OR (state = 'left' AND swept_at IS NOT NULL))`);
}
