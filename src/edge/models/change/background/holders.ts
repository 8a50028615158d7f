/** Checks the records of the models that hold a component that is changed, slice by slice. */
import { DEFAULT_NUMBER } from "../../../../content/locales/numbers.ts";
import { hasLocalized } from "../../../../content/model/localized-model.ts";
import { modelOf, type Model } from "../../../../content/model/model.ts";
import { StepBudget } from "../../../../content/patterns/step-budget.ts";
import { CONTENT, PATTERN } from "../../../../limits.ts";
import { workTurns } from "../../../spaces/work-turns.ts";
import { PHASE, readModelById } from "../../../storage/models/background-changes.ts";
import { readTouched } from "../../../storage/models/background-slices.ts";
import { numbersOf } from "../../../storage/models/holders.ts";
import { readDataAfter } from "../../../storage/models/model-values.ts";
import { FoundMisfits, misfitsInRecord } from "../component-records.ts";
import type { ChangeConflict } from "../conflicts.ts";
import { contentUnder, placeText, readSidesFrom, withSides, type CheckedRecord } from "./sides.ts";
import { moveOn, refuse, type Work } from "./work.ts";

/** A record of a model that holds the component that is changed. */
interface HeldRecord extends CheckedRecord {
  holder: Model;
}

/** Does the same as `conflictsIn` for the objects of a component. */
function componentConflictsIn(
  { change, model, whole }: Work,
  records: readonly HeldRecord[],
): { conflicts: ChangeConflict[]; looked: number } {
  const found = new FoundMisfits();
  const count = (taken: number): void => workTurns.note(change.spaceId, taken);
  let steps = 0;
  let looked = 0;
  for (const { id, holder, isSame, ...record } of records) {
    if (steps > PATTERN.sliceStepsMax && isSame !== true) break;
    const budget = new StepBudget(PATTERN.stepsMax, count);
    const component = { id: model.id, change: whole };
    for (const misfit of misfitsInRecord(holder, component, record, budget)) found.add(id, misfit);
    steps += budget.spent;
    looked += 1;
  }
  return { conflicts: found.conflicts(CONTENT.namedMisfitsMax), looked };
}

/** Returns the model of records that are stored under a number; null if it is gone or holds no component any more. */
async function holderOf({ db }: Work, modelNumber: number): Promise<Model | null> {
  const row = await readModelById(db, Math.abs(modelNumber));
  return row && modelOf(row);
}

/** Checks records of the models that hold a component, in the order of the models' numbers and the records' ids. */
export async function checkHeldSlice(work: Work): Promise<void> {
  const { db, change } = work;
  const numbers = numbersOf(JSON.parse(change.holders) as number[]);
  const [place = "", afterId = ""] = change.afterId.split(":");
  const at = Number(place);
  const modelNumber = numbers[at];
  const { checked } = change;
  if (modelNumber === undefined) return moveOn(work, { phase: PHASE.touched, afterId: "", checked }, null);
  const holder = await holderOf(work, modelNumber);
  const read = holder ? await readDataAfter(db, modelNumber, afterId, CONTENT.checkedRecordsBatch) : [];
  const last = read.at(-1);
  if (holder && !last && hasLocalized(holder))
    return moveOn(work, { phase: PHASE.sides, afterId: `${at}:`, checked }, null);
  if (!holder || !last) return moveOn(work, { phase: PHASE.records, afterId: `${at + 1}:`, checked }, null);
  await workTurns.take(change.spaceId);
  const content = contentUnder(holder, modelNumber);
  const { conflicts, looked } = componentConflictsIn(
    work,
    read.map((one) => ({ ...one, content, holder, locale: DEFAULT_NUMBER })),
  );
  if (conflicts.length > 0) return refuse(work, conflicts);
  const next = `${at}:${read[looked - 1]?.id ?? last.id}`;
  return moveOn(work, { phase: PHASE.records, afterId: next, checked: checked + looked }, null);
}

/** Checks the contents of holders' records in other locales than the default. Then come the records of the next model. */
export async function checkHeldSides(work: Work): Promise<void> {
  const { change } = work;
  const numbers = numbersOf(JSON.parse(change.holders) as number[]);
  const [at = "", place = ""] = change.afterId.split(":");
  const modelNumber = numbers[Number(at)] ?? 0;
  const holder = await holderOf(work, modelNumber);
  const read = holder ? await readSidesFrom(work, modelNumber, place) : [];
  const { checked } = change;
  if (!holder || read.length === 0)
    return moveOn(work, { phase: PHASE.records, afterId: `${Number(at) + 1}:`, checked }, null);
  await workTurns.take(change.spaceId);
  const content = contentUnder(holder, modelNumber);
  const { conflicts, looked } = componentConflictsIn(
    work,
    read.map((one) => ({ ...one, content, holder })),
  );
  if (conflicts.length > 0) return refuse(work, conflicts);
  const last = read[looked - 1];
  const afterId = last ? `${Number(at)}:${placeText(last)}` : change.afterId;
  return moveOn(work, { phase: PHASE.sides, afterId, checked }, null);
}

/** Checks records that were written meanwhile. False if none are left. */
export async function checkTouchedHolders(work: Work): Promise<boolean> {
  const { db, change, model } = work;
  const read = await readTouched(db, model.id, CONTENT.checkedRecordsBatch);
  if (read.length === 0) return false;
  const holders = new Map<number, Model | null>();
  const written: (Omit<HeldRecord, "locale"> & { no: number; record: number; isAsked: boolean })[] = [];
  for (const { no, record, id, data, modelNumber } of read) {
    if (id === null || data === null || modelNumber === null) continue;
    const known = holders.get(modelNumber);
    const holder = known === undefined ? await holderOf(work, modelNumber) : known;
    holders.set(modelNumber, holder);
    if (!holder) continue;
    const content = contentUnder(holder, modelNumber);
    written.push({ no, record, id, data, holder, content, isAsked: hasLocalized(holder) });
  }
  const there = await withSides(work, written);
  await workTurns.take(change.spaceId);
  const { conflicts, looked } = componentConflictsIn(work, there);
  const firstLeft = there[looked]?.no ?? Infinity;
  const touched = read.filter(({ no }) => no < firstLeft);
  const to = { phase: change.phase, afterId: change.afterId, checked: change.checked + touched.length };
  if (conflicts.length > 0) await refuse(work, conflicts);
  else await moveOn(work, to, { kind: "touched", touched, ids: [] });
  return true;
}
