/** Removes what a space has left behind (RULES 12.7). */
import { MOVE } from "../../../limits.ts";
import type { Database, QueryCount } from "../../storage/database/database.ts";
import { noteSwept, sweepSlice } from "../../storage/shards/left-rows.ts";
import type { MoveRow } from "../../storage/shards/move-state.ts";
import { Rests } from "../rests.ts";

/**
 * Removes the rows of a space that has left, unless it left so lately that something may still write to them.
 * @returns whether none is left
 */
export async function sweepLeft(
  db: Database,
  row: MoveRow,
  isDirectory: boolean,
  { until, clock }: { until: number; clock: () => number },
  count: QueryCount,
): Promise<boolean> {
  if (row.endedAt !== null && row.endedAt > clock() - MOVE.leftRowsMs) return false;
  const rests = new Rests(MOVE);
  while (count.queries < MOVE.queriesPerRun && clock() < until) {
    if (!(await sweepSlice(db, row, isDirectory))) {
      await noteSwept(db, row, clock());
      return true;
    }
    await rests.afterStep();
  }
  return false;
}
