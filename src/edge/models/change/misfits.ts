/** Finds the values of records that do not fit their fields after a change. */
import type { ErrorDetail } from "../../../errors.ts";
import { PATTERN } from "../../../limits.ts";
import type { Database } from "../../storage/database/database.ts";
import { CONTENTS, rowsOf, type Content } from "../../../content/model/publication.ts";
import {
  FIRST_SIDE,
  readDataAfter,
  readSidesAfter,
  type SideData,
} from "../../storage/models/model-values.ts";
import type { Json } from "../../../content/field-types/field-type.ts";
import { isEmptyValue, isNested } from "../../../content/field-types/fields.ts";
import type { Field } from "../../../content/field-types/registry.ts";
import { shownValue } from "../../../content/field-types/nested/show.ts";
import { checking, checkValue } from "../../../content/field-types/values.ts";
import { mustBeEmpty } from "./1-compare-fields.ts";
import type { KeptField } from "../../../content/model/kept-field.ts";
import { valuesOf, type Model } from "../../../content/model/model.ts";
import { codeOfNumber, type SpaceLocales } from "../../../content/locales/locales.ts";
import { isLocalized, sideOf } from "../../../content/model/localized-model.ts";
import { DEFAULT_NUMBER, numberIn } from "../../../content/locales/numbers.ts";
import type { StepBudget } from "../../../content/patterns/step-budget.ts";
import { budgetOf, takePatternTurn } from "../../spaces/pattern-turns.ts";
import { counted, type ChangeConflict } from "./conflicts.ts";

/** Returns whether records must hold a value of a field. A page is made of defaults, so it may lack required values. */
export const mustHave = (model: Model, field: Field): boolean =>
  field.required === true && model.typeModel === "collections";

/** Returns the message of the first fault, with its place inside the value. */
function messageOf([first]: readonly ErrorDetail[]): string {
  if (!first) return "does not fit";
  return first.path === "" ? first.message : `at ${first.path} ${first.message}`;
}

/** Returns the first fault of a nested value under the definition of its field after the change. */
function nestedMisfitOf({ before, after }: KeptField, value: Json, budget: StepBudget): string | null {
  const checked = checkValue(after, shownValue(before, value), checking(budget, false));
  return checked.ok ? null : messageOf(checked.faults);
}

/** Returns the fault of a value under the changed definition of its field; null if it fits. */
export function misfitOf(
  field: KeptField,
  value: Json,
  mustHaveIt: boolean,
  budget: StepBudget,
): string | null {
  if (isEmptyValue(field.before, value)) return mustHaveIt ? "is missing" : null;
  if (mustBeEmpty(field))
    return isNested(field.before) || isNested(field.after) ? "has another form" : "refers to something else";
  if (isNested(field.before)) return nestedMisfitOf(field, value, budget);
  const checked = checkValue(field.after, value, checking(budget));
  if (!checked.ok) return messageOf(checked.faults);
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

/** Reads the contents in the locales but the default under one of the model's numbers, batch by batch. */
async function* allSides(db: Database, modelNumber: number): AsyncGenerator<SideData> {
  let after = FIRST_SIDE;
  for (;;) {
    const batch = await readSidesAfter(db, modelNumber, after);
    yield* batch;
    const last = batch.at(-1);
    if (!last) return;
    after = last;
  }
}

/** A content of a record in one locale. */
export interface LocaleContent {
  content: Content;
  /** The number of the locale. */
  locale: number;
  data: string;
}

/** Reads all contents under one of the model's numbers: those of the records, then those in other locales if asked. */
export async function* allContents(
  db: Database,
  modelNumber: number,
  areLocalesAsked: boolean,
): AsyncGenerator<{ id: string; locale: number; data: string }> {
  for await (const one of allData(db, modelNumber)) yield { ...one, locale: DEFAULT_NUMBER };
  if (areLocalesAsked) yield* allSides(db, modelNumber);
}

/** Returns whether a change of a field concerns its values in the locales but the default, because these stay. */
export const staysLocalized = ({ before, after }: KeptField): boolean =>
  isLocalized(before) && isLocalized(after);

export interface Misfit {
  field: KeptField;
  message: string;
}

/**
 * Returns the values of one record in one locale that would not fit. A published record must also hold the required
 * values, in the default locale.
 * @param budget of this record alone, so that the patterns of other records cannot make it a misfit
 */
export function misfitsOf(
  model: Model,
  kept: readonly KeptField[],
  { content, locale, data }: LocaleContent,
  budget: StepBudget,
): Misfit[] {
  const isDefault = locale === DEFAULT_NUMBER;
  const values = valuesOf(isDefault ? model : sideOf(model, locale), data);
  return (isDefault ? kept : kept.filter(staysLocalized)).flatMap((field) => {
    const mustHaveIt = isDefault && content === "published" && mustHave(model, field.after);
    const message = misfitOf(field, values.get(numberIn(field.before, locale)) ?? null, mustHaveIt, budget);
    return message === null ? [] : [{ field, message }];
  });
}

/** The result of a check of the records. */
export interface CheckResult {
  conflicts: ChangeConflict[];
  /** False if the patterns took as many steps as a request may, and records are left. */
  isComplete: boolean;
}

/** Returns the words for a locale that is not the default; none for the default, or a code that is not known. */
const inLocale = (locales: SpaceLocales, locale: number): string => {
  const code = locale === DEFAULT_NUMBER ? undefined : codeOfNumber(locales, locale);
  return code === undefined ? "" : `in ${code} `;
};

/** Finds the values that would not fit, in all records and locales. */
export async function misfits(
  db: Database,
  spaceId: string,
  model: Model,
  kept: KeptField[],
  { locales, isSpent }: { locales: SpaceLocales; isSpent: () => boolean },
): Promise<CheckResult> {
  const found = new Map<KeptField, { ids: Set<string>; id: string; message: string }>();
  const conflicts = (): ChangeConflict[] =>
    [...found].map(([{ before }, { ids, id, message }]) => ({
      path: before.name,
      message: `does not fit ${counted(ids.size)}: the value in record ${id} ${message}`,
      records: ids.size,
    }));
  let steps = 0;
  for (const content of model.drafts ? CONTENTS : (["published"] as const)) {
    for await (const { id, ...one } of allContents(db, rowsOf(model, content), kept.some(staysLocalized))) {
      if (steps > PATTERN.stepsMax || isSpent()) return { conflicts: conflicts(), isComplete: false };
      await takePatternTurn(
        spaceId,
        kept.map(({ after }) => after),
      );
      const budget = budgetOf(spaceId);
      for (const { field, message } of misfitsOf(model, kept, { ...one, content }, budget)) {
        const known = found.get(field);
        if (known) known.ids.add(id);
        else
          found.set(field, {
            ids: new Set([id]),
            id,
            message: `${inLocale(locales, one.locale)}${message}`,
          });
      }
      steps += budget.spent;
    }
  }
  return { conflicts: conflicts(), isComplete: true };
}
