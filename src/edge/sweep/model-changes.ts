/** The sweep's part of changes of models that take longer than a request (RULES 3.2). */
import { takeSlice } from "../models/change/4-work-in-background.ts";
import { SWEEP } from "../../limits.ts";
import type { Database } from "../storage/database/database.ts";
import { modelChangesToDo } from "../storage/models/background-changes.ts";

type Log = (event: Record<string, unknown>) => void;

/**
 * Slices of the changes that are worked on, in turns, until none is left or the time of a run is over. One that fails is
 * left to the next minute, and holds up no other. How many slices were done.
 * @param clock milliseconds: how long the run takes
 */
export async function takeModelChanges(
  db: Database,
  now: number,
  log: Log,
  clock: () => number = Date.now,
): Promise<number> {
  const until = clock() + SWEEP.modelChangesMs;
  const failed = new Set<string>();
  for (let slices = 0; ;) {
    const known = await modelChangesToDo(db, SWEEP.modelChangesMax);
    const due = known.filter(({ id }) => !failed.has(id));
    if (due.length === 0) return slices;
    for (const change of due) {
      if (slices === SWEEP.modelChangeSlicesMax || clock() >= until) return slices;
      try {
        await takeSlice(db, change, now);
        slices += 1;
      } catch (error) {
        failed.add(change.id);
        log({ event: "model-change-failed", modelId: change.modelId, reason: String(error) });
      }
    }
  }
}
