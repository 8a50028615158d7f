/** `component`: one object of a component, or a list of them. */
import * as z from "zod";
import { CONTENT } from "../../../limits.ts";
import { ValidationErrors } from "../../faults/validation-errors.ts";
import { nameSchema } from "../../text/names.ts";
import { base, count, multiple, searchable } from "../base.ts";
import {
  bad,
  fieldType,
  good,
  type Checked,
  type Checking,
  type Component,
  type DefinitionFault,
  type Json,
  type NestedObject,
  type StoredObject,
  type WithComponents,
} from "../field-type.ts";
import { isMultiple } from "../ids.ts";
import { isLongEnough } from "../text-value.ts";
import { Keys } from "./keys.ts";
import {
  addPart,
  byNumber,
  checkObject,
  componentsIn,
  isObject,
  objectsAmong,
  showObject,
  singleKeyFault,
  textsInObject,
} from "./objects.ts";

const schema = z.strictObject({
  ...base,
  type: z.literal("component"),
  searchable,
  component: nameSchema.meta({ description: "The name of a component" }),
  multiple,
  max: count(CONTENT.blocksMax),
});

type ComponentField = z.output<typeof schema> & WithComponents;

const MAX_OF_ONE: DefinitionFault = { option: "max", message: "needs multiple", isFatal: false };

/** Returns the fault of an object that has no component: its model is gone, or was never there. */
const unknown = (name: string): Checked => bad(`holds the component "${name}", which is not there`);

function checkOne(value: unknown, component: Component, checking: Checking): Checked {
  const checked = checkObject(value, component, checking);
  const fault = singleKeyFault(value);
  if (fault !== null) {
    return { ok: false, faults: [{ path: "_key", message: fault }, ...(checked.ok ? [] : checked.faults)] };
  }
  if (!checked.ok) return checked;
  const stored = checked.value as StoredObject;
  return good({ ...stored, _key: new Keys([], new ValidationErrors()).keyOf(value, stored) });
}

/** Checks a list of objects. @param componentOf returns the component of an item, or adds its fault */
export function checkObjects(
  items: readonly unknown[],
  checking: Checking,
  componentOf: (item: unknown, index: number, errors: ValidationErrors) => Component | null,
): Checked {
  const errors = new ValidationErrors();
  const keys = new Keys(items, errors);
  const stored = items.map((item, index): Json => {
    const component = componentOf(item, index, errors);
    if (!component) return null;
    const own = { ...checking, references: [] };
    const checked = checkObject(item, component, own);
    addPart(errors, checking, String(index), { checked, references: own.references });
    if (!checked.ok) return null;
    const object = checked.value as StoredObject;
    return { ...object, _key: keys.keyOf(item, object) };
  });
  return errors.details.length > 0 ? { ok: false, faults: errors.details } : good(stored);
}

const objectsOf = (value: Json, field: ComponentField): NestedObject[] => {
  const allowed = byNumber(field, [field.component]);
  if (Array.isArray(value)) return objectsAmong(value, allowed);
  return objectsAmong([value], allowed).map((one) => ({ ...one, path: "" }));
};

export const COMPONENT = fieldType(schema, {
  form: "object",
  index: "nested",
  isList: isMultiple,
  faultsOf: ({ multiple: isMany, max }) => (max !== undefined && isMany !== true ? [MAX_OF_ONE] : []),
  check(value, field: ComponentField, checking) {
    const component = componentsIn(field).get(field.component);
    if (!component) return unknown(field.component);
    if (!isMultiple(field)) return checkOne(value, component, checking);
    if (!Array.isArray(value)) return bad("must be a list of objects");
    const { max = CONTENT.blocksMax } = field;
    if (value.length > max) return bad(`must have at most ${max} items`);
    return checkObjects(value, checking, () => component);
  },
  schemaOf: () => ({ type: "object", properties: { _key: { type: "string" } }, required: ["_key"] }),
  isLooser: (before, after) => before.component === after.component && isLongEnough(after.max, before.max),
  textsOf: (value, field) => objectsOf(value, field).flatMap(textsInObject),
  nested: {
    componentsOf: ({ component }) => [component],
    ownReferencesOf: () => [],
    objectsIn: objectsOf,
    referencesIn: () => [],
    show(value, field, shower) {
      const shown = objectsOf(value, field).map((object) => showObject(object, shower, false));
      return isMultiple(field) ? shown : (shown[0] ?? null);
    },
    pathsTo: (component, member) => [[member], [component, member]],
  },
  title: "never",
  // A component that is missing is reported already.
  mended: (rest) => (isObject(rest) && rest["component"] === undefined ? { ...rest, type: "json" } : rest),
});
