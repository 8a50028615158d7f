/**
 * Makes a change of a model that has more records than one request can check (RULES 3.2), slice by slice: first the
 * records, then their published contents, then the records that were written meanwhile, then the change itself in one
 * batch. Each slice moves the change on in its own batch, so that a crash repeats at most one slice. Until the end,
 * reads and writes use the model as it was. The first slice with a value that does not fit ends the change.
 */
import { ApiError } from "../../../errors.ts";
import type { StoredField } from "../../../content/field-types/fields.ts";
import type { KeptField } from "../../../content/model/kept-field.ts";
import { modelOf, type Model } from "../../../content/model/model.ts";
import { rowsOf, type Content } from "../../../content/model/publication.ts";
import { CONTENT, PATTERN, SWEEP } from "../../../limits.ts";
import { workTurns } from "../../spaces/work-turns.ts";
import { isUniqueViolation, type Database } from "../../storage/database/database.ts";
import type { ModelRow } from "../../storage/spaces/entries.ts";
import {
  advance,
  firstDuplicates,
  forgetModelChange,
  giveUp,
  PHASE,
  readModelById,
  readTouched,
  removeLeftUniques,
  type Duplicate,
  type ModelChangeRow,
  type Place,
  type Slice,
} from "../../storage/models/background-changes.ts";
import { readDataAfter } from "../../storage/models/model-values.ts";
import { readSpaceById } from "../../storage/spaces/spaces.ts";
import { writeModelChange } from "./change-model.ts";
import { planChange, type ChangeRequest } from "./1-compare-fields.ts";
import { misfitsOf, type ChangeConflict } from "./2-find-conflicts.ts";
import { StepBudget } from "../../../content/patterns/step-budget.ts";
import { planModelChange, type StoredRequest } from "./3-plan-change.ts";

interface Work {
  db: Database;
  now: number;
  change: ModelChangeRow;
  row: ModelRow;
  model: Model;
  asked: ChangeRequest;
  /** The fields whose values have to fit. */
  kept: KeptField[];
  /** The fields that become unique. */
  uniques: StoredField[];
}

export function requestOf({ asked }: ModelChangeRow): ChangeRequest {
  const { fields, drop, rename, options } = JSON.parse(asked) as StoredRequest;
  return { fields, drop, rename: new Map(rename), options, faults: [] };
}

function workOf(db: Database, now: number, change: ModelChangeRow, row: ModelRow): Work {
  const model = modelOf(row);
  const asked = requestOf(change);
  const { kept } = planChange(model.fields, asked);
  const uniques = kept.filter(({ uniqueness }) => uniqueness === "added").map(({ after }) => after);
  return { db, now, change, row, model, asked, kept: kept.filter((one) => one.mustCheck), uniques };
}

async function refuse({ db, change, uniques, now }: Work, conflicts: ChangeConflict[]): Promise<void> {
  await giveUp(db, change, { state: "refused", conflicts: JSON.stringify(conflicts), uniques, now });
}

/** Withdraws a change, however far it is. False if it has ended. */
export function withdrawModelChange(
  db: Database,
  change: ModelChangeRow,
  row: ModelRow,
  now: number,
): Promise<boolean> {
  const { uniques } = workOf(db, now, change, row);
  return giveUp(db, change, { state: "withdrawn", conflicts: "[]", uniques, now });
}

interface CheckedRecord {
  id: string;
  data: string;
  content: Content;
}

/**
 * Returns one conflict per field, which names the first records, and the number of records that were checked. It checks
 * fewer than it is given if their patterns take as many steps as a slice may.
 */
function conflictsIn(
  { change, model, kept }: Work,
  records: readonly CheckedRecord[],
): { conflicts: ChangeConflict[]; looked: number } {
  const found = new Map<KeptField, Map<string, string>>();
  const count = (taken: number): void => workTurns.note(change.spaceId, taken);
  let steps = 0;
  let looked = 0;
  for (const { id, data, content } of records) {
    if (steps > PATTERN.sliceStepsMax) break;
    const budget = new StepBudget(PATTERN.stepsMax, count);
    for (const { field, message } of misfitsOf(model, kept, content, data, budget)) {
      const named = found.get(field) ?? new Map<string, string>();
      if (!named.has(id)) found.set(field, named.set(id, message));
    }
    steps += budget.spent;
    looked += 1;
  }
  const conflicts = [...found].map(([{ before }, named]) => {
    const first = [...named].slice(0, CONTENT.namedMisfitsMax);
    const list = first.map(([id, message]) => `the value in record ${id} ${message}`).join(", ");
    return { path: before.name, message: `does not fit: ${list}`, records: named.size };
  });
  return { conflicts, looked };
}

const duplicatesIn = ({ uniques }: Work, found: readonly Duplicate[]): ChangeConflict[] =>
  uniques.flatMap(({ name, no }) => {
    const pairs = found.filter((one) => one.no === no);
    const list = pairs.map(({ id, other }) => `record ${id} has the value of record ${other}`).join(", ");
    const message = `cannot become unique: ${list}`;
    return pairs.length === 0 ? [] : [{ path: name, message, records: pairs.length }];
  });

/** Moves the change on and writes a slice. If a value of the slice is in another record too, the change is refused. */
async function moveOn(work: Work, to: Place & { checked: number }, slice: Slice | null): Promise<void> {
  const { db, change, model, uniques } = work;
  try {
    await advance(db, change, to, slice && { uniques, slice });
  } catch (error) {
    if (!slice || !isUniqueViolation(error)) throw error;
    const found = await firstDuplicates(db, model, uniques, slice);
    // If there are none, the other record has changed since, and the slice is done again.
    if (found.length > 0) await refuse(work, duplicatesIn(work, found));
  }
}

async function checkSlice(work: Work, content: Content): Promise<void> {
  const { db, change, model } = work;
  const { phase, afterId } = change;
  const modelNumber = rowsOf(model, content);
  const read = await readDataAfter(db, modelNumber, afterId);
  await workTurns.take(change.spaceId);
  const { conflicts, looked } = conflictsIn(
    work,
    read.map((one) => ({ ...one, content })),
  );
  if (conflicts.length > 0) return refuse(work, conflicts);
  const last = read[looked - 1];
  if (!last) {
    const next = content === "draft" ? PHASE.published : PHASE.touched;
    return moveOn(work, { phase: next, afterId: "", checked: change.checked }, null);
  }
  const to = { phase, afterId: last.id, checked: change.checked + looked };
  return moveOn(work, to, { kind: "range", modelNumber, afterId, lastId: last.id });
}

/** Checks records that were written meanwhile. False if none are left. */
async function checkTouched(work: Work): Promise<boolean> {
  const { db, change, model } = work;
  const read = await readTouched(db, model.id);
  if (read.length === 0) return false;
  const there = read.flatMap(({ id, data, record, no }): (CheckedRecord & { no: number })[] => {
    const content = model.drafts && record > 0 ? "draft" : "published";
    return id === null || data === null ? [] : [{ id, data, content, no }];
  });
  await workTurns.take(change.spaceId);
  const { conflicts, looked } = conflictsIn(work, there);
  const firstLeft = there[looked]?.no ?? Infinity;
  const touched = read.filter(({ no }) => no < firstLeft);
  if (conflicts.length > 0) await refuse(work, conflicts);
  else {
    const { phase, afterId, checked } = change;
    const to = { phase, afterId, checked: checked + touched.length };
    const ids = there.slice(0, looked).map(({ id }) => id);
    await moveOn(work, to, { kind: "touched", touched, ids });
  }
  return true;
}

/** Makes the change itself. A conflict other than values that do not fit ends it. */
async function finish(work: Work): Promise<void> {
  const { db, change, row, asked, now } = work;
  const space = await readSpaceById(db, change.spaceId);
  if (!space) return forgetModelChange(db, change);
  const writing = { db, space, now, versions: null };
  try {
    const planned = await planModelChange(writing, row, asked, true);
    if (planned.conflicts.length > 0) await refuse(work, planned.conflicts);
    // If it is not written, a record changed meanwhile, and the next slice checks it.
    else await writeModelChange(writing, planned, change);
  } catch (error) {
    // A change is not refused because the isolate is busy: the next minute tries again.
    if (!(error instanceof ApiError) || error.status >= 500 || error.code === "RATE_LIMITED") throw error;
    const details = error.details ?? [{ path: "fields", message: error.message }];
    const conflicts = details.map(({ path, message }) => ({ path, message, records: 0 }));
    await refuse(work, conflicts);
  }
}

/** Does one slice of a change, or removes a slice of the rows that it has left. */
export async function takeSlice(db: Database, change: ModelChangeRow, now: number): Promise<void> {
  if (change.state !== "working") return removeLeftUniques(db, change, SWEEP.indexRowsPerBatch);
  const row = await readModelById(db, change.modelId);
  if (!row) return forgetModelChange(db, change);
  const work = workOf(db, now, change, row);
  if (row.version !== change.version) {
    const message = "is another one now: the model was changed meanwhile. Ask for this change again";
    return refuse(work, [{ path: "version", message, records: 0 }]);
  }
  if (change.phase === PHASE.records) return checkSlice(work, row.drafts ? "draft" : "published");
  if (change.phase === PHASE.published) return checkSlice(work, "published");
  if (!(await checkTouched(work))) await finish(work);
}
