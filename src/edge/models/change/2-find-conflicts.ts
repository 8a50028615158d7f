/** Finds the conflicts of a change of a model's fields with the model's records, before the change and all at once. */
import { CONTENT, PATTERN } from "../../../limits.ts";
import type { Database } from "../../storage/database/database.ts";
import { countUnpublished } from "../../storage/models/switch-drafts.ts";
import { CONTENTS, isReservedWithDrafts, rowsOf, type Content } from "../../../content/model/publication.ts";
import {
  countDuplicates,
  countHeld,
  countRecords,
  readDataAfter,
} from "../../storage/models/model-values.ts";
import type { Json } from "../../../content/field-types/field-type.ts";
import { defaultOf, isEmptyValue, isList, isUnique } from "../../../content/field-types/fields.ts";
import { rowFormOf } from "../../../content/field-types/index-rows.ts";
import type { Field } from "../../../content/field-types/registry.ts";
import { checkValue } from "../../../content/field-types/values.ts";
import { mustBeEmpty, type ModelChange } from "./1-compare-fields.ts";
import type { KeptField } from "../../../content/model/kept-field.ts";
import { valuesOf, type Model } from "../../../content/model/model.ts";
import type { StepBudget } from "../../../content/patterns/step-budget.ts";
import { budgetOf, takePatternTurn } from "../../spaces/pattern-turns.ts";

export interface ChangeConflict {
  /** The field's present name; the new one of an added field. */
  path: string;
  message: string;
  /** The number of records with the conflict, as far as they were counted. */
  records: number;
}

const counted = (records: number): string => (records === 1 ? "1 record" : `${records} records`);

/** Returns whether records must hold a value of a field. A page is made of defaults, so it may lack required values. */
const mustHave = (model: Model, field: Field): boolean =>
  field.required === true && model.typeModel === "collections";

const isLacking = (model: Model, field: Field): boolean =>
  mustHave(model, field) && isEmptyValue(field, defaultOf(field));
const isSameForAll = (field: Field): boolean => isUnique(field) && !isEmptyValue(field, defaultOf(field));

/** Returns whether a change depends on the records, which may then not change between check and write. */
export const dependsOnRecords = (model: Model, { kept, added }: ModelChange): boolean =>
  kept.some(({ mustCheck }) => mustCheck) ||
  added.some((field) => isLacking(model, field) || isSameForAll(field));

interface Counts {
  records: number;
  /** The records that must hold required values: with drafts, the published ones. */
  published: number;
}

function addedConflicts(
  model: Model,
  added: readonly Field[],
  { records, published }: Counts,
): ChangeConflict[] {
  if (records === 0) return [];
  return added.flatMap((field) => {
    const what = model.drafts ? "published" : "there";
    const message =
      isLacking(model, field) && published > 0
        ? `is required and has no default, and ${published === 1 ? "1 record is" : `${published} records are`} ${what}; give it a default`
        : isSameForAll(field)
          ? `is unique, and its default would be the value of all ${counted(records)}`
          : null;
    return message === null ? [] : [{ path: field.name, message, records }];
  });
}

function misfitOf(field: KeptField, value: Json, mustHaveIt: boolean, budget: StepBudget): string | null {
  if (isEmptyValue(field.before, value)) return mustHaveIt ? "is missing" : null;
  if (mustBeEmpty(field)) return "refers to something else";
  const checked = checkValue(field.after, value, budget);
  if (!checked.ok) return checked.message;
  return JSON.stringify(checked.value) === JSON.stringify(value) ? null : "would have to be converted";
}

/** Reads the data of all records under one of the model's numbers, batch by batch. */
async function* allData(db: Database, modelNumber: number): AsyncGenerator<{ id: string; data: string }> {
  let afterId = "";
  for (;;) {
    const batch = await readDataAfter(db, modelNumber, afterId);
    yield* batch;
    const last = batch.at(-1);
    if (!last) return;
    afterId = last.id;
  }
}

export interface Misfit {
  field: KeptField;
  message: string;
}

/**
 * Returns the values of one record that would not fit. A published record must also hold the required values.
 * @param budget of this record alone, so that the patterns of other records cannot make it a misfit
 */
export function misfitsOf(
  model: Model,
  kept: readonly KeptField[],
  content: Content,
  data: string,
  budget: StepBudget,
): Misfit[] {
  const values = valuesOf(model, data);
  return kept.flatMap((field) => {
    const mustHaveIt = content === "published" && mustHave(model, field.after);
    const message = misfitOf(field, values.get(field.before.no) ?? null, mustHaveIt, budget);
    return message === null ? [] : [{ field, message }];
  });
}

/** The result of a check of the records. */
interface CheckResult {
  conflicts: ChangeConflict[];
  /** False if the patterns took as many steps as a request may, and records are left. */
  isComplete: boolean;
}

/** Finds the values that would not fit, in all records. */
async function misfits(db: Database, spaceId: string, model: Model, kept: KeptField[]): Promise<CheckResult> {
  const found = new Map<KeptField, { ids: Set<string>; id: string; message: string }>();
  const conflicts = (): ChangeConflict[] =>
    [...found].map(([{ before }, { ids, id, message }]) => ({
      path: before.name,
      message: `does not fit ${counted(ids.size)}: the value in record ${id} ${message}`,
      records: ids.size,
    }));
  let steps = 0;
  for (const content of model.drafts ? CONTENTS : (["published"] as const)) {
    for await (const { id, data } of allData(db, rowsOf(model, content))) {
      if (steps > PATTERN.stepsMax) return { conflicts: conflicts(), isComplete: false };
      await takePatternTurn(
        spaceId,
        kept.map(({ after }) => after),
      );
      const budget = budgetOf(spaceId);
      for (const { field, message } of misfitsOf(model, kept, content, data, budget)) {
        const known = found.get(field);
        if (known) known.ids.add(id);
        else found.set(field, { ids: new Set([id]), id, message });
      }
      steps += budget.spent;
    }
  }
  return { conflicts: conflicts(), isComplete: true };
}

async function keptConflicts(
  db: Database,
  spaceId: string,
  model: Model,
  kept: KeptField[],
): Promise<CheckResult> {
  const unique = kept.filter(({ uniqueness }) => uniqueness === "added").map(({ after }) => after);
  const doubles = unique.length > 0 ? await countDuplicates(db, model, unique) : new Map<number, number>();
  const duplicates = unique.flatMap(({ name, no }) => {
    const records = doubles.get(no) ?? 0;
    const message = `cannot become unique: ${records} of its values are in more than one record`;
    return records > 0 ? [{ path: name, message, records }] : [];
  });
  const toCheck = kept.filter(({ mustCheck }) => mustCheck);
  if (toCheck.length === 0) return { conflicts: duplicates, isComplete: true };
  const { conflicts, isComplete } = await misfits(db, spaceId, model, toCheck);
  return { conflicts: [...conflicts, ...duplicates], isComplete };
}

/** Finds the conflicts of switching drafts on or off. */
export async function switchConflicts(
  db: Database,
  model: Model,
  fields: readonly Field[],
): Promise<ChangeConflict[]> {
  if (!model.drafts) {
    const message = "is reserved in a model with drafts; rename the field first";
    return fields
      .filter(({ name }) => isReservedWithDrafts(name))
      .map(({ name }) => ({ path: name, message, records: 0 }));
  }
  const records = await countUnpublished(db, model.id);
  if (records === 0) return [];
  const has = records === 1 ? "1 record has a draft that is" : `${records} records have drafts that are`;
  const message = `cannot be switched off: ${has} not published, in the trash perhaps; publish or remove them first`;
  return [{ path: "drafts", message, records }];
}

/** The meaning of a change for the records of its model. */
export interface Outlook {
  conflicts: ChangeConflict[];
  /** The number of records of the model, trashed ones included. */
  records: number;
  /** Whether the records are too many, or take too long, for one request. The change is then made in the background. */
  isLarge: boolean;
}

/** Returns whether every record would have to be written or indexed at once. */
const cannotBeSliced = ({ before, after }: KeptField): boolean =>
  isList(before) !== isList(after) ||
  (rowFormOf(before) === "presence") !== (rowFormOf(after) === "presence");

/** Finds all conflicts of a change. @param isChecked whether the values of the records were checked before */
export async function conflictsOf(
  db: Database,
  spaceId: string,
  model: Model,
  change: ModelChange,
  isChecked = false,
): Promise<Outlook> {
  const max = CONTENT.checkedRecordsMax;
  const records = await countRecords(db, model.id, max + 1);
  const published = model.drafts ? await countRecords(db, -model.id, max + 1) : records;
  const held =
    change.mustBeUnused.length > 0
      ? await countHeld(db, spaceId, model, change.mustBeUnused)
      : new Map<number, number>();
  const conflicts: ChangeConflict[] = change.mustBeUnused.flatMap(({ name, no }) => {
    const holding = held.get(no) ?? 0;
    const message = `would be removed, and ${counted(holding)} ${holding === 1 ? "holds" : "hold"} values; name it in "drop" to lose them, or in "rename"`;
    return holding > 0 ? [{ path: name, message, records: holding }] : [];
  });
  conflicts.push(...addedConflicts(model, change.added, { records, published }));
  if (isChecked) return { conflicts, records, isLarge: false };
  const looked = change.kept.filter((f) => f.mustCheck || f.mustReindex || f.uniqueness === "added");
  if (records <= max || looked.length === 0) {
    const found = await keptConflicts(db, spaceId, model, looked);
    conflicts.push(...found.conflicts);
    if (found.isComplete || conflicts.length > 0) return { conflicts, records, isLarge: false };
  }
  const shape = "cannot become a list, a single value or json, or cease to be it";
  const message =
    records > max
      ? `${shape}: over ${max} records would have to be written. Add a new field instead and move the values`
      : `${shape}, in one change with patterns that take so long: change it by itself`;
  const refused = looked.filter(cannotBeSliced);
  conflicts.push(...refused.map(({ before }) => ({ path: before.name, message, records })));
  return { conflicts, records, isLarge: true };
}
