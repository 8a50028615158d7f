/** A change that is made in the background: its parts, its phases, and how a slice moves it on. */
import type { StoredField } from "../../../../content/field-types/fields.ts";
import type { Field } from "../../../../content/field-types/registry.ts";
import { isLocalized } from "../../../../content/model/localized-model.ts";
import type { KeptField } from "../../../../content/model/kept-field.ts";
import { modelOf, type Model } from "../../../../content/model/model.ts";
import { fieldOfNumber } from "../../../../content/locales/numbers.ts";
import { CONTENT, LOCALES, SLICE } from "../../../../limits.ts";
import { isUniqueViolation, type Database } from "../../../storage/database/database.ts";
import type { ModelRow } from "../../../storage/spaces/entries.ts";
import {
  advance,
  giveUp,
  PHASE,
  type ModelChangeRow,
  type Place,
} from "../../../storage/models/background-changes.ts";
import {
  firstDuplicates,
  forgetPublishing,
  writeUniques,
  type Duplicate,
  type Slice,
} from "../../../storage/models/background-slices.ts";
import { isOneOf, recordsForRows } from "../../../storage/models/record-slices.ts";
import { publishRecords } from "../../../storage/models/switch-drafts.ts";
import { planChange, type ChangeRequest, type ModelChange } from "../1-compare-fields.ts";
import { conflictViews, type ChangeConflict } from "../conflicts.ts";
import { staysLocalized } from "../misfits.ts";
import type { StoredRequest } from "../3-plan-change.ts";

/** A change with what its slices need. */
export interface Work {
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
  /** The change as a whole, for a component. */
  whole: ModelChange;
  /** The new fields, and their numbers, once these are reserved. */
  added: Field[];
  reserved: StoredField[] | null;
  /** Whether the model gets drafts. */
  isToPublish: boolean;
}

export const storedRequest = ({ asked }: ModelChangeRow): StoredRequest => JSON.parse(asked) as StoredRequest;

export function requestOf(change: ModelChangeRow): ChangeRequest {
  const { fields, drop, rename, options } = storedRequest(change);
  return { fields, drop, rename: new Map(rename), options, faults: [] };
}

export function workOf(db: Database, now: number, change: ModelChangeRow, row: ModelRow): Work {
  const model = modelOf(row);
  const asked = requestOf(change);
  const whole = planChange(model.fields, asked);
  const { kept, added } = whole;
  const uniques = kept.filter(({ uniqueness }) => uniqueness === "added").map(({ after }) => after);
  const isToPublish = asked.options.drafts === true && !row.drafts;
  const reserved = storedRequest(change).reserved ?? null;
  const mustFit = kept.filter((one) => one.mustCheck);
  return { db, now, change, row, model, asked, kept: mustFit, uniques, whole, added, reserved, isToPublish };
}

/** Returns the records of a slice, whose unique values and published contents are written by its batch. */
export const sliceLimit = ({ uniques, isToPublish, model }: Work): number => {
  const localized = uniques.filter(isLocalized).length * LOCALES.perSpaceMax;
  const rows = recordsForRows(isToPublish ? model.fields.length : uniques.length + localized);
  return Math.min(CONTENT.checkedRecordsBatch, rows, isToPublish ? SLICE.records : Infinity);
};

export async function refuse({ db, change, uniques, now }: Work, conflicts: ChangeConflict[]): Promise<void> {
  await giveUp(db, change, {
    state: "refused",
    conflicts: JSON.stringify(conflictViews(conflicts)),
    uniques,
    now,
  });
}

const duplicatesIn = ({ uniques }: Work, found: readonly Duplicate[]): ChangeConflict[] =>
  uniques.flatMap(({ name, no }) => {
    const pairs = found.filter((one) => fieldOfNumber(one.no) === no);
    const list = pairs.map(({ id, other }) => `record ${id} has the value of record ${other}`).join(", ");
    const message = `cannot become unique: ${list}`;
    return pairs.length === 0 ? [] : [{ path: name, message, records: pairs.length }];
  });

/** Moves the change on and writes a slice. If a value of the slice is in another record too, the change is refused. */
export async function moveOn(
  work: Work,
  to: Place & { checked: number },
  slice: Slice | null,
): Promise<void> {
  const { db, change, model, uniques } = work;
  try {
    await advance(
      db,
      change,
      to,
      slice ? [...writeUniques(change, uniques, slice), ...publish(work, slice)] : [],
    );
  } catch (error) {
    if (!slice || !isUniqueViolation(error)) throw error;
    const found = await firstDuplicates(db, model, uniques, slice);
    // If there are none, the other record has changed since, and the slice is done again.
    if (found.length > 0) await refuse(work, duplicatesIn(work, found));
  }
}

/** Returns the statements that publish anew the records that were written after they had been published. */
function publish({ model, now, isToPublish }: Work, slice: Slice): ReturnType<typeof publishRecords> {
  if (!isToPublish || slice.kind !== "touched") return [];
  return [...publishRecords(model, isOneOf(slice.ids), now), forgetPublishing(model.id)];
}

/** Returns the phase that follows. Those in which the change has nothing to do are left out. */
export function phaseAfter({ kept, added, isToPublish }: Work, phase: number): number {
  if (phase < PHASE.published) return PHASE.published;
  if (phase === PHASE.published && kept.some(staysLocalized)) return PHASE.sides;
  if ((phase === PHASE.published || phase === PHASE.sides) && isToPublish) return PHASE.drafts;
  if (phase !== PHASE.added && added.length > 0) return PHASE.added;
  return PHASE.touched;
}

/** Moves the change on to the next phase. */
export const endPhase = ({ change }: Work, phase: number): Place & { checked: number } => ({
  phase,
  afterId: "",
  checked: change.checked,
});

/** Returns whether the records themselves are looked at: not if fields are only added, or drafts switched on. */
export const isChecking = ({ kept, uniques }: Work): boolean => kept.length > 0 || uniques.length > 0;

/** Moves the change past a range of records. They count as checked if no phase before has counted them. */
export const passed = (work: Work, { lastId, records }: { lastId: string; records: number }) => ({
  ...work.change,
  afterId: lastId,
  checked:
    work.change.checked +
    (isChecking(work) || (work.isToPublish && work.change.phase === PHASE.added) ? 0 : records),
});
