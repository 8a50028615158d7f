/** Lists the references inside of components and rich text by the paths by which `populate` reaches them. Pure. */
import { collectionOf, isList, isReference } from "../../content/field-types/fields.ts";
import { meaningOf, type Field } from "../../content/field-types/registry.ts";
import type { ModelDescription } from "./model-description.ts";

export interface InnerReference {
  path: string;
  /** The target collection; null for media. */
  to: string | null;
  many: boolean;
}

/** Returns the references of a component's fields, by their paths inside of it. */
function referencesIn(component: ModelDescription, models: readonly ModelDescription[]): InnerReference[] {
  return component.fields.flatMap((field) =>
    isReference(field)
      ? [{ path: field.name, to: collectionOf(field), many: isList(field) }]
      : componentReferences(field, models),
  );
}

const isSame = (one: InnerReference, other: InnerReference): boolean =>
  one.to === other.to && one.many === other.many;

/**
 * Returns the references inside the values of a field. A path without the name of a component is listed if it means the
 * same in all components that have it; else the paths with their names are.
 */
export function componentReferences(field: Field, models: readonly ModelDescription[]): InnerReference[] {
  const { nested } = meaningOf(field);
  if (!nested) return [];
  const own = nested
    .ownReferencesOf(field)
    .map(({ name, collection }) => ({ path: name, to: collection, many: false }));
  const held = nested.componentsOf(field).flatMap((name) => {
    const component = models.find((model) => model.typeModel === "components" && model.name === name);
    return component ? referencesIn(component, models).map((inner) => ({ ...inner, component: name })) : [];
  });
  const hasShort = nested.pathsTo("c", "m").some(({ length }) => length === 1);
  const inner = held.map(({ component, ...reference }) => {
    const isPlain = hasShort && held.every((one) => one.path !== reference.path || isSame(one, reference));
    return isPlain ? reference : { ...reference, path: `${component}.${reference.path}` };
  });
  const unique = new Map([...own, ...inner].map((one) => [one.path, one]));
  return [...unique.values()].map((one) => ({ ...one, path: `${field.name}.${one.path}` }));
}
