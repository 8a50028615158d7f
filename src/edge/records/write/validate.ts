/** Checks a record's body against its model (RULES 3.6), and gathers one fault per field for one answer. Pure. */
import { CONTENT } from "../../../limits.ts";
import { ACTOR_FIELDS, SYSTEM_FIELDS } from "../../../content/field-types/base.ts";
import type { Checked, FoundReference, Json } from "../../../content/field-types/field-type.ts";
import {
  defaultOf,
  emptyValue,
  isEmptyValue,
  type StoredField,
} from "../../../content/field-types/fields.ts";
import { joined } from "../../../content/field-types/nested/objects.ts";
import { referencesOf } from "../../../content/field-types/nested/references.ts";
import { checking, checkValue } from "../../../content/field-types/values.ts";
import { isDraftField } from "../../../content/model/publication.ts";
import { isLocaleField, LOCALE_FIELDS } from "../../../content/locales/reserved.ts";
import { baseOf, isLocalized } from "../../../content/model/localized-model.ts";
import { defaultCode } from "../../../content/locales/locales.ts";
import { DEFAULT_NUMBER } from "../../../content/locales/numbers.ts";
import type { Model, Values } from "../../../content/model/model.ts";
import { namedUnder } from "./localized-body.ts";
import { StepBudget } from "../../../content/patterns/step-budget.ts";
import { ValidationErrors } from "../../../content/faults/validation-errors.ts";

const isSystemField = (name: string): boolean => (SYSTEM_FIELDS as readonly string[]).includes(name);

const isActorField = (name: string): boolean => (ACTOR_FIELDS as readonly string[]).includes(name);

/** The values of a body that fit, and the faults of the others. */
export interface Validated {
  values: Values;
  /** The references in the values of each field, in those that do not fit too: ids without a target are faults. */
  references: ReferencesToCheck[];
  errors: ValidationErrors;
}

/** The references in a value of a field. Their paths begin with the name of the field. */
export interface ReferencesToCheck {
  field: StoredField;
  found: FoundReference[];
}

/** The system values of a record, by name. A body may send them back unchanged. */
export type SystemValues = ReadonlyMap<string, unknown>;

/** Checks the values of the fields that a body names. Null clears a field, and a field with a fault has no value. */
function namedValues(
  model: Model,
  body: unknown,
  system: SystemValues,
  budget: StepBudget,
): Validated & { named: Set<number> } {
  const values: Values = new Map();
  const references: ReferencesToCheck[] = [];
  const named = new Set<number>();
  const errors = new ValidationErrors();
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    errors.add("", "must be an object of fields");
    return { values, references, errors, named };
  }
  // The keys are own ones and are looked up in a Map, so that `__proto__` and `constructor` are ordinary names.
  const entries = Object.entries(body);
  for (const [name, value] of entries) {
    const field = model.byName.get(name);
    if (!field) {
      const fault = systemFault(model, system, name, value);
      if (fault !== null) errors.add(name, fault);
      continue;
    }
    const under = namedUnder(model, field, value);
    if (under.faults.length > 0) named.add(field.no);
    for (const { path, message } of under.faults) errors.add(path, message);
    for (const one of under.values) {
      named.add(one.field.no);
      const found = checking(budget, !model.drafts);
      const checked = checkedValue(model, one.field, one.value, found);
      if (checked.ok) values.set(one.field.no, checked.value);
      else for (const { path, message } of checked.faults) errors.add(joined(one.path, path), message);
      const targets = found.references.map((target) => ({ ...target, path: joined(one.path, target.path) }));
      if (targets.length > 0) references.push({ field: one.field, found: targets });
    }
  }
  return { values, references, errors, named };
}

/** Returns the fault of a value that is for no field of the model; null for a system value as it was read. */
function systemFault(model: Model, system: SystemValues, name: string, value: unknown): string | null {
  const ofLocale = model.scope !== undefined && isLocaleField(name);
  if (!isSystemField(name) && !isActorField(name) && !(model.drafts && isDraftField(name)) && !ofLocale) {
    return "is not a field of this model";
  }
  if (name === LOCALE_FIELDS.fallbacks) {
    return "names values that are borrowed from other locales: read the record without `fallback=true`, and send that";
  }
  const isAsRead = system.has(name) && JSON.stringify(system.get(name)) === JSON.stringify(value);
  return isAsRead ? null : "is set by the service and cannot be written";
}

/** Returns whether a required value is missing. A draft may lack it until it is published. */
const isLacking = (model: Model, field: StoredField, value: Json): boolean =>
  !model.drafts && field.required === true && isEmptyValue(field, value);

/** Checks the value that a body gives a field. Null clears it. */
function checkedValue(
  model: Model,
  field: StoredField,
  value: unknown,
  found: ReturnType<typeof checking>,
): Checked {
  const checked: Checked =
    value === null ? { ok: true, value: emptyValue(field) } : checkValue(field, value, found);
  if (!checked.ok || !isLacking(model, field, checked.value)) return checked;
  return { ok: false, faults: [{ path: "", message: "is required" }] };
}

/** Returns the path of a value of the default locale, which is not the body's where the model is in another one. */
const pathInDefault = ({ scope }: Model, field: StoredField): string =>
  scope && scope.no !== DEFAULT_NUMBER && isLocalized(field)
    ? `${field.name}@${defaultCode(scope.locales)}`
    : field.name;

/** Returns all values of a new record: those that the body names, and defaults for the others. */
export function newValues(model: Model, body: unknown, budget = new StepBudget()): Validated {
  const { values, references, errors, named } = namedValues(model, body, new Map(), budget);
  // The values of the default locale, whatever locale the body is in: only these have defaults and are required.
  for (const field of baseOf(model).fields) {
    if (named.has(field.no)) continue;
    const value = defaultOf(field);
    if (isLacking(model, field, value)) errors.add(pathInDefault(model, field), "is required");
    values.set(field.no, value);
  }
  return { values, references, errors };
}

/** Returns the values that a PUT names. System values may come back unchanged, so that a read can be sent back. */
export function changedValues(
  model: Model,
  body: unknown,
  system: SystemValues,
  budget = new StepBudget(),
): Validated {
  return namedValues(model, body, system, budget);
}

/** Returns the version that a body was made from; undefined if it names none, or something that is no version. */
export function versionIn(body: unknown): number | undefined {
  if (typeof body !== "object" || body === null || !Object.hasOwn(body, "version")) return undefined;
  const { version } = body as { version?: unknown };
  return Number.isSafeInteger(version) ? (version as number) : undefined;
}

/** Returns the references to targets that the field did not name before. Their targets must exist. */
export const newReferences = (
  references: readonly ReferencesToCheck[],
  before: Values,
): ReferencesToCheck[] =>
  references.map(({ field, found }) => {
    const held = referencesOf(field, before.get(field.no) ?? emptyValue(field));
    const known = new Set(held.map(({ collection, id }) => `${collection ?? ""}/${id}`));
    return { field, found: found.filter(({ collection, id }) => !known.has(`${collection ?? ""}/${id}`)) };
  });

/** Adds a fault for each reference without a target. */
export function addMissing(
  errors: ValidationErrors,
  references: readonly ReferencesToCheck[],
  isMissing: (reference: FoundReference) => boolean,
): void {
  for (const reference of references.flatMap(({ found }) => found)) {
    const { path, collection, id } = reference;
    const what = collection === null ? "a media item" : `a record of "${collection}"`;
    if (isMissing(reference)) errors.add(path, `"${id}" is not ${what} that is there`);
  }
}

/** Returns the fields under all numbers that a body may give values for. */
export const allFields = (model: Model): readonly StoredField[] =>
  model.scope
    ? [...new Map([...baseOf(model).fields, ...(model.stored ?? [])].map((one) => [one.no, one])).values()]
    : model.fields;

export const dataOf = (values: Values): string => JSON.stringify(Object.fromEntries(values));

/** Returns the bytes of a record's data. @throws ApiError VALIDATION_FAILED over the limit */
export function sizeOf(data: string): number {
  const bytes = new TextEncoder().encode(data).byteLength;
  if (bytes > CONTENT.recordMaxBytes) {
    const errors = new ValidationErrors();
    errors.add("", `the record would have ${bytes} bytes; at most ${CONTENT.recordMaxBytes} are kept`);
    errors.throwIfAny();
  }
  return bytes;
}
