/**
 * What a change of a model's fields means for the records it has. Pure.
 * No value is ever converted: a change that some value does not fit is refused.
 */
import { ApiError } from "../../../errors.ts";
import {
  defaultOf,
  emptyValue,
  isEmptyValue,
  isMultiple,
  isReference,
  isUnique,
  type Field,
  type Json,
  type StoredField,
} from "../../../content/field-types/fields.ts";
import type { ErrorDetail } from "../../../errors.ts";
import type { KeptField } from "../../../content/model/kept-field.ts";
import type { AskedOptions } from "../model-options.ts";
import type { ValidationErrors } from "../../../content/faults/validation-errors.ts";
import { StepBudget } from "../../../content/patterns/step-budget.ts";
import { checkValue } from "../../../content/field-types/values.ts";

export interface ModelChange {
  kept: KeptField[];
  added: Field[];
  dropped: StoredField[];
  /** Of `dropped`, those that the request does not name: they may only go while no record holds a value of them. */
  mustBeUnused: StoredField[];
}

const contains = <T>(all: readonly T[], some: readonly T[]): boolean =>
  some.every((one) => all.includes(one));

type OfType<Type extends Field["type"]> = Extract<Field, { type: Type }>;

/** Whether everything that fits `before` is sure to fit `after`. False is only a reason to look. */
function isLooser(before: Field, after: Field): boolean {
  if (after.required && !before.required) return false;
  if (isMultiple(before) !== isMultiple(after)) return false;
  if (before.type !== after.type) return false;
  switch (before.type) {
    case "string": {
      const other = after as OfType<"string">;
      const longEnough = (other.maxLength ?? Infinity) >= (before.maxLength ?? Infinity);
      return longEnough && (other.pattern === undefined || other.pattern === before.pattern);
    }
    case "text":
      return ((after as OfType<"text">).maxLength ?? Infinity) >= (before.maxLength ?? Infinity);
    case "number": {
      const other = after as OfType<"number">;
      const wide = (other.min ?? -Infinity) <= (before.min ?? -Infinity);
      return (
        wide &&
        (other.max ?? Infinity) >= (before.max ?? Infinity) &&
        (!other.integer || before.integer === true)
      );
    }
    case "enum":
      return contains((after as OfType<"enum">).values, before.values);
    case "relation":
      return (after as OfType<"relation">).to === before.to;
    default:
      return true;
  }
}

/** Text is cut in the index, `json` is only marked as present, lists have a row an item. */
const mirrorOf = (field: Field): string =>
  isMultiple(field)
    ? "list"
    : field.type === "string" || field.type === "text"
      ? "text"
      : field.type === "json"
        ? "json"
        : "scalar";

/** The default that records made before the field hold, in the form that the field has now. */
const absentOf = (before: StoredField, field: Field, budget: StepBudget): Json =>
  isEmptyValue(before, before.absent) || !checkValue(field, before.absent, budget).ok
    ? emptyValue(field)
    : before.absent;

function keep(before: StoredField, field: Field, budget: StepBudget): KeptField {
  const after = { ...field, no: before.no, absent: absentOf(before, field, budget) };
  return {
    before,
    after,
    mustCheck: !isLooser(before, field),
    mustReindex: mirrorOf(before) !== mirrorOf(field),
    uniqueness: isUnique(before) === isUnique(field) ? "stays" : isUnique(field) ? "added" : "dropped",
  };
}

/** New names of fields by their old ones. */
export type Renames = ReadonlyMap<string, string>;

/** What an admin asks for: the fields as they shall be, and what becomes of those that are not among them. */
export interface ChangeRequest {
  fields: readonly Field[];
  /** Fields whose values may be lost. */
  drop: readonly string[];
  rename: Renames;
  options: AskedOptions;
  /** What is wrong with the request already. */
  faults: readonly ErrorDetail[];
}

/** Renames that are still to be done: sent again after they took effect, they change nothing. */
function pendingRenames(before: readonly StoredField[], rename: Renames): Renames {
  const names = new Set(before.map(({ name }) => name));
  return new Map([...rename].filter(([from, to]) => from !== to && (names.has(from) || !names.has(to))));
}

/** What contradicts itself in a request. Names in `drop` that are no fields any more are let through. */
export function checkRequest(
  before: readonly StoredField[],
  { fields, drop, rename }: Pick<ChangeRequest, "fields" | "drop" | "rename">,
  errors: ValidationErrors,
): void {
  const old = new Set(before.map(({ name }) => name));
  const wanted = new Set(fields.map(({ name }) => name));
  const pending = pendingRenames(before, rename);
  const targets = new Set<string>();
  for (const [from, to] of pending) {
    const path = `rename.${from}`;
    if (!old.has(from)) errors.add(path, "is not a field of this model");
    if (!wanted.has(to)) errors.add(path, `must lead to one of the fields given, not "${to}"`);
    if (targets.has(to)) errors.add(path, `leads to "${to}" a second time`);
    if (old.has(to) && !pending.has(to))
      errors.add(path, `"${to}" is a field already; change that one first`);
    targets.add(to);
  }
  for (const [index, name] of drop.entries()) {
    const stays = wanted.has(name) && !(pending.has(name) && targets.has(name));
    if (stays) errors.add(`drop.${index}`, `"${name}" is one of the fields given`);
    if (pending.has(name)) errors.add(`drop.${index}`, `"${name}" is renamed`);
  }
}

/**
 * Fields are matched by name, after those to be renamed have their new names.
 * @throws ApiError VALIDATION_FAILED if the patterns take too long for the defaults that records without a value have
 */
export function planChange(before: readonly StoredField[], request: ChangeRequest): ModelChange {
  const pending = pendingRenames(before, request.rename);
  const old = new Map(before.map((field) => [pending.get(field.name) ?? field.name, field]));
  const named = new Set(request.fields.map(({ name }) => name));
  const budget = new StepBudget();
  const kept = request.fields.flatMap((field) => {
    const known = old.get(field.name);
    return known ? [keep(known, field, budget)] : [];
  });
  // A default that could not be compared must not be taken for one that does not fit.
  if (budget.isSpent) {
    const message = "have patterns that take too many steps to compare with the defaults: make them simpler";
    throw new ApiError("VALIDATION_FAILED", `The fields ${message}.`, {
      details: [{ path: "fields", message }],
    });
  }
  const removed = [...old].flatMap(([name, field]) => (named.has(name) ? [] : [field]));
  return {
    kept,
    added: request.fields.filter(({ name }) => !old.has(name)),
    dropped: removed,
    mustBeUnused: removed.filter(({ name }) => !request.drop.includes(name)),
  };
}

/** Ids of one target are no ids of another: such a field can only change while it is empty everywhere. */
export const mustBeEmpty = ({ before, after }: KeptField): boolean =>
  (isReference(before) || isReference(after)) &&
  (before.type !== after.type ||
    isMultiple(before) !== isMultiple(after) ||
    (before.type === "relation" && after.type === "relation" && before.to !== after.to));

/** New fields with their numbers. What records made before hold is the default of today, for good. */
export const numbered = (fields: readonly Field[], firstNo: number): StoredField[] =>
  fields.map((field, index) => ({ ...field, no: firstNo + index, absent: defaultOf(field) }));
