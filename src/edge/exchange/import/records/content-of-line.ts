/** Converts the content of a line to the columns of records (RULES 18.4). Pure. */
import { ValidationErrors } from "../../../../content/faults/validation-errors.ts";
import { emptyValue, inPresentForm, isNested } from "../../../../content/field-types/fields.ts";
import type { Json } from "../../../../content/field-types/field-type.ts";
import { checking, checkValue } from "../../../../content/field-types/values.ts";
import { earliestPlan, editionsColumn, type Edition } from "../../../../content/model/editions.ts";
import { numberOfCode } from "../../../../content/locales/locales.ts";
import { DEFAULT_NUMBER, heldOf } from "../../../../content/locales/numbers.ts";
import { baseOf, hasLocalized, isLocalized } from "../../../../content/model/localized-model.ts";
import type { Model, StoredContent, Values } from "../../../../content/model/model.ts";
import type { StepBudget } from "../../../../content/patterns/step-budget.ts";
import { namedUnder } from "../../../records/write/localized-body.ts";
import { ownContentOf, sideContentOf, sidesOf } from "../../../records/write/stored-content.ts";
import { dataOf, newValues } from "../../../records/write/validate.ts";
import { actorColumn } from "../../../storage/events/actor.ts";
import type { RecordRow } from "../../../storage/spaces/entries.ts";
import type { Space } from "../../../spaces/authorize.ts";
import type { LocaleIn, PublishedIn, RecordIn, VersionIn } from "../line-schemas.ts";

/** A record as a line has it: its own row, without a number, and its contents in other locales. */
export interface RowOfLine {
  row: RecordRow;
  sides: ReadonlyMap<number, StoredContent>;
  values: Values;
}

type Publications = NonNullable<RecordIn["editions"]>;

function editionOf(line: Publications[string], isDefault: boolean): Edition {
  const { version: v, publishedVersion, publishedAt, firstPublishedAt, publishAt, unpublishAt } = line;
  if (isDefault) return { v };
  return {
    v,
    ...(publishedVersion !== undefined && { p: publishedVersion }),
    ...(publishedAt !== undefined && { at: publishedAt }),
    ...(firstPublishedAt !== undefined && { first: firstPublishedAt }),
    ...(publishAt !== undefined && { pub: publishAt }),
    ...(unpublishAt !== undefined && { unpub: unpublishAt }),
  };
}

/**
 * Returns the editions of a line by the numbers of its locales. A line without editions has one for each locale in
 * which it holds a value. The contents of the locales in `apart` are awaited: they stand on lines behind it. Without
 * `apart`, a line with values in none but the default locale may have such lines for all others.
 */
function editionsOf(
  model: Model,
  line: Pick<RecordIn | PublishedIn, "version" | "editions" | "apart">,
  sides: Iterable<number>,
): Record<string, Edition> | null {
  const { scope } = model;
  if (!scope) return null;
  if (!line.editions) {
    if (!hasLocalized(baseOf(model))) return null;
    return Object.fromEntries([DEFAULT_NUMBER, ...sides].map((no) => [String(no), { v: line.version }]));
  }
  const errors = new ValidationErrors();
  const mayBeAwaited = [...sides].length === 0;
  const editions = Object.entries(line.editions).flatMap(([code, edition]): [string, Edition][] => {
    const no = numberOfCode(scope.locales, code);
    const isDefault = no === DEFAULT_NUMBER;
    const isAwaited = line.apart ? line.apart.includes(code) : mayBeAwaited;
    const waits = isAwaited && !isDefault && { w: edition.version };
    if (no !== undefined) return [[String(no), { ...editionOf(edition, isDefault), ...waits }]];
    errors.add(`editions.${code}`, "is no locale of this space");
    return [];
  });
  errors.throwIfAny();
  return Object.fromEntries(editions);
}

/** Returns the columns and contents of a line's data. @throws ApiError VALIDATION_FAILED with paths below `data` */
function contentsOf(
  model: Model,
  data: unknown,
  budget: StepBudget,
): { own: StoredContent; sides: Map<number, StoredContent>; values: Values } {
  const { values, errors } = newValues(model, data, budget);
  errors.throwIfAny();
  const own = ownContentOf(model, values);
  const sides = new Map<number, StoredContent>();
  for (const locale of sidesOf(values.keys())) {
    const content = sideContentOf(model, values, locale);
    if (content) sides.set(locale, content);
  }
  return { own, sides, values };
}

/** Returns the row of a record or of its published content. @throws ApiError VALIDATION_FAILED */
export function rowOfLine(
  space: Space,
  given: Model,
  line: RecordIn | PublishedIn,
  budget: StepBudget,
): RowOfLine {
  // Entries of the trash, and contents that were published before a field became required, may lack values.
  const isLenient = line.kind !== "record";
  const model = isLenient ? { ...given, drafts: true } : given;
  const { own, sides, values } = contentsOf(model, line.data, budget);
  const editions = editionsOf(given, line, sides.keys());
  const others = Object.fromEntries(
    Object.entries(editions ?? {}).filter(([no]) => no !== String(DEFAULT_NUMBER)),
  );
  const isPublished = line.kind === "published";
  const base = baseOf(given);
  const row: RecordRow = {
    seq: 0,
    modelId: isPublished ? -base.id : base.id,
    spaceId: space.id,
    id: line.id,
    ...own,
    version: line.version,
    createdAt: isPublished ? 0 : line.createdAt,
    updatedAt: line.updatedAt,
    deletedAt: line.kind === "trash" ? line.deletedAt : null,
    purgeAt: line.kind === "trash" ? line.expiresAt : null,
    publishedVersion: line.publishedVersion ?? null,
    publishedAt: line.publishedAt ?? null,
    firstPublishedAt: line.firstPublishedAt ?? null,
    publishAt: line.publishAt ?? null,
    unpublishAt: line.unpublishAt ?? null,
    locales: editions && editionsColumn(editions),
    localePlanAt: editions && !isPublished ? earliestPlan(others) : null,
    held: heldOf(sides.keys()),
    createdBy: line.createdBy ? actorColumn(line.createdBy) : null,
    updatedBy: line.updatedBy ? actorColumn(line.updatedBy) : null,
  };
  return { row, sides, values };
}

/** Returns the content of a locale's line. @throws ApiError VALIDATION_FAILED */
export function sideOfLine(
  model: Model,
  { locale, data }: LocaleIn,
  budget: StepBudget,
): { no: number; content: StoredContent | null } {
  const errors = new ValidationErrors();
  const no = model.scope && numberOfCode(model.scope.locales, locale);
  if (no === undefined || no === DEFAULT_NUMBER) errors.add("locale", "is no further locale of this space");
  errors.throwIfAny();
  const inAll = Object.fromEntries(Object.entries(data).map(([name, value]) => [name, { [locale]: value }]));
  const { values } = lenientValues({ ...model, drafts: true }, inAll, budget);
  return { no: no ?? 0, content: sideContentOf(model, values, no ?? 0) };
}

/**
 * Returns the values of an earlier version. They need not fit what the fields allow now: such a value is kept as it is,
 * unless it is of components or rich text, which are stored in another form.
 * @throws ApiError VALIDATION_FAILED
 */
function lenientValues(model: Model, data: Record<string, unknown>, budget: StepBudget): { values: Values } {
  const errors = new ValidationErrors();
  const values: Values = new Map(baseOf(model).fields.map((field) => [field.no, emptyValue(field)]));
  for (const [name, value] of Object.entries(data)) {
    const field = model.byName.get(name);
    if (!field) continue;
    const under = namedUnder(model, field, value);
    for (const { path, message } of under.faults) errors.add(path, message);
    for (const one of under.values) {
      const given = one.value;
      if (given === null) {
        values.set(one.field.no, emptyValue(one.field));
        continue;
      }
      const checked = checkValue(one.field, given, checking(budget, false));
      if (checked.ok) values.set(one.field.no, checked.value);
      else if (isNested(one.field)) for (const { message } of checked.faults) errors.add(one.path, message);
      else values.set(one.field.no, inPresentForm(one.field, given as Json));
    }
  }
  errors.throwIfAny();
  return { values };
}

/** The content of an earlier version, by locale: its own part is that of the shared fields and of the default locale. */
export interface EarlierContent {
  own: string;
  sides: ReadonlyMap<number, string>;
}

/** Returns the content of a version's line; null for a line without one. @throws ApiError VALIDATION_FAILED */
export function earlierContent(model: Model, { data }: VersionIn, budget: StepBudget): EarlierContent | null {
  if (data === undefined) return null;
  const { values } = lenientValues(model, data, budget);
  const own: Values = new Map(baseOf(model).fields.map(({ no }) => [no, values.get(no) ?? null]));
  const sides = new Map<number, string>();
  if (model.scope && baseOf(model).fields.some(isLocalized)) {
    for (const locale of sidesOf(values.keys())) {
      const content = sideContentOf(model, values, locale);
      if (content) sides.set(locale, content.data);
    }
  }
  return { own: dataOf(own), sides };
}
