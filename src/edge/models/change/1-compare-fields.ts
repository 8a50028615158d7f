/**
 * Compares the fields of a model before and after a change, and finds what has to be checked in its records. Pure.
 * No value is ever converted: a change is refused if some value does not fit it.
 */
import { ApiError } from "../../../errors.ts";
import type { Json } from "../../../content/field-types/field-type.ts";
import {
  collectionOf,
  defaultOf,
  emptyValue,
  isEmptyValue,
  isList,
  isNested,
  isReference,
  isUnique,
  type StoredField,
} from "../../../content/field-types/fields.ts";
import { rowFormOf } from "../../../content/field-types/index-rows.ts";
import { meaningOf, type Field } from "../../../content/field-types/registry.ts";
import { checking, checkValue } from "../../../content/field-types/values.ts";
import { localeCode } from "../../../content/locales/codes.ts";
import type { ErrorDetail } from "../../../errors.ts";
import type { KeptField } from "../../../content/model/kept-field.ts";
import type { AskedOptions } from "../model-options.ts";
import type { ValidationErrors } from "../../../content/faults/validation-errors.ts";
import { StepBudget } from "../../../content/patterns/step-budget.ts";

export interface ModelChange {
  kept: KeptField[];
  added: Field[];
  dropped: StoredField[];
  /** The values that the request drops: names of fields, and `field@locale`. */
  drop: readonly string[];
  /** The fields in `dropped` that the request does not name. One is removed only if no record holds a value for it. */
  mustBeUnused: StoredField[];
}

/** Returns whether every value that fits `before` is sure to fit `after`. If not, the values are checked one by one. */
function isLooser(before: Field, after: Field): boolean {
  if (after.required && !before.required) return false;
  if (isList(before) !== isList(after) || before.type !== after.type) return false;
  return meaningOf(before).isLooser(before, after);
}

/** Returns the value of records that are older than the field, in the form that the field has after the change. */
const absentOf = (before: StoredField, field: Field, budget: StepBudget): Json =>
  isEmptyValue(before, before.absent) || !checkValue(field, before.absent, checking(budget)).ok
    ? emptyValue(field)
    : before.absent;

function keep(before: StoredField, field: Field, budget: StepBudget): KeptField {
  const turn = (before.turn ?? 0) + Number(before.localized === true && field.localized !== true);
  const kept = { ...field, no: before.no, absent: absentOf(before, field, budget) };
  const after = turn > 0 ? { ...kept, turn } : kept;
  return {
    before,
    after,
    mustCheck: !isLooser(before, field),
    mustReindex: rowFormOf(before) !== rowFormOf(field),
    uniqueness: isUnique(before) === isUnique(field) ? "stays" : isUnique(field) ? "added" : "dropped",
  };
}

/** The new names of fields by their old ones. */
export type Renames = ReadonlyMap<string, string>;

/** The request of an admin: the fields after the change, and the fate of the fields that are not among them. */
export interface ChangeRequest {
  fields: readonly Field[];
  /** Fields whose values may be lost. */
  drop: readonly string[];
  rename: Renames;
  options: AskedOptions;
  /** Faults of the request that were found before. */
  faults: readonly ErrorDetail[];
}

/**
 * Returns the renames that are still to be done. A request that is sent again after its renames took effect has none.
 */
function pendingRenames(before: readonly StoredField[], rename: Renames): Renames {
  const names = new Set(before.map(({ name }) => name));
  return new Map([...rename].filter(([from, to]) => from !== to && (names.has(from) || !names.has(to))));
}

/** Returns a name in `drop` with the code of its locale, if it has one, in the usual form. */
function usualName(name: string): string {
  const at = name.indexOf("@") + 1;
  const code = at > 0 ? localeCode(name.slice(at)) : null;
  return code === null ? name : name.slice(0, at) + code;
}

/** Adds the contradictions of a request to `errors`. `drop` may name fields that are removed already. */
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
 * Plans a change. Fields are matched by name, after the renames.
 * @throws ApiError VALIDATION_FAILED if the patterns take too long for the defaults that records without a value have
 */
export function planChange(
  before: readonly StoredField[],
  request: ChangeRequest,
  budget = new StepBudget(),
): ModelChange {
  const pending = pendingRenames(before, request.rename);
  const old = new Map(before.map((field) => [pending.get(field.name) ?? field.name, field]));
  const named = new Set(request.fields.map(({ name }) => name));
  const kept = request.fields.flatMap((field) => {
    const known = old.get(field.name);
    return known ? [keep(known, field, budget)] : [];
  });
  // An old default that was not compared for lack of steps would be taken for one that does not fit.
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
    drop: request.drop.map(usualName),
    mustBeUnused: removed.filter(({ name }) => !request.drop.includes(name)),
  };
}

/** Returns whether nested values would be of another form, or of another component. */
const isOtherNested = (before: Field, after: Field): boolean =>
  (isNested(before) || isNested(after)) &&
  (before.type !== after.type ||
    isList(before) !== isList(after) ||
    (before.type === "component" && after.type === "component" && before.component !== after.component));

/** Returns whether a field may only change while it is empty everywhere: ids of one target are no ids of another. */
export const mustBeEmpty = ({ before, after }: KeptField): boolean =>
  isOtherNested(before, after) ||
  ((isReference(before) || isReference(after)) &&
    (before.type !== after.type ||
      isList(before) !== isList(after) ||
      (isReference(before) && isReference(after) && collectionOf(before) !== collectionOf(after))));

/** Gives new fields their numbers. Records that are older than a field keep its present default as their value. */
export const numbered = (fields: readonly Field[], firstNo: number): StoredField[] =>
  fields.map((field, index) => ({ ...field, no: firstNo + index, absent: defaultOf(field) }));
