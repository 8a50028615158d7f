/** Finds the conflicts of a change of a model's fields with the model's records, before the change and all at once. */
import { CONTENT } from "../../../limits.ts";
import type { Database } from "../../storage/database/database.ts";
import { countUnpublished } from "../../storage/models/switch-drafts.ts";
import { isReservedWithDrafts } from "../../../content/model/publication.ts";
import {
  countDuplicates,
  countHeld,
  countHeldInLocales,
  countRecords,
  countSides,
} from "../../storage/models/model-values.ts";
import { defaultOf, isEmptyValue, isList, isUnique } from "../../../content/field-types/fields.ts";
import { rowFormOf } from "../../../content/field-types/index-rows.ts";
import type { Field } from "../../../content/field-types/registry.ts";
import type { ModelChange } from "./1-compare-fields.ts";
import type { KeptField } from "../../../content/model/kept-field.ts";
import type { Model } from "../../../content/model/model.ts";
import { codeOfNumber, NO_LOCALES, type SpaceLocales } from "../../../content/locales/locales.ts";
import { isLocalized } from "../../../content/model/localized-model.ts";
import { fieldOfNumber } from "../../../content/locales/numbers.ts";
import { counted, lossConflict, NAME_IT, type ChangeConflict } from "./conflicts.ts";
import { misfits, mustHave, staysLocalized, type CheckResult } from "./misfits.ts";

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

async function keptConflicts(
  db: Database,
  spaceId: string,
  model: Model,
  kept: KeptField[],
  { locales, isSpent }: { locales: SpaceLocales; isSpent: () => boolean },
): Promise<CheckResult> {
  const unique = kept.filter(({ uniqueness }) => uniqueness === "added").map(({ after }) => after);
  const doubles = unique.length > 0 ? await countDuplicates(db, model, unique) : new Map<number, number>();
  const duplicates = unique.flatMap(({ name, no }) => {
    const ofField = [...doubles].filter(([number]) => fieldOfNumber(number) === no);
    const records = ofField.reduce((sum, [, n]) => sum + n, 0);
    const message = `cannot become unique: ${records} of its values are in more than one record`;
    return records > 0 ? [{ path: name, message, records }] : [];
  });
  const toCheck = kept.filter(({ mustCheck }) => mustCheck);
  if (toCheck.length === 0) return { conflicts: duplicates, isComplete: true };
  const { conflicts, isComplete } = await misfits(db, spaceId, model, toCheck, {
    locales,
    isSpent,
  });
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

/** The forms of index rows that no other form can stand for. */
const OWN_FORMS = ["presence", "nested"] as const;

/** Returns whether every record would have to be written or indexed at once. */
const cannotBeSliced = ({ before, after }: KeptField): boolean =>
  isList(before) !== isList(after) ||
  OWN_FORMS.some((form) => (rowFormOf(before) === form) !== (rowFormOf(after) === form));

/** Finds the values in locales that a change would lose, of fields that are removed or cease to be localized. */
async function localeConflicts(
  db: Database,
  model: Model,
  { kept, mustBeUnused, drop }: ModelChange,
  locales: SpaceLocales,
): Promise<ChangeConflict[]> {
  const shared = kept.filter(({ before, after }) => isLocalized(before) && !isLocalized(after));
  const lost = [...mustBeUnused.filter(isLocalized), ...shared.map(({ before }) => before)];
  if (lost.length === 0) return [];
  const removed = new Set(mustBeUnused.map(({ no }) => no));
  return (await countHeldInLocales(db, model, lost)).flatMap(({ no, locale, n }) => {
    const name = lost.find((field) => field.no === no)?.name ?? "";
    const code = codeOfNumber(locales, locale);
    const path = `${name}@${code ?? ""}`;
    if (code === undefined || drop.includes(path)) return [];
    const holds = `${counted(n)} ${n === 1 ? "holds" : "hold"} values in ${code}`;
    const loss = removed.has(no)
      ? { drop: name, fact: `would be removed, and ${holds}`, records: n }
      : { drop: path, fact: `would be the same in all locales, and ${holds}`, records: n };
    const advice = removed.has(no)
      ? `name "${name}" in "drop" to lose them, or in "rename"`
      : `name "${path}" in "drop" to lose them`;
    return [lossConflict(name, loss, advice)];
  });
}

export interface LookOptions {
  /** Whether the values of the records were checked before. */
  isChecked?: boolean;
  locales?: SpaceLocales;
  /** The records under each number of a model, if they were counted before. */
  counts?: ReadonlyMap<number, number> | undefined;
  /** Returns whether the request has no queries left. What was not looked at then is left to a change in the background. */
  isSpent?: (() => boolean) | undefined;
}

/** Finds all conflicts of a change. */
export async function conflictsOf(
  db: Database,
  spaceId: string,
  model: Model,
  change: ModelChange,
  { isChecked = false, locales = NO_LOCALES, counts, isSpent = () => false }: LookOptions = {},
): Promise<Outlook> {
  const max = CONTENT.checkedRecordsMax;
  const count = async (number: number): Promise<number> =>
    counts?.get(number) ?? (await countRecords(db, number, max + 1));
  const records = await count(model.id);
  const published = model.drafts ? await count(-model.id) : records;
  // Without records there is nothing to look at.
  if (records === 0 && published === 0) return { conflicts: [], records, isLarge: false };
  if (isSpent()) return { conflicts: [], records, isLarge: true };
  const held =
    change.mustBeUnused.length > 0
      ? await countHeld(db, spaceId, model, change.mustBeUnused)
      : new Map<number, number>();
  const conflicts: ChangeConflict[] = change.mustBeUnused.flatMap(({ name, no }) => {
    const holding = held.get(no) ?? 0;
    const fact = `would be removed, and ${counted(holding)} ${holding === 1 ? "holds" : "hold"} values`;
    const lost = { drop: name, fact, records: holding };
    return holding > 0 ? [lossConflict(name, lost, NAME_IT)] : [];
  });
  conflicts.push(...(await localeConflicts(db, model, change, locales)));
  conflicts.push(...addedConflicts(model, change.added, { records, published }));
  if (isChecked) return { conflicts, records, isLarge: false };
  const looked = change.kept.filter((f) => f.mustCheck || f.mustReindex || f.uniqueness === "added");
  const isMuchToWrite =
    records > CONTENT.rewrittenRecordsMax &&
    looked.some((f) => cannotBeSliced(f) || f.uniqueness === "added");
  const isSliced = looked.some(staysLocalized) && !looked.some(cannotBeSliced);
  const sides = isSliced ? await countSides(db, [model.id], max + 1) : 0;
  if (looked.length === 0 || (records <= max && records + sides <= max && !isMuchToWrite)) {
    const found = await keptConflicts(db, spaceId, model, looked, { locales, isSpent });
    conflicts.push(...found.conflicts);
    if (found.isComplete || conflicts.length > 0) {
      const rows = change.added.length * (records + (model.drafts ? published : 0));
      return { conflicts, records, isLarge: conflicts.length === 0 && rows > CONTENT.indexedRowsMax };
    }
  }
  const shape = "cannot become a list, a single value or json, or cease to be it";
  const message =
    records > CONTENT.rewrittenRecordsMax
      ? `${shape}: over ${CONTENT.rewrittenRecordsMax} records would have to be written. Add a new field instead and move the values`
      : `${shape}, in one change with patterns that take so long: change it by itself`;
  const refused = looked.filter(cannotBeSliced);
  conflicts.push(...refused.map(({ before }) => ({ path: before.name, message, records })));
  return { conflicts, records, isLarge: true };
}
