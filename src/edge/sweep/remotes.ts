/** The sweep's part of pictures of other servers (RULES 13.6): those that nobody asks for, and those over the plan. */
import { REMOTE, SWEEP } from "../../limits.ts";
import type { Database } from "../storage/database/database.ts";
import type { GoesOn } from "./budget.ts";
import { removeUnasked, spacesOverPlan, trimRemotes } from "../storage/remote/removal.ts";

/** Removes pictures in bounded steps. @returns how many */
export async function removeDueRemotes(db: Database, now: number, goesOn: GoesOn): Promise<number> {
  const limit = REMOTE.removedPerBatch;
  const before = now - REMOTE.unaskedMaxMs;
  let removed = await inBatches(() => removeUnasked(db, before, now, limit, goesOn), goesOn);
  for (const spaceId of await spacesOverPlan(db, SWEEP.spacesMax)) {
    if (!goesOn()) break;
    removed += await inBatches(() => trimRemotes(db, spaceId, now, limit, goesOn), goesOn);
  }
  return removed;
}

/** Repeats a removal while its batches are full. @returns how many were removed */
async function inBatches(remove: () => Promise<number>, goesOn: GoesOn): Promise<number> {
  let removed = 0;
  for (let batch = 0; batch < REMOTE.trimBatchesMax && (batch === 0 || goesOn()); batch++) {
    const last = await remove();
    removed += last;
    if (last < REMOTE.removedPerBatch) break;
  }
  return removed;
}
