/** Finds the components that the fields of a model hold, and the faults of holding them (RULES 3.25). */
import type { ValidationErrors } from "../../content/faults/validation-errors.ts";
import { RESERVED_TYPES } from "../../content/field-types/nested/portable-text.ts";
import type { StoredField } from "../../content/field-types/fields.ts";
import type { Field } from "../../content/field-types/registry.ts";
import {
  componentNamesOf,
  componentsOf,
  NO_COMPONENTS,
  withComponents,
  type StoredComponent,
} from "../../content/model/components.ts";
import type { TypeModel } from "../../content/model/type-models.ts";
import { CONTENT } from "../../limits.ts";
import type { ComponentRow } from "../storage/models/components.ts";
import type { Surroundings } from "./surroundings.ts";

/** The components that a model holds, as they were read. */
export interface HeldComponents {
  /** The column `models.components`. */
  stored: string;
  /** The number and version of each. The model is only written while they are the same. */
  versions: readonly [id: number, version: number][];
}

export const NOTHING_HELD: HeldComponents = { stored: NO_COMPONENTS, versions: [] };

/** A model whose fields hold components. */
export interface Holder {
  typeModel: TypeModel;
  name: string;
  fields: readonly Field[];
}

/** Returns the names of the components that some fields hold, and of those that these hold, at any depth. */
function closureOf(fields: readonly Field[], known: ReadonlyMap<string, readonly Field[]>): Set<string> {
  const found = new Set<string>();
  const open = fields.flatMap(componentNamesOf);
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    open.push(...(known.get(name) ?? []).flatMap(componentNamesOf));
  }
  return found;
}

/** Returns the levels of components below some fields. There must be no circle. */
function levelsOf(fields: readonly Field[], known: ReadonlyMap<string, readonly Field[]>): number {
  const levels = new Map<string, number>();
  const below = (some: readonly Field[]): number =>
    Math.max(
      0,
      ...some.flatMap(componentNamesOf).map((name) => {
        const level = levels.get(name) ?? 1 + below(known.get(name) ?? []);
        levels.set(name, level);
        return level;
      }),
    );
  return below(fields);
}

/** Returns the place of a component's name in the definition of a field. */
const placeOf = (field: Field, at: number): string =>
  field.type === "component" ? "component" : `components.${at}`;

/** The options of fields that make no sense inside a component, where a value is no value of a record. */
const OPTIONS_OF_RECORDS = ["unique", "localized", "requiredIn"] as const;

/** Adds the faults of a component itself, which follow from its name and its own fields. */
export function checkComponent(
  { name, fields }: Pick<Holder, "name" | "fields">,
  errors: ValidationErrors,
): void {
  if (RESERVED_TYPES.includes(name)) errors.add("name", "is a name of Portable Text; choose another one");
  for (const [index, field] of fields.entries()) {
    const options = new Map<string, unknown>(Object.entries(field));
    for (const option of OPTIONS_OF_RECORDS) {
      if ((options.get(option) ?? false) !== false)
        errors.add(`fields.${index}.${option}`, "is not for fields of a component");
    }
  }
}

function checkLevels(
  holder: Holder,
  known: ReadonlyMap<string, readonly Field[]>,
  errors: ValidationErrors,
): void {
  const max = CONTENT.componentsMaxLevels;
  for (const [index, field] of holder.fields.entries()) {
    for (const [at, name] of componentNamesOf(field).entries()) {
      const path = `fields.${index}.${placeOf(field, at)}`;
      const own = known.get(name);
      if (!own) errors.add(path, `"${name}" is not a component of this space`);
      else if (holder.typeModel !== "components") continue;
      else if (name === holder.name || closureOf(own, known).has(holder.name))
        errors.add(path, `would make "${holder.name}" a part of itself`);
      else if (levelsOf(own, known) + 2 > max)
        errors.add(path, `would nest components more than ${max} levels deep`);
    }
  }
}

/** Adds a fault if other components, which hold this one, would nest too deep. */
function checkAbove(
  holder: Holder,
  known: ReadonlyMap<string, readonly Field[]>,
  errors: ValidationErrors,
): void {
  const max = CONTENT.componentsMaxLevels;
  const after = new Map([...known, [holder.name, holder.fields]]);
  const deep = [...after].find(
    ([name, fields]) =>
      name !== holder.name && closureOf(fields, after).has(holder.name) && levelsOf(fields, after) + 1 > max,
  );
  if (deep) errors.add("fields", `would nest the component "${deep[0]}" more than ${max} levels deep`);
}

/** Returns the components that a model would hold. */
export function heldAmong(fields: readonly Field[], rows: readonly ComponentRow[]): HeldComponents {
  const names = closureOf(fields, new Map(rows.map((row) => [row.name, row.fields])));
  const held = rows.filter(({ name }) => names.has(name));
  if (held.length === 0) return NOTHING_HELD;
  const stored = held.map(({ id, name, fields: own }): [string, StoredComponent] => [
    name,
    { id, fields: own },
  ]);
  return {
    stored: JSON.stringify(Object.fromEntries(stored)),
    versions: held.map(({ id, version }) => [id, version]),
  };
}

/** Adds a fault if the components of a model are too large to be stored with it. */
export function checkSize({ stored }: HeldComponents, errors: ValidationErrors): void {
  if (new TextEncoder().encode(stored).byteLength > CONTENT.componentsMaxBytes)
    errors.add(
      "fields",
      `hold components with definitions of over ${CONTENT.componentsMaxBytes} bytes together`,
    );
}

/** Adds the faults of holding components. @param known the fields of all components of the space */
export function checkHolding(
  holder: Holder,
  known: ReadonlyMap<string, readonly Field[]>,
  errors: ValidationErrors,
): void {
  const before = errors.details.length;
  checkLevels(holder, known, errors);
  if (holder.typeModel === "components" && errors.details.length === before)
    checkAbove(holder, known, errors);
}

/**
 * Finds the components that a model holds, and adds the faults of holding them.
 * @throws nothing: without a component that is there, the model holds none
 */
export async function findHeld(
  around: Surroundings,
  holder: Holder,
  errors: ValidationErrors,
): Promise<HeldComponents> {
  if (holder.typeModel === "components") checkComponent(holder, errors);
  const isHolder = holder.fields.some((field) => componentNamesOf(field).length > 0);
  if (!isHolder) return NOTHING_HELD;
  const rows = await around.components();
  checkHolding(holder, new Map(rows.map(({ name, fields }) => [name, fields])), errors);
  const held = heldAmong(holder.fields, rows);
  checkSize(held, errors);
  return held;
}

/** Returns fields in memory, with the components that they may hold. */
export function fieldsWith<F extends Field | StoredField>(
  fields: readonly F[],
  { stored }: HeldComponents,
): F[] {
  if (stored === NO_COMPONENTS) return [...fields];
  const components = componentsOf(JSON.parse(stored) as Record<string, StoredComponent>);
  return fields.map((field) => withComponents(field, components));
}
