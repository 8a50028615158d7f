/** A record's body against its model (completion §3): what changes, or one fault each. Pure. */
import { CONTENT } from "../../limits.ts";
import { Faults } from "./validation-errors.ts";
import { defaultOf, emptyValue, isEmptyValue, isReference, SYSTEM_FIELDS } from "../content-model/fields.ts";
import type { StoredField } from "../content-model/fields.ts";
import { isWellFormed } from "./json-value.ts";
import type { Model, Values } from "../content-model/model.ts";
import { checkValue } from "./values.ts";

const DETAIL_PATH_MAX_CHARACTERS = 100;
const asPath = (name: string): string =>
  isWellFormed(name) ? name.slice(0, DETAIL_PATH_MAX_CHARACTERS) : "(not well-formed)";

const isSystemField = (name: string): boolean => (SYSTEM_FIELDS as readonly string[]).includes(name);

interface Named {
  values: Values;
  faulty: Set<string>;
}

/** The fields that a body names, with their values checked; null clears. `current`: what the service has set. */
function namedValues(
  model: Model,
  body: unknown,
  current: ReadonlyMap<string, unknown>,
  faults: Faults,
): Named {
  const named: Named = { values: new Map(), faulty: new Set() };
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    faults.add("", "must be an object of fields");
    return named;
  }
  // Own keys only, looked up in a Map: `__proto__` and `constructor` are names like any other here.
  for (const [name, value] of Object.entries(body)) {
    const field = model.byName.get(name);
    if (field) {
      const fault = setChecked(field, value, named.values);
      if (fault !== null) named.faulty.add(name);
      if (fault !== null) faults.add(name, fault);
    } else if (!isSystemField(name)) {
      faults.add(asPath(name), "is not a field of this model");
    } else if (current.get(name) !== value) {
      faults.add(name, "is set by the service and cannot be written");
    }
  }
  return named;
}

/** What is wrong with the value; null once it is set. */
function setChecked(field: StoredField, value: unknown, values: Values): string | null {
  const checked =
    value === null ? ({ ok: true, value: emptyValue(field) } as const) : checkValue(field, value);
  if (!checked.ok) return checked.message;
  if (field.required && isEmptyValue(checked.value)) return "is required";
  values.set(field.no, checked.value);
  return null;
}

/** All values of a new record: those the body names, defaults for the rest. @throws ApiError VALIDATION_FAILED */
export function newValues(model: Model, body: unknown): Values {
  const faults = new Faults();
  const { values, faulty } = namedValues(model, body, new Map(), faults);
  for (const field of model.fields) {
    if (values.has(field.no) || faulty.has(field.name)) continue;
    const value = defaultOf(field);
    if (field.required && isEmptyValue(value)) faults.add(field.name, "is required");
    values.set(field.no, value);
  }
  faults.throwIfAny();
  return values;
}

/**
 * The values that a PUT changes. What the service sets may come back as it is, so that an object that was read can
 * be sent back. @throws ApiError VALIDATION_FAILED
 */
export function changedValues(model: Model, body: unknown, current: ReadonlyMap<string, unknown>): Values {
  const faults = new Faults();
  const { values } = namedValues(model, body, current, faults);
  faults.throwIfAny();
  return values;
}

/** Ids that a change names and that the record did not hold before: these must exist. */
export function newReferences(model: Model, values: Values, before: Values): ReferencesToCheck[] {
  return model.fields.flatMap((field) => {
    const value = values.get(field.no);
    if (!isReference(field) || value === undefined || value === null) return [];
    const known = new Set([before.get(field.no) ?? []].flat());
    const ids = ([value].flat() as string[]).filter((id) => !known.has(id));
    return ids.length > 0 ? [{ field, ids }] : [];
  });
}

export interface ReferencesToCheck {
  field: StoredField;
  ids: string[];
}

/** @throws ApiError VALIDATION_FAILED with one detail an id that is not there */
export function checkReferences(
  references: ReferencesToCheck[],
  missing: (field: StoredField, id: string) => boolean,
) {
  const faults = new Faults();
  for (const { field, ids } of references) {
    const what = field.type === "relation" ? `a record of "${field.to}"` : "a media item";
    for (const id of ids)
      if (missing(field, id)) faults.add(field.name, `"${id}" is not ${what} that is there`);
  }
  faults.throwIfAny();
}

export const dataOf = (values: Values): string => JSON.stringify(Object.fromEntries(values));

/** Bytes of a record's data. @throws ApiError VALIDATION_FAILED over the limit */
export function sizeOf(data: string): number {
  const bytes = new TextEncoder().encode(data).byteLength;
  if (bytes > CONTENT.recordMaxBytes) {
    const faults = new Faults();
    faults.add("", `the record would have ${bytes} bytes; at most ${CONTENT.recordMaxBytes} are kept`);
    faults.throwIfAny();
  }
  return bytes;
}
