/** Checks a record's body against its model (RULES 3.6), and gathers one fault per field for one answer. Pure. */
import { CONTENT } from "../../../limits.ts";
import { SYSTEM_FIELDS } from "../../../content/field-types/base.ts";
import type { Json } from "../../../content/field-types/field-type.ts";
import {
  collectionOf,
  defaultOf,
  emptyValue,
  isEmptyValue,
  isReference,
  type ReferenceField,
  type StoredField,
} from "../../../content/field-types/fields.ts";
import { idsIn } from "../../../content/field-types/ids.ts";
import { checkValue } from "../../../content/field-types/values.ts";
import { isDraftField } from "../../../content/model/publication.ts";
import type { Model, Values } from "../../../content/model/model.ts";
import { StepBudget } from "../../../content/patterns/step-budget.ts";
import { ValidationErrors } from "../../../content/faults/validation-errors.ts";

const isSystemField = (name: string): boolean => (SYSTEM_FIELDS as readonly string[]).includes(name);

/** The values of a body that fit, and the faults of the others. */
export interface Validated {
  values: Values;
  /** The ids in values that do not fit. Ids without a target are faults, too. */
  strayIds: Values;
  errors: ValidationErrors;
}

/** The system values of a record, by name. A body may send them back unchanged. */
export type SystemValues = ReadonlyMap<string, unknown>;

/** Checks the values of the fields that a body names. Null clears a field, and a field with a fault has no value. */
function namedValues(
  model: Model,
  body: unknown,
  system: SystemValues,
  budget: StepBudget,
): Validated & { named: Set<string> } {
  const values: Values = new Map();
  const strayIds: Values = new Map();
  const errors = new ValidationErrors();
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    errors.add("", "must be an object of fields");
    return { values, strayIds, errors, named: new Set() };
  }
  // The keys are own ones and are looked up in a Map, so that `__proto__` and `constructor` are ordinary names.
  const entries = Object.entries(body);
  for (const [name, value] of entries) {
    const field = model.byName.get(name);
    const fault = field
      ? setChecked(model, field, value, { values, budget })
      : isSystemField(name) || (model.drafts && isDraftField(name))
        ? systemFault(system, name, value)
        : "is not a field of this model";
    if (fault === null) continue;
    errors.add(name, fault);
    if (field && isReference(field)) strayIds.set(field.no, idsIn(value));
  }
  return { values, strayIds, errors, named: new Set(entries.map(([name]) => name)) };
}

const systemFault = (system: SystemValues, name: string, value: unknown): string | null =>
  system.has(name) && system.get(name) === value ? null : "is set by the service and cannot be written";

/** Returns whether a required value is missing. A draft may lack it until it is published. */
const isLacking = (model: Model, field: StoredField, value: Json): boolean =>
  !model.drafts && field.required === true && isEmptyValue(field, value);

/** Sets a value if it fits. @returns its fault, or null */
function setChecked(
  model: Model,
  field: StoredField,
  value: unknown,
  { values, budget }: { values: Values; budget: StepBudget },
): string | null {
  const checked =
    value === null ? ({ ok: true, value: emptyValue(field) } as const) : checkValue(field, value, budget);
  if (!checked.ok) return checked.message;
  if (isLacking(model, field, checked.value)) return "is required";
  values.set(field.no, checked.value);
  return null;
}

/** Returns all values of a new record: those that the body names, and defaults for the others. */
export function newValues(model: Model, body: unknown, budget = new StepBudget()): Validated {
  const { values, strayIds, errors, named } = namedValues(model, body, new Map(), budget);
  for (const field of model.fields) {
    if (named.has(field.name)) continue;
    const value = defaultOf(field);
    if (isLacking(model, field, value)) errors.add(field.name, "is required");
    values.set(field.no, value);
  }
  return { values, strayIds, errors };
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

export interface ReferencesToCheck {
  field: StoredField & ReferenceField;
  ids: string[];
}

/** Returns the ids that the record did not hold before. Their targets must exist. */
export function newReferences(model: Model, values: Values, before: Values): ReferencesToCheck[] {
  return model.fields.flatMap((field) => {
    const value = values.get(field.no);
    if (!isReference(field) || value === undefined || value === null) return [];
    const known = new Set([before.get(field.no) ?? []].flat());
    const ids = ([value].flat() as string[]).filter((id) => !known.has(id));
    return ids.length > 0 ? [{ field, ids }] : [];
  });
}

/** Adds a fault for each id without a target. */
export function addMissing(
  errors: ValidationErrors,
  references: ReferencesToCheck[],
  isMissing: (field: ReferenceField, id: string) => boolean,
): void {
  for (const { field, ids } of references) {
    const collection = collectionOf(field);
    const what = collection === null ? "a media item" : `a record of "${collection}"`;
    for (const id of ids) {
      if (isMissing(field, id)) errors.add(field.name, `"${id}" is not ${what} that is there`);
    }
  }
}

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
