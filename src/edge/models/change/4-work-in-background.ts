/**
 * A model's change that has more records to look at than a request has time for (RULES 3.2), slice by slice: the
 * records, their published contents, what was written meanwhile, then the change itself in one batch. Each slice moves
 * the change on in its own batch, so that a crash repeats one slice at most. Reads and writes go on under the model as it
 * is; the first slice with a value that does not fit ends it.
 */
import { sql, type SQL } from "drizzle-orm";
import { ApiError } from "../../../errors.ts";
import type { StoredField } from "../../../content/field-types/fields.ts";
import type { KeptField } from "../../../content/model/kept-field.ts";
import { modelOf, type Model } from "../../../content/model/model.ts";
import { rowsOf, type Content } from "../../../content/model/publication.ts";
import { CONTENT, PATTERN, SWEEP } from "../../../limits.ts";
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
  settleTouched,
  uniquesOfSlice,
  type Duplicate,
  type ModelChangeRow,
  type Place,
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
  /** Fields whose values have to fit, and those that become unique. */
  kept: KeptField[];
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

/** Takes a change back, whatever it has come to. False when it has ended. */
export function withdrawModelChange(
  db: Database,
  change: ModelChangeRow,
  row: ModelRow,
  now: number,
): Promise<boolean> {
  const { uniques } = workOf(db, now, change, row);
  return giveUp(db, change, { state: "withdrawn", conflicts: "[]", uniques, now });
}

interface Looked {
  id: string;
  data: string;
  content: Content;
}

/**
 * One conflict per field, naming the first records, and the number of records that were looked at: fewer than there
 * are if their patterns take as many steps as a slice may.
 */
function conflictsIn(
  { model, kept }: Work,
  records: readonly Looked[],
): { conflicts: ChangeConflict[]; looked: number } {
  const found = new Map<KeptField, Map<string, string>>();
  let steps = 0;
  let looked = 0;
  for (const { id, data, content } of records) {
    if (steps > PATTERN.stepsMax) break;
    const budget = new StepBudget();
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

/** Writes a slice. Where `records` of it have values that others have, too, the change is refused. */
async function moveOn(
  work: Work,
  to: Place & { checked: number },
  statements: SQL[],
  records: SQL,
): Promise<void> {
  const { db, change, model, uniques } = work;
  try {
    await advance(db, change, to, statements);
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const found = await firstDuplicates(db, model, uniques, records);
    // None: what stood in the way has changed since, and the slice is made again.
    if (found.length > 0) await refuse(work, duplicatesIn(work, found));
  }
}

async function checkSlice(work: Work, content: Content): Promise<void> {
  const { db, change, model, uniques } = work;
  const { phase, afterId } = change;
  const modelNumber = rowsOf(model, content);
  const read = await readDataAfter(db, modelNumber, afterId);
  const { conflicts, looked } = conflictsIn(
    work,
    read.map((one) => ({ ...one, content })),
  );
  if (conflicts.length > 0) return refuse(work, conflicts);
  const last = read[looked - 1];
  if (!last) {
    const next = content === "draft" ? PHASE.published : PHASE.touched;
    return moveOn(work, { phase: next, afterId: "", checked: change.checked }, [], sql`0`);
  }
  const to = { phase, afterId: last.id, checked: change.checked + looked };
  const statements = uniquesOfSlice(modelNumber, uniques, { afterId, lastId: last.id });
  return moveOn(work, to, statements, sql`r.id > ${afterId} AND r.id <= ${last.id}`);
}

/** False when there is nothing left to look at. */
async function checkTouched(work: Work): Promise<boolean> {
  const { db, change, model, uniques } = work;
  const read = await readTouched(db, model.id);
  if (read.length === 0) return false;
  const there = read.flatMap(({ id, data, record, no }): (Looked & { no: number })[] => {
    const content = model.drafts && record > 0 ? "draft" : "published";
    return id === null || data === null ? [] : [{ id, data, content, no }];
  });
  const { conflicts, looked } = conflictsIn(work, there);
  const firstLeft = there[looked]?.no ?? Infinity;
  const touched = read.filter(({ no }) => no < firstLeft);
  if (conflicts.length > 0) await refuse(work, conflicts);
  else {
    const { phase, afterId, checked } = change;
    const to = { phase, afterId, checked: checked + touched.length };
    const ids = JSON.stringify(there.slice(0, looked).map(({ id }) => id));
    const statements = settleTouched(model.id, touched, uniques);
    await moveOn(work, to, statements, sql`r.id IN (SELECT value FROM json_each(${ids}))`);
  }
  return true;
}

/** The change itself. What stands against it now, beside values, ends it. */
async function finish(work: Work): Promise<void> {
  const { db, change, row, asked, now } = work;
  const space = await readSpaceById(db, change.spaceId);
  if (!space) return forgetModelChange(db, change);
  const writing = { db, space, now, versions: null };
  try {
    const planned = await planModelChange(writing, row, asked, true);
    if (planned.conflicts.length > 0) await refuse(work, planned.conflicts);
    // Not written: something was changed meanwhile, and the next slice looks at it.
    else await writeModelChange(writing, planned, change);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    const details = error.details ?? [{ path: "fields", message: error.message }];
    const conflicts = details.map(({ path, message }) => ({ path, message, records: 0 }));
    await refuse(work, conflicts);
  }
}

/** Does one slice of a change, or of what it has left. */
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
