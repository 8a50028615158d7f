/** What the records of a model have against a change of its fields: looked at before it, told all at once. */
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
import {
  defaultOf,
  isEmptyValue,
  isMultiple,
  isUnique,
  type Field,
  type Json,
} from "../../../content/field-types/fields.ts";
import { mustBeEmpty, type ModelChange } from "./1-compare-fields.ts";
import type { KeptField } from "../../../content/model/kept-field.ts";
import { valuesOf, type Model } from "../../../content/model/model.ts";
import { StepBudget } from "../../../content/patterns/step-budget.ts";
import { checkValue } from "../../../content/field-types/values.ts";

export interface ChangeConflict {
  /** The field's present name; the new one of an added field. */
  path: string;
  message: string;
  /** How many records it concerns, as far as they were counted. */
  records: number;
}

const counted = (records: number): string => (records === 1 ? "1 record" : `${records} records`);

/** A page is made with what defaults there are, so what it lacks stands in no one's way. */
const mustHave = (model: Model, field: Field): boolean =>
  field.required === true && model.typeModel === "collections";

const isLacking = (model: Model, field: Field): boolean =>
  mustHave(model, field) && isEmptyValue(field, defaultOf(field));
const isSameForAll = (field: Field): boolean => isUnique(field) && !isEmptyValue(field, defaultOf(field));

/** Whether the change depends on what records there are: then they may not change between look and write. */
export const dependsOnRecords = (model: Model, { kept, added }: ModelChange): boolean =>
  kept.some(({ mustCheck }) => mustCheck) ||
  added.some((field) => isLacking(model, field) || isSameForAll(field));

interface Counts {
  records: number;
  /** Those that must hold what is required: with drafts, the published ones. */
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

/** Data of all records, batch by batch, under one of the model's numbers. */
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
 * Values of one record that would not fit. Of what is published, what is required must be there too.
 * @param budget of the record alone: a record that fits is never a misfit for the sake of others
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

/** The findings of a look at the records. */
interface Looked {
  conflicts: ChangeConflict[];
  /** False if the patterns took as many steps as a request may, and records are left. */
  isComplete: boolean;
}

/** Every value of the fields that may not fit any more. */
async function misfits(db: Database, model: Model, kept: KeptField[]): Promise<Looked> {
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
      const budget = new StepBudget();
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

async function keptConflicts(db: Database, model: Model, kept: KeptField[]): Promise<Looked> {
  const unique = kept.filter(({ uniqueness }) => uniqueness === "added").map(({ after }) => after);
  const doubles = unique.length > 0 ? await countDuplicates(db, model, unique) : new Map<number, number>();
  const duplicates = unique.flatMap(({ name, no }) => {
    const records = doubles.get(no) ?? 0;
    const message = `cannot become unique: ${records} of its values are in more than one record`;
    return records > 0 ? [{ path: name, message, records }] : [];
  });
  const toCheck = kept.filter(({ mustCheck }) => mustCheck);
  if (toCheck.length === 0) return { conflicts: duplicates, isComplete: true };
  const { conflicts, isComplete } = await misfits(db, model, toCheck);
  return { conflicts: [...conflicts, ...duplicates], isComplete };
}

/** What stands against switching drafts on, or off. */
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

/** What a change means for the records there are. */
export interface Outlook {
  conflicts: ChangeConflict[];
  /** Of the model, trashed ones included. */
  records: number;
  /** They are too many, or take too long, to look at them in one request: it is to be done in the background. */
  isLarge: boolean;
}

/** Fields of which every record would have to be written, or indexed, at once. */
const cannotBeSliced = ({ before, after }: KeptField): boolean =>
  isMultiple(before) !== isMultiple(after) || (before.type === "json") !== (after.type === "json");

/** All that stands against a change. `isChecked`: the values of the records were looked at before. */
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
    const found = await keptConflicts(db, model, looked);
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
