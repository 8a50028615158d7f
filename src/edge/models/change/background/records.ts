/** Checks the records of a model that is changed, slice by slice. */
import { type Content, rowsOf } from "../../../../content/model/publication.ts";
import type { KeptField } from "../../../../content/model/kept-field.ts";
import { DEFAULT_NUMBER } from "../../../../content/locales/numbers.ts";
import { StepBudget } from "../../../../content/patterns/step-budget.ts";
import { CONTENT, PATTERN } from "../../../../limits.ts";
import { workTurns } from "../../../spaces/work-turns.ts";
import { PHASE } from "../../../storage/models/background-changes.ts";
import { readTouched } from "../../../storage/models/background-slices.ts";
import { readDataAfter } from "../../../storage/models/model-values.ts";
import { misfitsOf, staysLocalized } from "../misfits.ts";
import type { ChangeConflict } from "../conflicts.ts";
import { contentUnder, placeText, readSidesFrom, withSides, type CheckedRecord } from "./sides.ts";
import { endPhase, moveOn, phaseAfter, refuse, sliceLimit, type Work } from "./work.ts";

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
  for (const { id, isSame, ...one } of records) {
    if (steps > PATTERN.sliceStepsMax && isSame !== true) break;
    const budget = new StepBudget(PATTERN.stepsMax, count);
    for (const { field, message } of misfitsOf(model, kept, one, budget)) {
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

export async function checkSlice(work: Work, content: Content): Promise<void> {
  const { db, change, model } = work;
  const { phase, afterId } = change;
  const modelNumber = rowsOf(model, content);
  const read = await readDataAfter(db, modelNumber, afterId, sliceLimit(work));
  await workTurns.take(change.spaceId);
  const { conflicts, looked } = conflictsIn(
    work,
    read.map((one) => ({ ...one, content, locale: DEFAULT_NUMBER })),
  );
  if (conflicts.length > 0) return refuse(work, conflicts);
  const last = read[looked - 1];
  if (!last) {
    const next = content === "draft" ? PHASE.published : phaseAfter(work, PHASE.published);
    return moveOn(work, endPhase(work, next), null);
  }
  const to = { phase, afterId: last.id, checked: change.checked + looked };
  return moveOn(work, to, { kind: "range", modelNumber, afterId, lastId: last.id });
}

/** Checks the contents in other locales than the default: those of the records, then those of published contents. */
export async function checkSides(work: Work): Promise<void> {
  const { change, model } = work;
  const numbers = model.drafts ? [model.id, -model.id] : [model.id];
  const [at = "", place = ""] = change.afterId.split(":");
  const modelNumber = numbers[Number(at)];
  if (modelNumber === undefined) return moveOn(work, endPhase(work, phaseAfter(work, PHASE.sides)), null);
  const read = await readSidesFrom(work, modelNumber, place);
  await workTurns.take(change.spaceId);
  const content = contentUnder(model, modelNumber);
  const { conflicts, looked } = conflictsIn(
    work,
    read.map((one) => ({ ...one, content })),
  );
  if (conflicts.length > 0) return refuse(work, conflicts);
  const last = read[looked - 1];
  const afterId = last ? `${Number(at)}:${placeText(last)}` : `${Number(at) + 1}:`;
  return moveOn(work, { phase: PHASE.sides, afterId, checked: change.checked }, null);
}

/** Checks records that were written meanwhile. False if none are left. */
export async function checkTouched(work: Work): Promise<boolean> {
  const { db, change, model } = work;
  const read = await readTouched(db, model.id, sliceLimit(work));
  if (read.length === 0) return false;
  const isAsked = work.kept.some(staysLocalized);
  const written = read.flatMap(({ id, data, record, no }) => {
    const content: Content = model.drafts && record > 0 ? "draft" : "published";
    return id === null || data === null ? [] : [{ id, data, content, no, record, isAsked }];
  });
  const there = await withSides(work, written);
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
