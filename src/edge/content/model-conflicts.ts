/** What the records of a model have against a change of its fields: looked at before it, told all at once. */
import { CONTENT } from "../../limits.ts";
import type { Database } from "../storage/database.ts";
import { countDuplicates, countHeld, countRecords, readDataAfter } from "../storage/model-values.ts";
import { defaultOf, isEmptyValue, isUnique, type Field, type Json } from "../content-model/fields.ts";
import { mustBeEmpty, type ModelChange } from "./model-change.ts";
import type { KeptField } from "../content-model/kept-field.ts";
import { valuesOf, type Model } from "../content-model/model.ts";
import { checkValue } from "./values.ts";

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

function addedConflicts(model: Model, added: readonly Field[], records: number): ChangeConflict[] {
  if (records === 0) return [];
  return added.flatMap((field) => {
    const message = isLacking(model, field)
      ? `is required and has no default, and there are ${counted(records)}; give it a default`
      : isSameForAll(field)
        ? `is unique, and its default would be the value of all ${counted(records)}`
        : null;
    return message === null ? [] : [{ path: field.name, message, records }];
  });
}

function misfitOf(model: Model, field: KeptField, value: Json): string | null {
  if (isEmptyValue(field.before, value)) return mustHave(model, field.after) ? "is missing" : null;
  if (mustBeEmpty(field)) return "refers to something else";
  const checked = checkValue(field.after, value);
  if (!checked.ok) return checked.message;
  return JSON.stringify(checked.value) === JSON.stringify(value) ? null : "would have to be converted";
}

/** Every value of the fields that may not fit any more, batch by batch. */
async function misfits(db: Database, model: Model, kept: KeptField[]): Promise<ChangeConflict[]> {
  const found = new Map<KeptField, { records: number; id: string; message: string }>();
  let afterId = "";
  for (;;) {
    const batch = await readDataAfter(db, model.id, afterId);
    for (const { id, data } of batch) {
      const values = valuesOf(model, data);
      for (const field of kept) {
        const message = misfitOf(model, field, values.get(field.before.no) ?? null);
        if (message === null) continue;
        const known = found.get(field);
        if (known) known.records += 1;
        else found.set(field, { records: 1, id, message });
      }
    }
    const last = batch.at(-1);
    if (!last) break;
    afterId = last.id;
  }
  return [...found].map(([{ before }, { records, id, message }]) => ({
    path: before.name,
    message: `does not fit ${counted(records)}: the value in record ${id} ${message}`,
    records,
  }));
}

async function keptConflicts(db: Database, model: Model, kept: KeptField[]): Promise<ChangeConflict[]> {
  const unique = kept.filter(({ uniqueness }) => uniqueness === "added").map(({ after }) => after);
  const doubles = unique.length > 0 ? await countDuplicates(db, model.id, unique) : new Map<number, number>();
  const duplicates = unique.flatMap(({ name, no }) => {
    const records = doubles.get(no) ?? 0;
    const message = `cannot become unique: ${records} of its values are in more than one record`;
    return records > 0 ? [{ path: name, message, records }] : [];
  });
  const toCheck = kept.filter(({ mustCheck }) => mustCheck);
  return [...(toCheck.length > 0 ? await misfits(db, model, toCheck) : []), ...duplicates];
}

/** All that stands against a change, and how many records the model has, trashed ones included. */
export async function conflictsOf(
  db: Database,
  spaceId: string,
  model: Model,
  change: ModelChange,
): Promise<{ conflicts: ChangeConflict[]; records: number }> {
  const max = CONTENT.checkedRecordsMax;
  const records = await countRecords(db, model.id, max + 1);
  const held =
    change.mustBeUnused.length > 0
      ? await countHeld(db, spaceId, model.id, change.mustBeUnused)
      : new Map<number, number>();
  const conflicts: ChangeConflict[] = change.mustBeUnused.flatMap(({ name, no }) => {
    const holding = held.get(no) ?? 0;
    const message = `would be removed, and ${counted(holding)} ${holding === 1 ? "holds" : "hold"} values; name it in "drop" to lose them, or in "rename"`;
    return holding > 0 ? [{ path: name, message, records: holding }] : [];
  });
  conflicts.push(...addedConflicts(model, change.added, records));
  const looked = change.kept.filter((f) => f.mustCheck || f.mustReindex || f.uniqueness === "added");
  if (records > max && looked.length > 0) {
    const message =
      `cannot be retyped, tightened or made unique: over ${max} records would have to be looked at. ` +
      `Add a new field instead and move the values`;
    return {
      conflicts: [...conflicts, ...looked.map(({ before }) => ({ path: before.name, message, records }))],
      records,
    };
  }
  conflicts.push(...(await keptConflicts(db, model, looked)));
  return { conflicts, records };
}
