/** Objects of components: their check, their form in answers, and the texts in them. */
import { ValidationErrors } from "../../faults/validation-errors.ts";
import {
  COMPONENTS,
  type Checked,
  type Checking,
  type Component,
  type Components,
  type Json,
  type Member,
  type NestedObject,
  type Shower,
  type StoredObject,
  type WithComponents,
} from "../field-type.ts";
import { keyFault } from "./keys.ts";

export type Members = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const joined = (...parts: string[]): string => parts.filter((part) => part !== "").join(".");

const NONE: Components = new Map();

/** Returns the components that a field in memory may hold. */
export const componentsIn = (field: WithComponents): Components => field[COMPONENTS] ?? NONE;

/** Adds faults and references of a part of a value, at its place. */
export function addPart(
  errors: ValidationErrors,
  checking: Checking,
  path: string,
  part: { checked: Checked; references: Checking["references"] },
): void {
  for (const reference of part.references) {
    checking.references.push({ ...reference, path: joined(path, reference.path) });
  }
  if (part.checked.ok) return;
  for (const fault of part.checked.faults) errors.add(joined(path, fault.path), fault.message);
}

/** Returns whether a stored value means that there is none. */
export const isEmptyIn = ({ empty }: Member, value: Json): boolean =>
  Array.isArray(empty) ? Array.isArray(value) && value.length === 0 : value === null;

/** Returns the value of a field in a stored object. Objects that are older than the field have its first default. */
export const storedIn = (object: StoredObject, { no, absent }: Pick<Member, "no" | "absent">): Json =>
  Object.hasOwn(object, String(no)) ? (object[String(no)] ?? null) : absent;

/** Returns the same in the form that the field has now. */
export const valueIn = (object: StoredObject, member: Member): Json =>
  member.inPresentForm(storedIn(object, member));

function checkMember(member: Member, given: unknown, checking: Checking): Checked {
  if (given === undefined) return { ok: true, value: member.initial };
  if (given === null) return { ok: true, value: member.empty };
  return member.meaning.check(given, member.field, checking);
}

/**
 * Checks an object of a component. Fields that it does not name get their defaults. The caller gives it its key.
 * @param isTyped whether it must name its component in `_type`
 */
export function checkObject(
  value: unknown,
  component: Component,
  checking: Checking,
): Checked & { value?: StoredObject } {
  const errors = new ValidationErrors();
  if (!isObject(value)) return { ok: false, faults: [{ path: "", message: "must be an object" }] };
  for (const [name, given] of Object.entries(value)) {
    if (name === "_key" || component.byName.has(name)) continue;
    if (name !== "_type") errors.add(name, `is not a field of the component "${component.name}"`);
    else if (given !== component.name) errors.add(name, `must be ${component.name}`);
  }
  const stored: StoredObject = { _type: component.id };
  for (const member of component.members) {
    const { name, no, isRequired } = member;
    const own = { ...checking, references: [] };
    const checked = checkMember(member, Object.hasOwn(value, name) ? value[name] : undefined, own);
    addPart(errors, checking, name, { checked, references: own.references });
    if (!checked.ok) continue;
    if (checking.isWhole && isRequired && isEmptyIn(member, checked.value)) errors.add(name, "is required");
    stored[String(no)] = checked.value;
  }
  return errors.details.length > 0 ? { ok: false, faults: errors.details } : { ok: true, value: stored };
}

/** Returns the fault of the key of a single object; null if it has none or a good one. */
export function singleKeyFault(value: unknown): string | null {
  const key = isObject(value) && Object.hasOwn(value, "_key") ? value["_key"] : undefined;
  return key === undefined || key === null ? null : keyFault(key);
}

/** Returns the component objects among stored items, each with its place. @param allowed the components by number */
export function objectsAmong(items: readonly Json[], allowed: ReadonlyMap<Json, Component>): NestedObject[] {
  return items.flatMap((item, index) => {
    const component = isObject(item) ? allowed.get(item["_type"] ?? null) : undefined;
    return component ? [{ component, object: item as StoredObject, path: String(index) }] : [];
  });
}

/** Returns the named components of a field by their numbers. */
export function byNumber(field: WithComponents, names: readonly string[]): ReadonlyMap<Json, Component> {
  const components = componentsIn(field);
  const named = names.flatMap((name) => components.get(name) ?? []);
  return new Map(named.map((component) => [component.id, component]));
}

/** Returns a stored object as answers show it. */
export function showObject(
  { component, object }: NestedObject,
  { value }: Shower,
  isTyped: boolean,
): Record<string, unknown> {
  const shown: Record<string, unknown> = { _key: object["_key"] };
  if (isTyped) shown["_type"] = component.name;
  for (const member of component.members) {
    shown[member.name] = value(component, member, valueIn(object, member));
  }
  return shown;
}

/** Returns the texts in an object of a component. */
export const textsInObject = ({ component, object }: NestedObject): string[] =>
  component.members.flatMap((member) => member.meaning.textsOf(valueIn(object, member), member.field));
