/**
 * Makes a change of a model that has more records than one request can check or write (RULES 3.2), slice by slice. First
 * the records and their published contents are checked, then records are published and index rows of new fields are
 * written, as far as the change needs that. Then come the records that were written meanwhile, and the change itself in
 * one batch. Each slice moves the change on in its own batch, so that a crash repeats at most one slice. Until the end,
 * reads and writes use the model as it was. The first slice with a value that does not fit ends the change.
 */
import { ApiError } from "../../../errors.ts";
import { SLICE } from "../../../limits.ts";
import type { Database } from "../../storage/database/database.ts";
import { OF_SYSTEM, type By } from "../../storage/events/actor.ts";
import type { ModelRow } from "../../storage/spaces/entries.ts";
import {
  forgetModelChange,
  giveUp,
  PHASE,
  readModelById,
  removeLeftUniques,
  type ModelChangeRow,
} from "../../storage/models/background-changes.ts";
import { readSpaceById } from "../../storage/spaces/spaces.ts";
import { checkHeldSides, checkHeldSlice, checkTouchedHolders } from "./background/holders.ts";
import { checkSides, checkSlice, checkTouched } from "./background/records.ts";
import { indexSlice, publishRange } from "./background/rows.ts";
import {
  endPhase,
  isChecking,
  moveOn,
  phaseAfter,
  refuse,
  storedRequest,
  workOf,
  type Work,
} from "./background/work.ts";
import { writeModelChange } from "./change-model.ts";
import { recordHolders } from "./component-records.ts";
import type { ChangeConflict } from "./conflicts.ts";
import { planModelChange, type PlannedChange } from "./3-plan-change.ts";

/** Withdraws a change, however far it is. False if it has ended. */
export function withdrawModelChange(
  db: Database,
  change: ModelChangeRow,
  row: ModelRow,
  by: By,
): Promise<boolean> {
  const { now } = by;
  const { uniques } = workOf(db, now, change, row);
  return giveUp(db, change, { state: "withdrawn", conflicts: "[]", uniques, now, withdrawn: { row, by } });
}

/** Returns a conflict if a model began to hold a component after its change began: its records were not checked. */
function newHolders({ holders: known }: ModelChangeRow, { holders }: PlannedChange): ChangeConflict[] {
  const checked = JSON.parse(known) as number[];
  const added = recordHolders(holders).filter(({ id }) => !checked.includes(id));
  const message = `is held by ${added.map(({ name }) => name).join(", ")} since this change began: ask for it again`;
  return added.length === 0 ? [] : [{ path: "fields", message, records: 0 }];
}

/** Makes the change itself. A conflict other than values that do not fit ends it. */
async function finish(work: Work): Promise<void> {
  const { db, change, row, asked, now } = work;
  const space = await readSpaceById(db, change.spaceId);
  if (!space) return forgetModelChange(db, change);
  const { origin = OF_SYSTEM } = storedRequest(change);
  const writing = { db, space, origin, now, versions: null };
  try {
    const planned = await planModelChange(writing, row, asked, true);
    planned.conflicts.push(...newHolders(change, planned));
    if (planned.conflicts.length > 0) await refuse(work, planned.conflicts);
    // If it is not written, a record changed meanwhile, and the next slice checks it.
    else await writeModelChange(writing, planned, { change, reserved: work.reserved ?? [] });
  } catch (error) {
    // A change is not refused because the isolate is busy: the next minute tries again.
    if (!(error instanceof ApiError) || error.status >= 500 || error.code === "RATE_LIMITED") throw error;
    const details = error.details ?? [{ path: "fields", message: error.message }];
    const conflicts = details.map(({ path, message }) => ({ path, message, records: 0 }));
    await refuse(work, conflicts);
  }
}

async function takeComponentSlice(work: Work): Promise<void> {
  if (work.change.phase === PHASE.records) return checkHeldSlice(work);
  if (work.change.phase === PHASE.sides) return checkHeldSides(work);
  if (!(await checkTouchedHolders(work))) await finish(work);
}

/** Does one slice of a change, or removes a slice of the rows that it has left. */
export async function takeSlice(db: Database, change: ModelChangeRow, now: number): Promise<void> {
  if (change.state !== "working") return removeLeftUniques(db, change, SLICE.rows);
  const row = await readModelById(db, change.modelId);
  if (!row) return forgetModelChange(db, change);
  const work = workOf(db, now, change, row);
  if (row.version !== change.version) {
    const message = "is another one now: the model was changed meanwhile. Ask for this change again";
    return refuse(work, [{ path: "version", message, records: 0 }]);
  }
  if (row.typeModel === "components") return takeComponentSlice(work);
  if (change.phase === PHASE.records && !isChecking(work))
    return moveOn(work, endPhase(work, phaseAfter(work, PHASE.published)), null);
  if (change.phase === PHASE.records) return checkSlice(work, row.drafts ? "draft" : "published");
  if (change.phase === PHASE.published) return checkSlice(work, "published");
  if (change.phase === PHASE.sides) return checkSides(work);
  if (change.phase === PHASE.drafts) return publishRange(work);
  if (change.phase === PHASE.added) return indexSlice(work);
  if (!(await checkTouched(work))) await finish(work);
}
