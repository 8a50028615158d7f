/** A record's body against its model (RULES 3.6): what changes, or one fault each, gathered for one answer. Pure. */
import { CONTENT } from "../../../limits.ts";
import {
  defaultOf,
  emptyValue,
  isEmptyValue,
  isReference,
  SYSTEM_FIELDS,
} from "../../../content/field-types/fields.ts";
import { isDraftField } from "../../../content/model/publication.ts";
import type { Json, StoredField } from "../../../content/field-types/fields.ts";
import type { Model, Values } from "../../../content/model/model.ts";
import { StepBudget } from "../../../content/patterns/step-budget.ts";
import { ValidationErrors } from "../../../content/faults/validation-errors.ts";
import { checkValue, idsIn } from "../../../content/field-types/values.ts";

const isSystemField = (name: string): boolean => (SYSTEM_FIELDS as readonly string[]).includes(name);

/** The values of a body that fit, and what is wrong with the others. */
export interface Validated {
  values: Values;
  /** Ids in values that do not fit: those that do not exist are faults too. */
  strayIds: Values;
  errors: ValidationErrors;
}

/** What the service has set on a record, by name: it may come back as it is. */
export type SystemValues = ReadonlyMap<string, unknown>;

/** The fields that a body names, with their values checked; null clears. Names with a fault have no value. */
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
  // Own keys only, looked up in a Map: `__proto__` and `constructor` are names like any other here.
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

/** A draft may lack what is required; it must be there to be published. */
const isLacking = (model: Model, field: StoredField, value: Json): boolean =>
  !model.drafts && field.required === true && isEmptyValue(field, value);

/** What is wrong with the value; null once it is set. */
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

/** All values of a new record: those the body names, defaults for the rest. */
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

/** The values that a PUT names. What the service sets may come back as it is, so that a read can be sent back. */
export function changedValues(
  model: Model,
  body: unknown,
  system: SystemValues,
  budget = new StepBudget(),
): Validated {
  return namedValues(model, body, system, budget);
}

/** The version that a body says it was made from; undefined when it says none, or nothing that is a version. */
export function versionIn(body: unknown): number | undefined {
  if (typeof body !== "object" || body === null || !Object.hasOwn(body, "version")) return undefined;
  const { version } = body as { version?: unknown };
  return Number.isSafeInteger(version) ? (version as number) : undefined;
}

export interface ReferencesToCheck {
  field: StoredField;
  ids: string[];
}

/** Ids that a body names and that the record did not hold before: these must exist. */
export function newReferences(model: Model, values: Values, before: Values): ReferencesToCheck[] {
  return model.fields.flatMap((field) => {
    const value = values.get(field.no);
    if (!isReference(field) || value === undefined || value === null) return [];
    const known = new Set([before.get(field.no) ?? []].flat());
    const ids = ([value].flat() as string[]).filter((id) => !known.has(id));
    return ids.length > 0 ? [{ field, ids }] : [];
  });
}

/** One fault per id that is not there. */
export function addMissing(
  errors: ValidationErrors,
  references: ReferencesToCheck[],
  isMissing: (field: StoredField, id: string) => boolean,
): void {
  for (const { field, ids } of references) {
    const what = field.type === "relation" ? `a record of "${field.to}"` : "a media item";
    for (const id of ids) {
      if (isMissing(field, id)) errors.add(field.name, `"${id}" is not ${what} that is there`);
    }
  }
}

export const dataOf = (values: Values): string => JSON.stringify(Object.fromEntries(values));

/** Bytes of a record's data. @throws ApiError VALIDATION_FAILED over the limit */
export function sizeOf(data: string): number {
  const bytes = new TextEncoder().encode(data).byteLength;
  if (bytes > CONTENT.recordMaxBytes) {
    const errors = new ValidationErrors();
    errors.add("", `the record would have ${bytes} bytes; at most ${CONTENT.recordMaxBytes} are kept`);
    errors.throwIfAny();
  }
  return bytes;
}
